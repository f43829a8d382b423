// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/determinism/inputs.h"

#include <numeric>

#include "sparse/matrix/append_rows.h"

namespace warpclust {

DocumentMatrix SelectRows(const DocumentMatrix& documents,
                          absl::Span<const int32_t> rows) {
  DocumentMatrix selected;
  selected.num_terms = documents.num_terms;
  for (const int32_t row : rows) {
    AppendRows(documents, row, row + 1, &selected);
  }
  return selected;
}

PointMatrix SelectRows(const PointMatrix& points,
                       absl::Span<const int32_t> rows) {
  PointMatrix selected;
  selected.num_points = static_cast<int32_t>(rows.size());
  selected.num_dimensions = points.num_dimensions;
  for (const int32_t row : rows) {
    selected.values.insert(selected.values.end(), points.Row(row),
                           points.Row(row) + points.num_dimensions);
  }
  return selected;
}

std::vector<int32_t> RowRange(int32_t begin, int32_t end) {
  std::vector<int32_t> rows(static_cast<size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

}  // namespace warpclust
