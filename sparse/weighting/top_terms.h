// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KeepTopTerms: documents cut to their heaviest terms. Use it to bound the
// length of documents, as the online clusterers of Teitler et al. 2010 do.
//
// Cost: O(entries) expected, and a sort of what is kept.

#ifndef WARPCLUST_SPARSE_WEIGHTING_TOP_TERMS_H_
#define WARPCLUST_SPARSE_WEIGHTING_TOP_TERMS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Returns the `count` heaviest terms of each document, with their weights; of
// equal weights, the smaller term stays. Pass `documents` by std::move to work
// in place. InvalidArgument if `count` is below 1.
absl::StatusOr<DocumentMatrix> KeepTopTerms(DocumentMatrix documents,
                                            int32_t count);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_WEIGHTING_TOP_TERMS_H_
