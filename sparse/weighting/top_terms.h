// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Top terms: documents cut to their heaviest terms.
//
// Use it to bound the length of documents, as the online clusterers of Teitler
// et al. 2010 do. Among equal weights the smaller term stays.
//
// Cost: O(entries) expected, plus sorting what is kept. Thread-safety: pure.

#ifndef WARPCLUST_SPARSE_WEIGHTING_TOP_TERMS_H_
#define WARPCLUST_SPARSE_WEIGHTING_TOP_TERMS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The `count` heaviest terms of each document, rows still ascending by term and
// weights as they were; pass `documents` by std::move to do so in place.
// InvalidArgument if `count` is below 1.
absl::StatusOr<DocumentMatrix> KeepTopTerms(DocumentMatrix documents,
                                            int32_t count);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_WEIGHTING_TOP_TERMS_H_
