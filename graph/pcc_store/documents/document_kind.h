// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentKind: whether a collection is of term vectors or of dense rows, which
// its first documents decide.

#ifndef WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_KIND_H_
#define WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_KIND_H_

#include <cstdint>

#include "absl/status/status.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct DocumentKind {
  bool is_known = false;  // False before the first documents.
  bool is_dense = false;
  int32_t num_dimensions = 0;  // Of dense rows.

  // InvalidArgument if these are others; no documents are of every kind.
  absl::Status Accepts(const DocumentMatrix& added) const;
  absl::Status Accepts(const DenseDocuments& added) const;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_KIND_H_
