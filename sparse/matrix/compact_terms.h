// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CompactTerms: renumbers the columns of a matrix so that each one is used. Use
// it on vectors from outside before anything that costs O(num_terms): hashed
// features or an svmlight line "1 2147483647:1" would cost gigabytes.
//
// The order of terms is kept, so sums in ascending term order, similarities and
// results stay the same.
//
// Cost: O(entries + num_terms), or a sort of the terms if there are far more
// columns than entries. Memory: O(entries), at most 64 bytes each.

#ifndef WARPCLUST_SPARSE_MATRIX_COMPACT_TERMS_H_
#define WARPCLUST_SPARSE_MATRIX_COMPACT_TERMS_H_

#include <cstdint>
#include <vector>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Renumbers the terms of `*documents` (valid) to 0, 1, ... in their order, sets
// num_terms to their number, and returns the old number of each. num_threads 0:
// all cores.
std::vector<int32_t> CompactTerms(DocumentMatrix* documents,
                                  int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_COMPACT_TERMS_H_
