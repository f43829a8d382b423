// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/dense_tile.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/machine/cpu_features.h"
#include "graph/cosine/dense/exact_dense_dots.h"

namespace warpclust {

DenseSide MakeDenseSide(const DenseDocuments& documents,
                        std::vector<double> squared_norms, int num_threads) {
  DenseSide side;
  side.documents = documents;
  side.squared_norms = std::move(squared_norms);
  side.digits =
      MakeDenseDigits(documents, side.squared_norms,
                      DigitKernelsFor(CpuSimdLevel()).panel_rows, num_threads);
  return side;
}

DenseTile::DenseTile(int32_t num_dimensions, const CosineDecision& decision)
    : decision_(decision),
      kernels_(DigitKernelsFor(CpuSimdLevel())),
      least_(LeastDigitProduct(num_dimensions, decision.beta)),
      sums_(kDigitTileRows * kDigitTileColumns) {}

void DenseTile::Join(const Range& rows, const Range& columns,
                     bool below_diagonal, std::vector<Edge>* edges) {
  Filter(rows, columns, below_diagonal);
  Decide(rows.side, columns.side, edges);
}

void DenseTile::JoinAll(const Range& rows, const Range& columns,
                        std::vector<Edge>* edges) {
  pairs_.clear();
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    for (int64_t j = columns.begin; j < columns.end; ++j) {
      pairs_.push_back({static_cast<int32_t>(i), static_cast<int32_t>(j)});
    }
  }
  Decide(rows.side, columns.side, edges);
}

void DenseTile::Filter(const Range& rows, const Range& columns,
                       bool below_diagonal) {
  const int panel_rows = kernels_.panel_rows;
  const auto panels = [&](const Range& range) {
    return static_cast<int>((range.end - range.begin + panel_rows - 1) /
                            panel_rows);
  };
  const auto panel_of = [&](const Range& range) {
    const DenseDigits& digits = range.side.digits;
    return digits.digits.data() +
           range.begin / panel_rows * digits.panel_stride;
  };
  const DenseDigits& digits = rows.side.digits;
  MultiplyDigitTile(kernels_, panel_of(rows), panels(rows), panel_of(columns),
                    panels(columns), digits.panel_stride, digits.num_pairs,
                    sums_.data());
  pairs_.clear();
  uint16_t passed[kDigitTileColumns];
  const int64_t first =
      below_diagonal ? std::max(rows.begin, columns.begin + 1) : rows.begin;
  for (int64_t i = first; i < rows.end; ++i) {
    const int64_t count =
        (below_diagonal ? std::min(columns.end, i) : columns.end) -
        columns.begin;
    const int found =
        kernels_.scan(sums_.data() + (i - rows.begin) * kDigitTileColumns,
                      static_cast<int>(count), least_, passed);
    for (int k = 0; k < found && passed[k] < count; ++k) {
      pairs_.push_back({static_cast<int32_t>(i),
                        static_cast<int32_t>(columns.begin + passed[k])});
    }
  }
}

void DenseTile::Decide(const DenseSide& rows, const DenseSide& columns,
                       std::vector<Edge>* edges) const {
  const float* row_values[kDenseDots];
  const float* column_values[kDenseDots];
  double dots[kDenseDots];
  for (size_t first = 0; first < pairs_.size(); first += kDenseDots) {
    const absl::Span<const Pair> pairs =
        absl::MakeConstSpan(pairs_).subspan(first, kDenseDots);
    for (size_t k = 0; k < kDenseDots; ++k) {
      const Pair& pair = pairs[k < pairs.size() ? k : 0];
      row_values[k] = rows.documents.Row(pair.row).data();
      column_values[k] = columns.documents.Row(pair.column).data();
    }
    ExactDenseDots(row_values, column_values, rows.documents.num_dimensions,
                   dots);
    for (size_t k = 0; k < pairs.size(); ++k) {
      const double a = rows.squared_norms[pairs[k].row];
      const double b = columns.squared_norms[pairs[k].column];
      if (a == 0 || b == 0 || !decision_.Reaches(dots[k], a, b)) continue;
      edges->push_back({pairs[k].row, pairs[k].column,
                        CosineDecision::Cosine(dots[k], a, b)});
    }
  }
}

}  // namespace warpclust
