// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FilterTile: a few thousand documents, the columns of the tile, indexed so
// that the approximate dot products of one more document with all of them are
// cheap. Terms frequent among the columns are whole rows of weights, added by
// vector instructions; the others are lists of (column, weight), added one by
// one into the same accumulators, which stay in the first-level cache.
//
// `Weight` is uint16_t (graph/cosine_rows.h has the arithmetic) or float.
//
// Memory: 4 (8) bytes an entry in a list; 2 (4) / dense share bytes an entry in
// a row; 8 bytes a term. Thread-safety: none; one tile a thread.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_TILE_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_TILE_H_

#include <cstdint>
#include <type_traits>
#include <vector>

#include "absl/types/span.h"
#include "graph/aligned_buffer.h"
#include "graph/cosine_filter_kernels.h"
#include "graph/cosine_rows.h"

namespace warpclust {

struct CosineFilterPlan {
  SimdLevel simd = SimdLevel::kBaseline;
  // Documents a tile; at most kMaxTileColumns.
  int tile_columns = 2048;
  // Share of the columns from which a term is a row; 0 means the best known.
  double dense_share = 0;
};

// Columns and the places that pad their lists fit 16 bits.
inline constexpr int kMaxTileColumns = 1 << 15;

template <class Weight>
class FilterTile {
 public:
  explicit FilterTile(const CosineFilterPlan& plan);

  // Indexes the documents `columns`, ascending, at most plan.tile_columns. All
  // calls are for the same rows. O(entries of the columns + terms).
  void Build(const CosineRows& rows, absl::Span<const int32_t> columns);

  absl::Span<const int32_t> columns() const { return columns_; }

  // Computes the dot products of document `row` with the first `num_columns`
  // columns, and returns those of them, ascending, that pass the scan with
  // `factor` against the columns' thresholds (see ScanFunction). Valid until
  // the next call.
  absl::Span<const uint16_t> Candidates(const CosineRows& rows, int32_t row,
                                        int num_columns, Weight factor);

  // The accumulators of the last call, by column.
  const Weight* accumulators() const { return accumulators_.data(); }

 private:
  struct Entry {
    std::conditional_t<std::is_same_v<Weight, uint16_t>, uint16_t, uint32_t>
        column;
    Weight weight;
  };
  // A term of a row that has a list: groups of entries, the row's weight.
  struct List {
    uint32_t begin;
    uint32_t count;
    Weight weight;
  };
  // Where a term is: in no column (count 0), in a dense row (count kDense, row
  // `begin`), or in `count` groups of list entries from group `begin`.
  struct Slot {
    uint32_t begin;
    uint32_t count;
  };

  template <bool kHigh>
  void AddLists(int num_lists);

  const CosineFilterPlan plan_;
  const CosineFilterKernels& kernels_;
  const int chunk_;
  absl::Span<const int32_t> columns_;
  bool high_ = false;
  uint32_t num_rows_ = 0;
  std::vector<Slot> slots_;
  // Next free entry of each term while the tile is built.
  std::vector<int64_t> next_;
  AlignedBuffer<Weight> dense_;
  AlignedBuffer<Entry> entries_;
  AlignedBuffer<Weight> thresholds_;
  AlignedBuffer<Weight> accumulators_;
  AlignedBuffer<uint16_t> candidates_;
  // The terms of one row, by kind.
  AlignedBuffer<DenseTerm> row_dense_;
  AlignedBuffer<List> row_lists_;
};

extern template class FilterTile<uint16_t>;
extern template class FilterTile<float>;

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_TILE_H_
