// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/brute_force_rankings.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/machine/cpu_features.h"
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
// Tiles that a tile visits first, besides itself.
constexpr int kFirstTiles = 3;
// Up to this many points of a tile are tested one by one.
constexpr int kMostAsking = 6;
constexpr uint32_t kAllPanels = (1u << kFilterTilePanels) - 1;

// One point in all rankings.
struct Rankings {
  int32_t ranks[kMostRankings];
  int32_t ids[kMostRankings];
  double keys[kMostRankings];
  // The largest of `keys` of rankings in which it is not first; -1 without any.
  double worst;
};

class Search {
 public:
  Search(const BruteForcePairs& pairs, absl::Span<const int32_t> ranks,
         int num_threads)
      : pairs_(pairs),
        filter_(pairs.filter()),
        kernels_(PairTileKernelsFor(CpuSimdLevel())),
        num_rankings_(static_cast<int>(ranks.size() / filter_.num_points())),
        points_(static_cast<size_t>(filter_.num_panels()) * kPanelPoints),
        half_bounds_(points_.size(), kNever),
        asks_(kPanelPoints, 1),
        answers_(kPanelPoints, 0),
        no_bounds_(kPanelPoints, kNever),
        loosest_(pairs.num_tiles()) {
    const int64_t n = filter_.num_points();
    for (int32_t i = 0; i < n; ++i) {
      Rankings& point = points_[i];
      for (int r = 0; r < num_rankings_; ++r) {
        point.ranks[r] = ranks[r * n + filter_.order()[i]];
        point.ids[r] = -1;
        point.keys[r] = kInfinity;
      }
      SetBound(i);
    }
    for (int t = 0; t < num_threads; ++t) {
      scratch_.emplace_back(filter_.num_dimensions(), pairs.num_tiles());
    }
    if (filter_.usable()) view_ = filter_.GetView(filter_.num_views() > 1);
  }

  // Searches, of which each sets the answers of the points of one tile: itself
  // and the nearest others first, then all others.
  void VisitFirst(int32_t tile, int thread) {
    PairScratch* scratch = &scratch_[thread];
    filter_.TileDistances(tile, scratch->lower.data());
    for (const int32_t other : FirstTiles(tile, scratch)) {
      VisitTilePair(tile, other, kAllPanels, scratch);
    }
  }

  // After the first visits.
  void PrepareRest() {
    std::vector<int32_t> ranks;
    for (const Rankings& point : points_) ranks.push_back(point.ranks[0]);
    for (int32_t tile = 0; tile < pairs_.num_tiles(); ++tile) {
      loosest_[tile] = *std::min_element(
          half_bounds_.begin() + int64_t{tile} * kFilterTilePoints,
          half_bounds_.begin() +
              int64_t{pairs_.FirstPanel(tile + 1)} * kPanelPoints);
    }
    view_ = pairs_.ViewForBounds(half_bounds_, ranks);
  }

  void VisitRest(int32_t tile, int thread) {
    PairScratch* scratch = &scratch_[thread];
    const int32_t num_tiles = pairs_.num_tiles();
    filter_.TileDistances(tile, scratch->lower.data());
    std::vector<bool> is_first(num_tiles);
    for (const int32_t other : FirstTiles(tile, scratch)) {
      is_first[other] = true;
    }
    pairs_.BoundTiles(tile, 0, num_tiles, scratch->lower.data(),
                      scratch->upper.data());
    scratch->evaluations += num_tiles;
    for (int32_t other = 0; other < num_tiles; ++other) {
      if (is_first[other]) continue;
      const uint32_t panels =
          AskingPanels(scratch->lower[other], tile, other, scratch);
      if (panels != 0) VisitTilePair(tile, other, panels, scratch);
    }
  }

  void Answer(absl::Span<NearestPoint> nearest) const {
    const int64_t n = filter_.num_points();
    for (int32_t i = 0; i < n; ++i) {
      for (int r = 0; r < num_rankings_; ++r) {
        nearest[r * n + filter_.order()[i]] = {points_[i].keys[r],
                                               points_[i].ids[r]};
      }
    }
  }

