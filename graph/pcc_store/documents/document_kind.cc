// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/documents/document_kind.h"

#include "absl/strings/str_cat.h"

namespace warpclust {

absl::Status DocumentKind::Accepts(const DocumentMatrix& added) const {
  if (added.num_documents() == 0 || !is_dense) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("expected rows of ", num_dimensions,
                   " numbers, as the collection has, found term vectors"));
}

absl::Status DocumentKind::Accepts(const DenseDocuments& added) const {
  if (added.num_documents() == 0) return absl::OkStatus();
  const int32_t found = added.num_dimensions;
  if (found == 0) {
    return absl::InvalidArgumentError(
        "expected rows of at least one number, found empty rows");
  }
  if (!is_dense && is_known) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected term vectors, as the collection has, found rows of ", found,
        " numbers"));
  }
  if (is_dense && found != num_dimensions) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", num_dimensions,
                     " dimensions, as the collection has, found ", found));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
