// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/brute_force_k_nearest.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/machine/cpu_features.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/brute_force_within.h"
#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/tile_boxes.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A filter bound that all pairs reach, and one that no pair reaches.
constexpr float kLowest = std::numeric_limits<float>::lowest();
constexpr float kNever = std::numeric_limits<float>::infinity();
// Tiles that a tile visits before the view is chosen, if they have k points.
constexpr int32_t kFirstTiles = 4;
// If a pair of panels leaves more pairs, all its keys are cheaper.
constexpr int kMostSinglePairs = 4 * kMostUndecidedPairs;

bool Before(const NearestPoint& a, const NearestPoint& b) {
  return Preferred(a.key, a.id, b.key, b.id);
}

// The queries are the positions below num_rows, the points those from
// first_column on.
class Search {
 public:
  Search(const BruteForcePairs& pairs, int32_t num_rows, int32_t first_column,
         int32_t k, int num_threads, NearestPoint* nearest)
      : pairs_(pairs),
        filter_(pairs.filter()),
        kernels_(PairTileKernelsFor(CpuSimdLevel())),
        num_rows_(num_rows),
        first_column_(first_column),
        k_(k),
        nearest_(nearest),
        num_first_(std::max(kFirstTiles, k / kFilterTilePoints + 2)),
        row_ranks_(kPanelPoints, 1),
        column_ranks_(kPanelPoints, 0),
        no_bounds_(kPanelPoints, kNever),
        sizes_(num_rows),
        half_bounds_(int64_t{filter_.num_panels()} * kPanelPoints, kNever) {
    std::fill_n(half_bounds_.begin(), num_rows, kLowest);
    for (int t = 0; t < num_threads; ++t) {
      scratch_.emplace_back(filter_.num_dimensions(), pairs.num_tiles());
    }
    orders_.resize(num_threads);
    if (filter_.usable()) view_ = filter_.GetView(filter_.num_views() > 1);
  }

  // After the first visits of all tiles.
  void ChooseView() {
    std::vector<int32_t> asking(filter_.num_points());
    std::fill_n(asking.begin(), num_rows_, 1);
    view_ = pairs_.ViewForBounds(half_bounds_, asking);
  }

  // Visits the nearest tiles of points, or, later, all others.
  void VisitTile(int32_t tile, bool first, int thread) {
    PairScratch* scratch = &scratch_[thread];
    std::vector<int32_t>& order = orders_[thread];
    const int32_t begin = first_column_ / kFilterTilePoints;
    order.resize(pairs_.num_tiles() - begin);
    std::iota(order.begin(), order.end(), begin);
    filter_.TileDistances(tile, scratch->lower.data());
    const auto nearer = [&](int32_t a, int32_t b) {
      const double a_distance = a == tile ? -1 : scratch->lower[a];
      const double b_distance = b == tile ? -1 : scratch->lower[b];
      return a_distance < b_distance || (a_distance == b_distance && a < b);
    };
    const auto rest =
        order.begin() + std::min<int64_t>(num_first_, order.size());
    std::partial_sort(order.begin(), first ? rest : order.end(), order.end(),
                      nearer);
    pairs_.BoundTiles(tile, begin, pairs_.num_tiles(), scratch->lower.data(),
                      scratch->upper.data());
    for (auto other = first ? order.begin() : rest;
         other != (first ? rest : order.end()); ++other) {
      VisitTilePair(tile, *other, scratch->lower[*other - begin], scratch);
    }
  }

  // Sorts the answers of the points of a tile.
  void Finish(int32_t tile) {
    const int32_t begin = tile * kFilterTilePoints;
    const int32_t end = std::min(num_rows_, begin + kFilterTilePoints);
    for (int32_t row = begin; row < end; ++row) {
      std::sort_heap(Heap(row), Heap(row) + k_, Before);
    }
  }

 private:
  // The best so far of a row, the worst on top, where its answers will be.
  NearestPoint* Heap(int32_t row) {
    return nearest_ + int64_t{filter_.order()[row]} * k_;
  }

