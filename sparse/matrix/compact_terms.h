// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compact terms: renumbers the columns of a matrix so that each one is used.
//
// Use it on vectors from outside before anything that costs O(num_terms): an
// svmlight line "1 2147483647:1" or hashed features otherwise cost gigabytes.
// The order of terms is kept, so every sum over them in ascending order, every
// similarity and every result is the same.
//
// Cost: O(entries + num_terms), or a sort of the terms when there are far more
// columns than entries. Memory: O(entries), at most 64 bytes each.
// Thread-safety: pure function.

#ifndef WARPCLUST_SPARSE_MATRIX_COMPACT_TERMS_H_
#define WARPCLUST_SPARSE_MATRIX_COMPACT_TERMS_H_

#include <cstdint>
#include <vector>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Renumbers the terms of `*documents` (valid) to 0, 1, ... in their order, sets
// num_terms to how many there are, and returns the old number of each.
std::vector<int32_t> CompactTerms(DocumentMatrix* documents);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_COMPACT_TERMS_H_
