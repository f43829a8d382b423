// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LabelledDocuments: vectors with their ids and labels, as readers return them.

#ifndef WARPCLUST_SPARSE_MATRIX_LABELLED_DOCUMENTS_H_
#define WARPCLUST_SPARSE_MATRIX_LABELLED_DOCUMENTS_H_

#include <string>
#include <vector>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct LabelledDocuments {
  // Valid in the sense of ValidateDocuments.
  DocumentMatrix documents;
  // One per document, unique.
  std::vector<std::string> ids;
  // One list per document; empty if the file gives none.
  std::vector<std::vector<std::string>> labels;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_LABELLED_DOCUMENTS_H_
