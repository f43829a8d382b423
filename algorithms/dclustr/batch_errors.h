// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors about the documents of a batch, on disk and in memory.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_BATCH_ERRORS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_BATCH_ERRORS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "graph/pcc_store/documents/document_kind.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

// InvalidArgument about the id at index `place` of those given (PlaceInBatch).
absl::Status ErrorAtPlace(size_t place, absl::string_view message);
// For an id to remove that is not present, or comes a second time.
absl::Status UnknownRemoval(size_t place, absl::string_view id);
absl::Status RepeatedRemoval(size_t place, absl::string_view id);
// For a document whose weights are not integers in a collection of integers.
absl::Status RealWeights(size_t place, absl::string_view id);

// InvalidArgument unless the added documents are valid, of one kind, and have
// one id per row.
absl::Status ValidateAdded(const DocumentMatrix& added,
                           const DenseDocuments& added_rows,
                           const std::vector<std::string>& ids);

// InvalidArgument unless the added documents are of the collection's kind.
absl::Status CheckKind(const DocumentKind& kind, Weighting weighting,
                       const DocumentMatrix& added,
                       const DenseDocuments& added_rows);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_BATCH_ERRORS_H_
