// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_tile_join.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "absl/types/span.h"

namespace warpclust {
namespace {

// Up to this mean number of terms, tiles are wide: scans and the beginnings of
// lists are what such documents cost.
constexpr int64_t kFewTerms = 16;
// Accumulators of the rows that meet a tile together: 256 KiB, so that many
// rows share what they read of frequent terms; 32 KiB for documents of few
// terms, which mostly have rare ones, so that scans find them in the cache.
constexpr int32_t kBatchAccumulators = 1 << 17;
constexpr int32_t kBatchAccumulatorsOfFew = 1 << 14;

}  // namespace

CosineTileShape ShapeOfTiles(const CosineRows& rows,
                             const CosineFilterPlan& plan) {
  const bool few_terms =
      rows.offsets.back() <= kFewTerms * rows.num_documents();
  const int32_t columns =
      few_terms ? plan.wide_tile_columns : plan.tile_columns;
  const int32_t accumulators =
      few_terms ? kBatchAccumulatorsOfFew : kBatchAccumulators;
  return {columns, std::max(1, accumulators / columns)};
}

void CosineTile::Select(const CosineRows& rows, int32_t first, int32_t end) {
  begin = first;
  quantized.Clear();
  floats.Clear();
  all.Clear();
  for (int32_t d = first; d < end; ++d) {
    const bool is_empty = rows.RowSize(d) == 0;
    all.Append(d, !is_empty);
    quantized.Append(d, !is_empty && !rows.is_float[d]);
    floats.Append(d, !is_empty && rows.is_float[d]);
  }
}

void CosineTile::SelectOf(const CosineRows& rows, int32_t number,
                          int32_t count) {
  const auto cut = [&](int64_t tile) {
    return static_cast<int32_t>(rows.num_documents() * tile / count);
  };
  Select(rows, cut(number), cut(int64_t{number} + 1));
}

void CosineTile::BuildForQuantizedRows(const CosineRows& rows) {
  if (!quantized.documents.empty()) {
    quantized.tile.Build(rows, quantized.documents);
  }
  if (!floats.documents.empty()) floats.tile.Build(rows, floats.documents);
}

void CosineTile::BuildForFloatRows(const CosineRows& rows) {
  if (!all.documents.empty()) all.tile.Build(rows, all.documents);
}

template <class Weight>
int CosineTileJoin::NumColumns(const TileColumns<Weight>& columns,
                               int32_t first_document, int32_t row) const {
  const size_t place = row - first_document;
  return !lower_ || place >= columns.before.size()
             ? static_cast<int>(columns.documents.size())
             : columns.before[place];
}

template <class Weight>
void CosineTileJoin::SetRows(const TileColumns<Weight>& columns,
                             int32_t first_document, const CosineRows& rows,
                             const std::vector<int32_t>& some_rows,
                             FilterRows<Weight>* met) {
  if (columns.documents.empty() || some_rows.empty()) return;
  met->SetRows(columns.tile, rows, some_rows,
               NumColumns(columns, first_document, some_rows.back()));
}

template <class Weight>
void CosineTileJoin::Decide(const TileColumns<Weight>& columns,
                            int32_t first_document, const CosineRows& rows,
                            int32_t row, int index, SetExact set_exact,
                            FilterRows<Weight>* met) {
  const int num_columns = NumColumns(columns, first_document, row);
  if (num_columns == 0) return;
  const absl::Span<const uint16_t> candidates = met->Candidates(
      rows, index, num_columns, ScanFactor<Weight>(rows, beta_, row));
  if (candidates.empty()) return;
  const int count = static_cast<int>(candidates.size());
  const int32_t* documents = columns.documents.data();
  const auto document_of = [&](int k) { return documents[candidates[k]]; };
  const bool accumulators_are_exact = std::is_same_v<Weight, uint16_t>
                                          ? rows.integer_weights
                                          : rows.float_is_exact;
  if (accumulators_are_exact) {
    const Weight* accumulators = met->accumulators(index);
    edges_.Decide(rows.squared_norms[row], first_document, count, document_of,
                  [&](int k) {
                    return static_cast<double>(accumulators[candidates[k]]);
                  });
  } else {
    edges_.Decide(set_exact(row, &exact_), first_document, count, document_of,
                  [&](int k) { return exact_.DotWith(document_of(k)); });
  }
}

void CosineTileJoin::Join(const CosineTile& tile, const CosineRows& rows,
                          int32_t begin, int32_t end, int32_t together,
                          bool lower, SetExact set_exact, Take take) {
  lower_ = lower;
  while (begin < end) {
    const int32_t next = std::min(end - begin, together) + begin;
    JoinTogether(tile, rows, begin, next, set_exact, take);
    begin = next;
  }
}

void CosineTileJoin::JoinTogether(const CosineTile& tile,
                                  const CosineRows& rows, int32_t begin,
                                  int32_t end, SetExact set_exact, Take take) {
  quantized_rows_.clear();
  float_rows_.clear();
  for (int32_t row = begin; row < end; ++row) {
    if (rows.IsEmpty(row)) continue;
    (rows.is_float[row] ? float_rows_ : quantized_rows_).push_back(row);
  }
  SetRows(tile.quantized, tile.begin, rows, quantized_rows_, &met_quantized_);
  SetRows(tile.floats, tile.begin, rows, quantized_rows_, &met_floats_);
  SetRows(tile.all, tile.begin, rows, float_rows_, &met_all_);
  int quantized_index = 0;
  int float_index = 0;
  for (int32_t row = begin; row < end; ++row) {
    if (rows.IsEmpty(row)) continue;
    edges_.Clear();
    if (rows.is_float[row]) {
      Decide(tile.all, tile.begin, rows, row, float_index++, set_exact,
             &met_all_);
    } else {
      const int index = quantized_index++;
      Decide(tile.quantized, tile.begin, rows, row, index, set_exact,
             &met_quantized_);
      const size_t quantized_edges = edges_.size();
      Decide(tile.floats, tile.begin, rows, row, index, set_exact,
             &met_floats_);
      if (quantized_edges > 0 && quantized_edges < edges_.size()) {
        edges_.Sort();
      }
    }
    if (edges_.size() > 0) take(row, edges_);
  }
}

}  // namespace warpclust
