// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/owned_dense_rows.h"

#include <utility>

#include "absl/types/span.h"

namespace warpclust {

void AppendRows(const DenseDocuments& documents, int32_t begin, int32_t end,
                OwnedDenseRows* rows) {
  if (begin == end) return;
  rows->num_dimensions = documents.num_dimensions;
  const absl::Span<const float> values = documents.Rows(begin, end).values;
  rows->values.insert(rows->values.end(), values.begin(), values.end());
}

DenseDocuments MakeDenseDocuments(OwnedDenseRows rows) {
  const int32_t num_dimensions = rows.num_dimensions;
  const int32_t num_documents = rows.num_documents();
  DenseDocuments documents =
      MakeDenseDocuments(std::move(rows.values), num_documents);
  documents.num_dimensions = num_dimensions;
  return documents;
}

}  // namespace warpclust
