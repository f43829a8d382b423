// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LabelledDocuments: vectors as a file has them, with their names and labels.
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_SPARSE_MATRIX_LABELLED_DOCUMENTS_H_
#define WARPCLUST_SPARSE_MATRIX_LABELLED_DOCUMENTS_H_

#include <string>
#include <vector>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct LabelledDocuments {
  // Valid in the sense of ValidateDocuments.
  DocumentMatrix documents;
  // One a document, unique: what results call it.
  std::vector<std::string> ids;
  // One list a document, empty where the file gives none.
  std::vector<std::vector<std::string>> labels;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_LABELLED_DOCUMENTS_H_