  int64_t evaluations() const {
    int64_t sum = 0;
    for (const PairScratch& scratch : scratch_) sum += scratch.evaluations;
    return sum;
  }

 private:
  // The tile itself and the nearest others, by the distances in `scratch`.
  std::vector<int32_t> FirstTiles(int32_t tile, PairScratch* scratch) const {
    std::vector<int32_t> tiles = {tile};
    scratch->lower[tile] = kInfinity;
    for (int first = 0; first < kFirstTiles; ++first) {
      const auto nearest =
          std::min_element(scratch->lower.begin(), scratch->lower.end());
      if (*nearest == kInfinity) break;
      *nearest = kInfinity;
      tiles.push_back(static_cast<int32_t>(nearest - scratch->lower.begin()));
    }
    return tiles;
  }

  // Returns the panels of `tile`, as bits, with points that may find something
  // in `other`. No key between the tiles is below `lower`.
  uint32_t AskingPanels(double lower, int32_t tile, int32_t other,
                        PairScratch* scratch) const {
    const int32_t begin = tile * kFilterTilePoints;
    const int32_t end =
        std::min(filter_.num_points(), begin + kFilterTilePoints);
    if (!filter_.usable()) {
      for (int32_t i = begin; i < end; ++i) {
        if (points_[i].worst >= lower) return kAllPanels;
      }
      return 0;
    }
    // If only a few points ask, it pays to bound their own distances.
    const float half = static_cast<float>(-lower / 2 * (1 - 1e-6));
    if (loosest_[tile] > half) return 0;
    int32_t positions[kMostAsking];
    int num_asking = 0;
    for (int32_t i = begin; i < end; ++i) {
      if (half_bounds_[i] > half) continue;
      if (num_asking == kMostAsking) return kAllPanels;
      positions[num_asking++] = i;
    }
    scratch->evaluations += num_asking;
    uint32_t asking = 0;
    for (int a = 0; a < num_asking; ++a) {
      const int32_t i = positions[a];
      if (filter_.PointBound(i, other) <= -2.0 * half_bounds_[i]) {
        asking |= 1u << (i - begin) / kPanelPoints;
      }
    }
    return asking;
  }

  void VisitTilePair(int32_t row_tile, int32_t column_tile, uint32_t row_panels,
                     PairScratch* scratch) {
    const auto [bias, root_error] =
        filter_.PairErrors(view_, row_tile, column_tile);
    uint32_t wanted[kPanelPoints];
    const int32_t row_begin = pairs_.FirstPanel(row_tile);
    for (int32_t b = pairs_.FirstPanel(column_tile);
         b < pairs_.FirstPanel(column_tile + 1); ++b) {
      const uint32_t columns = pairs_.PanelSize(b) == kPanelPoints
                                   ? ~uint32_t{0}
                                   : (1u << pairs_.PanelSize(b)) - 1;
      for (int32_t a = row_begin; a < pairs_.FirstPanel(row_tile + 1); ++a) {
        if ((row_panels >> (a - row_begin) & 1) == 0) continue;
        scratch->evaluations += kPanelPoints * kPanelPoints;
        const int32_t rows = a * kPanelPoints;
        if (!filter_.usable()) {
          std::fill_n(wanted, pairs_.PanelSize(a), columns);
          std::fill(wanted + pairs_.PanelSize(a), wanted + kPanelPoints, 0);
        } else if (!kernels_.find_wanted(
                       filter_.Panel(view_, a), filter_.Panel(view_, b),
                       view_.num_dimensions, bias, half_bounds_.data() + rows,
                       no_bounds_.data(), asks_.data(), answers_.data(),
                       wanted)) {
          continue;
        }
        int num_wanted = 0;
        for (int i = 0; i < kPanelPoints; ++i) {
          wanted[i] &= a == b ? columns & ~(1u << i) : columns;
          num_wanted += __builtin_popcount(wanted[i]);
        }
        const bool by_keys =
            !filter_.usable() ||
            (view_.whole && num_wanted > 4 * kMostUndecidedPairs);
        if (by_keys) pairs_.Keys(a, b, kernels_, scratch);
        for (int i = 0; i < kPanelPoints; ++i) {
          if (!by_keys) {
            VisitRow(rows + i, b, wanted[i], root_error);
            continue;
          }
          for (uint32_t bits = wanted[i]; bits != 0; bits &= bits - 1) {
            const int j = __builtin_ctz(bits);
            Offer(rows + i, b * kPanelPoints + j,
                  scratch->keys[i * kPanelPoints + j]);
          }
        }
      }
    }
  }

