// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FilterTile: a few thousand documents, the columns, indexed so that the
// approximate dot products of another document with all of them are cheap.
// Terms frequent among the columns are whole rows of weights, added by vector
// instructions. The others are lists of (column, weight), added one by one into
// the same accumulators, which stay in the first-level cache. FilterRows has
// the documents that meet a tile.
//
// `Weight` is uint16_t (graph/cosine/filter/cosine_rows.h has the arithmetic)
// or float.
//
// Memory: 4 (8) bytes per entry in a list; 2 (4) / dense share bytes per entry
// in a row; 16 bytes per term; FilterRows 2 (4) bytes per column and document.
// Any number of threads may meet a tile that is built, each with its own
// FilterRows.

#ifndef WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_TILE_H_
#define WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_TILE_H_

#include <cstdint>
#include <type_traits>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/cpu_features.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"
#include "graph/cosine/filter/cosine_row_kernels.h"
#include "graph/cosine/filter/cosine_rows.h"

namespace warpclust {

struct CosineFilterPlan {
  SimdLevel simd = SimdLevel::kBaseline;
  // Documents per tile; at most kMaxTileColumns. Wide tiles are for short
  // documents.
  int tile_columns = 2048;
  int wide_tile_columns = 8192;
  // A term in at least this share of the columns is a row; 0: the best known.
  double dense_share = 0;
  // Lists of documents (graph/cosine/cpu/cosine_list_join.h) replace all tiles
  // if their estimated cost is at most that of the tiles times this; 0: never.
  double list_bias = 1;
};

// Columns and the padding of their lists fit in 16 bits.
inline constexpr int kMaxTileColumns = 1 << 15;

template <class Weight>
class FilterRows;

template <class Weight>
class FilterTile {
 public:
  explicit FilterTile(const CosineFilterPlan& plan);

  // Indexes the documents `columns`, ascending, at most plan.tile_columns. All
  // calls must pass the same rows. O(entries of the columns + terms).
  void Build(const CosineRows& rows, absl::Span<const int32_t> columns);

 private:
  friend class FilterRows<Weight>;

  struct Entry {
    std::conditional_t<std::is_same_v<Weight, uint16_t>, uint16_t, uint32_t>
        column;
    Weight weight;
  };
  const CosineFilterPlan plan_;
  const CosineFilterKernels& kernels_;
  const FilterLoops<Weight>& loops_;
  bool high_ = false;
  uint32_t num_rows_ = 0;
  // By term.
  std::vector<TermSlot> slots_;
  std::vector<int64_t> counts_;
  AlignedBuffer<Weight> dense_;
  AlignedBuffer<Entry> entries_;
  AlignedBuffer<Weight> thresholds_;
  // CosineRows::residual_norms of the columns, if any.
  bool bounded_ = false;
  AlignedBuffer<uint16_t> residual_norms_;
  // Columns in whole chunks.
  int padded_ = 0;
};

template <class Weight>
class FilterRows {
 public:
  // Takes some tens of documents and adds up their frequent terms: together, so
  // that each piece of the tile's rows is read from memory once. `tile` and
  // `documents` must stay unchanged until the last Candidates.
  // `columns_needed`: the largest num_columns of any document.
  void SetRows(const FilterTile<Weight>& tile, const CosineRows& rows,
               absl::Span<const int32_t> documents, int columns_needed);

  // Computes the dot products of documents[index] with the first `num_columns`
  // columns, and returns the columns, ascending, that pass the scan with
  // `factor` (see ScanFunction). Call it once per document. The result is valid
  // until the next call. If both the row and the columns have residual norms,
  // bounded terms are omitted and the scan is ScanBoundedFunction.
  absl::Span<const uint16_t> Candidates(const CosineRows& rows, int index,
                                        int num_columns, Weight factor);

  // The accumulators of documents[index] after Candidates, for its num_columns.
  const Weight* accumulators(int index) const {
    return accumulators_.data() + index * stride_;
  }

 private:
  using Tile = FilterTile<Weight>;

  void SortRow(const CosineRows& rows, int32_t document,
               RowTerm<Weight>* (&ends)[kTermKinds]);
  // The terms of one kind of documents[index].
  absl::Span<const RowTerm<Weight>> TermsOf(TermKind kind, int index) const {
    return absl::MakeConstSpan(terms_[kind].data() + begins_[kind][index],
                               terms_[kind].data() + begins_[kind][index + 1]);
  }
  template <int kGroups, bool kHigh>
  void AddLists(absl::Span<const RowTerm<Weight>> lists, int num_columns,
                Weight* accumulators);
  template <bool kHigh>
  void AddAllLists(int index, int num_columns, Weight* accumulators);

  const Tile* tile_ = nullptr;
  absl::Span<const int32_t> documents_;
  // By kind: the terms of all documents, and the beginning of each document.
  AlignedBuffer<RowTerm<Weight>> terms_[kTermKinds];
  std::vector<int64_t> begins_[kTermKinds];
  int64_t stride_ = 0;
  AlignedBuffer<Weight> accumulators_;
  AlignedBuffer<uint16_t> candidates_;
};

extern template class FilterTile<uint16_t>;
extern template class FilterTile<float>;
extern template class FilterRows<uint16_t>;
extern template class FilterRows<float>;

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_FILTER_COSINE_FILTER_TILE_H_