  // Keys above this do not improve the row.
  double KeyBound(int32_t row) {
    if (row >= num_rows_) return -1;
    return sizes_[row] == k_ ? Heap(row)->key : kInfinity;
  }

  // Returns whether a row may find something at a scaled key of `lower`.
  bool Asks(int32_t row_panel, double lower) {
    for (int i = 0; i < pairs_.PanelSize(row_panel); ++i) {
      const double bound = KeyBound(row_panel * kPanelPoints + i);
      if (filter_.ScaledKey(bound) >= lower) return true;
    }
    return false;
  }

  // No scaled key between the tiles is below `lower`.
  void VisitTilePair(int32_t row_tile, int32_t column_tile, double lower,
                     PairScratch* scratch) {
    const auto [bias, root_error] =
        filter_.PairErrors(view_, row_tile, column_tile);
    std::array<bool, kFilterTilePanels> asks = {};
    const int32_t row_begin = pairs_.FirstPanel(row_tile);
    const int32_t row_end =
        std::min(pairs_.FirstPanel(row_tile + 1),
                 (num_rows_ + kPanelPoints - 1) / kPanelPoints);
    for (int32_t a = row_begin; a < row_end; ++a) {
      asks[a - row_begin] = Asks(a, lower);
    }
    // Columns outside, because Keys copies a panel of them.
    const int32_t column_end = pairs_.FirstPanel(column_tile + 1);
    for (int32_t b = pairs_.FirstPanel(column_tile); b < column_end; ++b) {
      for (int32_t a = row_begin; a < row_end; ++a) {
        if (!asks[a - row_begin]) continue;
        VisitPanelPair(a, b, bias, root_error, scratch);
      }
    }
  }

  // The points of a panel, as bits.
  uint32_t ColumnsOf(int32_t panel) const {
    const int size = pairs_.PanelSize(panel);
    const uint32_t columns =
        size == kPanelPoints ? ~uint32_t{0} : (1u << size) - 1;
    const int32_t before = first_column_ - panel * kPanelPoints;
    if (before <= 0) return columns;
    return before < kPanelPoints ? columns & ~uint32_t{0} << before : 0;
  }

  void VisitPanelPair(int32_t row_panel, int32_t column_panel, float bias,
                      double root_error, PairScratch* scratch) {
    const int32_t rows = row_panel * kPanelPoints;
    const uint32_t columns = ColumnsOf(column_panel);
    if (columns == 0) return;
    uint32_t wanted[kPanelPoints];
    bool by_keys = !filter_.usable();
    if (!by_keys) {
      if (!kernels_.find_wanted(
              filter_.Panel(view_, row_panel),
              filter_.Panel(view_, column_panel), view_.num_dimensions, bias,
              half_bounds_.data() + rows, no_bounds_.data(), row_ranks_.data(),
              column_ranks_.data(), wanted)) {
        return;
      }
      int num_wanted = 0;
      for (uint32_t& of_row : wanted) {
        of_row &= columns;
        num_wanted += __builtin_popcount(of_row);
      }
      by_keys = num_wanted > kMostSinglePairs;
    }
    if (by_keys) return VisitKeys(row_panel, column_panel, scratch);
    for (int i = 0; i < kPanelPoints; ++i) {
      if (wanted[i] == 0) continue;
      VisitRow(rows + i, column_panel, wanted[i], root_error);
    }
  }

  void VisitRow(int32_t row, int32_t column_panel, uint32_t wanted,
                double root_error) {
    const int32_t columns = column_panel * kPanelPoints;
    if (view_.whole) {
      for (; wanted != 0; wanted &= wanted - 1) {
        VisitPair(row, columns + __builtin_ctz(wanted));
      }
      return;
    }
    while (wanted != 0) {
      float sums[4];
      SquaredDistancesOfBits(filter_, kernels_, row, column_panel, wanted,
                             sums);
      for (int j = 0; j < 4 && wanted != 0; ++j) {
        const int32_t column = columns + __builtin_ctz(wanted);
        wanted &= wanted - 1;
        if (filter_.TooFar(sums[j], root_error, half_bounds_[row])) continue;
        VisitPair(row, column);
      }
    }
  }