  void VisitRow(int32_t row, int32_t column_panel, uint32_t wanted,
                double root_error) {
    while (wanted != 0) {
      float sums[4] = {};
      if (!view_.whole) {
        SquaredDistancesOfBits(filter_, kernels_, row, column_panel, wanted,
                               sums);
      }
      for (int j = 0; j < 4 && wanted != 0; ++j) {
        const int32_t column =
            column_panel * kPanelPoints + __builtin_ctz(wanted);
        wanted &= wanted - 1;
        if (!view_.whole && TooFar(sums[j], row, root_error)) continue;
        Offer(row, column, pairs_.Key(row, column, kernels_));
      }
    }
  }

  // Returns whether a pair with this squared distance of rows is farther apart
  // than the worst of a row.
  bool TooFar(float sum, int32_t row, double root_error) const {
    const double root =
        std::sqrt(static_cast<double>(sum)) * (1 - filter_.RootShare()) -
        root_error;
    return root > 0 &&
           root * root * (1 - filter_.KeyShare()) * (1 - 1e-12) - 1e-60 >
               -2.0 * half_bounds_[row];
  }

  void Offer(int32_t row, int32_t column, double key) {
    Rankings& point = points_[row];
    if (key > point.worst) return;
    const Rankings& other = points_[column];
    const int32_t id = filter_.order()[column];
    bool is_better = false;
    for (int r = 0; r < num_rankings_; ++r) {
      if (other.ranks[r] < point.ranks[r] &&
          Preferred(key, id, point.keys[r], point.ids[r])) {
        point.keys[r] = key;
        point.ids[r] = id;
        is_better = true;
      }
    }
    if (is_better) SetBound(row);
  }

  // After a change of keys.
  void SetBound(int32_t row) {
    Rankings& point = points_[row];
    point.worst = -1;
    for (int r = 0; r < num_rankings_; ++r) {
      if (point.ranks[r] != 0)
        point.worst = std::max(point.worst, point.keys[r]);
    }
    if (point.worst < 0) {
      half_bounds_[row] = kNever;
      return;
    }
    const double half = -filter_.ScaledKey(point.worst) / 2;
    float bound = static_cast<float>(half);
    if (bound > half) bound = std::nextafter(bound, kLowest);
    half_bounds_[row] = std::max(bound, kLowest);
  }

  const BruteForcePairs& pairs_;
  const PairFilter& filter_;
  const PairTileKernels& kernels_;
  const int num_rankings_;
  // By position.
  std::vector<Rankings> points_;
  // At most minus half the scaled worst key, as a float: kLowest if it is
  // infinite, kNever for positions that search nothing.
  std::vector<float> half_bounds_;
  // Ranks and bounds with which the filter asks for rows alone.
  const std::vector<int32_t> asks_;
  const std::vector<int32_t> answers_;
  const std::vector<float> no_bounds_;
  // By tile: the smallest half bound after the first visits.
  std::vector<float> loosest_;
  std::vector<PairScratch> scratch_;
  PairFilter::View view_;
};

}  // namespace

int64_t FindNearestOfHigherRanks(const BruteForcePairs& pairs,
                                 absl::Span<const int32_t> ranks,
                                 int num_threads, const WorkShare* work,
                                 absl::Span<NearestPoint> nearest) {
  if (ranks.empty()) return 0;
  const int32_t num_tiles = pairs.num_tiles();
  Search search(pairs, ranks, num_threads);
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < num_tiles; ++tile) {
    if (StopRequested(work)) continue;
    search.VisitFirst(tile, omp_get_thread_num());
  }
  search.PrepareRest();
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < num_tiles; ++tile) {
    if (StopRequested(work)) continue;
    search.VisitRest(tile, omp_get_thread_num());
  }
  search.Answer(nearest);
  return search.evaluations();
}

}  // namespace warpclust