  void VisitPair(int32_t row, int32_t column) {
    Offer(row, pairs_.Key(row, column, kernels_), column);
  }

  // Decides all pairs of two panels by their exact keys.
  void VisitKeys(int32_t row_panel, int32_t column_panel,
                 PairScratch* scratch) {
    pairs_.Keys(row_panel, column_panel, kernels_, scratch);
    const int32_t rows = row_panel * kPanelPoints;
    double row_bounds[kPanelPoints];
    double column_bounds[kPanelPoints];
    for (int i = 0; i < kPanelPoints; ++i) {
      row_bounds[i] = KeyBound(rows + i);
      column_bounds[i] = -1;
    }
    uint32_t masks[kPanelPoints];
    if (!kernels_.select_keys(scratch->keys.data(), row_bounds, column_bounds,
                              masks)) {
      return;
    }
    const uint32_t columns = ColumnsOf(column_panel);
    for (int i = 0; i < kPanelPoints; ++i) {
      for (uint32_t bits = masks[i] & columns; bits != 0; bits &= bits - 1) {
        const int j = __builtin_ctz(bits);
        Offer(rows + i, scratch->keys[i * kPanelPoints + j],
              column_panel * kPanelPoints + j);
      }
    }
  }

  void Offer(int32_t row, double key, int32_t column) {
    const int32_t id = filter_.order()[column] - first_column_;
    NearestPoint* heap = Heap(row);
    int32_t& size = sizes_[row];
    if (size == k_) {
      if (!Preferred(key, id, heap->key, heap->id)) return;
      std::pop_heap(heap, heap + size, Before);
      --size;
    }
    heap[size++] = {key, id};
    std::push_heap(heap, heap + size, Before);
    if (size == k_ && filter_.usable()) {
      half_bounds_[row] = filter_.HalfBound(heap->key);
    }
  }

  const BruteForcePairs& pairs_;
  const PairFilter& filter_;
  const PairTileKernels& kernels_;
  const int32_t num_rows_;
  const int32_t first_column_;
  const int32_t k_;
  NearestPoint* nearest_;
  const int32_t num_first_;
  // For find_wanted: the rows have the larger ranks, so their bounds decide.
  const std::vector<int32_t> row_ranks_;
  const std::vector<int32_t> column_ranks_;
  const std::vector<float> no_bounds_;
  // By position: the sizes of the heaps, and at most minus half the scaled key
  // of the worst of a full one.
  std::vector<int32_t> sizes_;
  std::vector<float> half_bounds_;
  // By thread.
  std::vector<PairScratch> scratch_;
  std::vector<std::vector<int32_t>> orders_;
  PairFilter::View view_;
};

}  // namespace

void KNearestByBruteForce(const PointMatrix& points, const PointMatrix* queries,
                          Norm norm, int32_t k, int num_threads,
                          const WorkShare* work,
                          absl::Span<NearestPoint> nearest) {
  // The queries, then the points.
  PointRows both(points.num_dimensions);
  if (queries != nullptr) {
    both.Append(queries->values.data(), queries->num_points);
  }
  both.Append(points.values.data(), points.num_points);
  const int32_t num_rows =
      queries == nullptr ? points.num_points : queries->num_points;
  const int32_t first_column = queries == nullptr ? 0 : num_rows;
  const BruteForcePairs pairs(std::move(both), norm, num_threads, first_column);
  Search search(pairs, num_rows, first_column, k, num_threads, nearest.data());
  const int32_t tiles = (num_rows + kFilterTilePoints - 1) / kFilterTilePoints;
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < tiles; ++tile) {
    if (StopRequested(work)) continue;
    search.VisitTile(tile, /*first=*/true, omp_get_thread_num());
  }
  search.ChooseView();
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < tiles; ++tile) {
    if (StopRequested(work)) continue;
    search.VisitTile(tile, /*first=*/false, omp_get_thread_num());
    search.Finish(tile);
  }
}

}  // namespace warpclust
