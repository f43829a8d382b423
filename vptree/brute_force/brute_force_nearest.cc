// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/brute_force_nearest.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
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

// The best so far, by position.
struct Answers {
  std::vector<NearestPoint> best;
  // At most minus half the scaled key of the best, as a float: kLowest without
  // a best, kNever for positions that search nothing.
  std::vector<float> half_bounds;
};

class Search {
 public:
  Search(const BruteForcePairs& pairs, absl::Span<const int32_t> ranks,
         int num_threads)
      : pairs_(pairs),
        filter_(pairs.filter()),
        kernels_(PairTileKernelsFor(CpuSimdLevel())),
        ranks_(static_cast<size_t>(filter_.num_panels()) * kPanelPoints,
               std::numeric_limits<int32_t>::max()),
        no_bounds_(kPanelPoints, kNever),
        least_ranks_(pairs.num_tiles()),
        loosest_(pairs.num_tiles()) {
    for (int32_t i = 0; i < filter_.num_points(); ++i) {
      ranks_[i] = ranks[filter_.order()[i]];
    }
    for (int32_t tile = 0; tile < pairs.num_tiles(); ++tile) {
      const auto begin = ranks_.begin() + int64_t{tile} * kFilterTilePoints;
      const auto end =
          ranks_.begin() + int64_t{pairs.FirstPanel(tile + 1)} * kPanelPoints;
      least_ranks_[tile] = *std::min_element(begin, end);
    }
    for (int t = 0; t < num_threads; ++t) {
      scratch_.emplace_back(pairs.filter().num_dimensions(), pairs.num_tiles());
    }
  }

  Answers MakeAnswers() const {
    Answers answers;
    answers.best.resize(ranks_.size());
    answers.half_bounds.assign(ranks_.size(), kNever);
    for (int32_t i = 0; i < filter_.num_points(); ++i) {
      if (ranks_[i] != 0) answers.half_bounds[i] = kLowest;
    }
    return answers;
  }

  // Answers for other ranks are a start where they still rank higher.
  Answers MakeAnswers(absl::Span<const int32_t> ranks,
                      absl::Span<const NearestPoint> known) const {
    Answers answers = MakeAnswers();
    for (int32_t i = 0; i < filter_.num_points(); ++i) {
      const NearestPoint& start = known[filter_.order()[i]];
      if (start.id >= 0 && ranks[start.id] < ranks_[i]) {
        Offer(i, start.key, start.id, &answers);
      }
    }
    return answers;
  }

  // What points have found elsewhere.
  Answers MakeAnswers(absl::Span<const NearestPoint> nearest) const {
    Answers answers = MakeAnswers();
    for (int32_t i = 0; i < filter_.num_points(); ++i) {
      answers.best[i] = nearest[filter_.order()[i]];
      if (ranks_[i] != 0 && answers.best[i].id >= 0) {
        answers.half_bounds[i] = filter_.HalfBound(answers.best[i].key);
      }
    }
    return answers;
  }

  void ChooseFirstView() {
    if (filter_.usable()) view_ = filter_.GetView(filter_.num_views() > 1);
  }
  // After the first visits.
  void PrepareRest(const Answers& answers) {
    for (int32_t tile = 0; tile < pairs_.num_tiles(); ++tile) {
      const auto begin =
          answers.half_bounds.begin() + int64_t{tile} * kFilterTilePoints;
      const auto end = answers.half_bounds.begin() +
                       int64_t{pairs_.FirstPanel(tile + 1)} * kPanelPoints;
      loosest_[tile] = *std::min_element(begin, end);
    }
    view_ = pairs_.ViewForBounds(answers.half_bounds, ranks_);
  }

  // Visits the tile itself and the nearest others, for the tile's points alone.
  void VisitFirst(int32_t tile, int thread, Answers* answers) {
    PairScratch* scratch = &scratch_[thread];
    VisitTilePair(tile, tile, kAllPanels, kAllPanels, scratch, answers);
    filter_.TileDistances(tile, scratch->lower.data());
    for (int first = 0; first < kFirstTiles; ++first) {
      scratch->lower[tile] = kInfinity;
      const auto nearest =
          std::min_element(scratch->lower.begin(), scratch->lower.end());
      if (*nearest == kInfinity) break;
      *nearest = kInfinity;
      VisitTilePair(tile,
                    static_cast<int32_t>(nearest - scratch->lower.begin()),
                    kAllPanels, 0, scratch, answers);
    }
  }

  // Visits all tiles from `begin` on, for the points of both.
  void VisitRest(int32_t tile, int32_t begin, int thread, Answers* answers) {
    PairScratch* scratch = &scratch_[thread];
    pairs_.BoundTiles(tile, begin, pairs_.num_tiles(), scratch->lower.data(),
                      scratch->upper.data());
    scratch->evaluations += pairs_.num_tiles() - begin;
    for (int32_t other = begin; other < pairs_.num_tiles(); ++other) {
      const double lower = scratch->lower[other - begin];
      const uint32_t rows = AskingPanels(lower, tile, other, *answers, scratch);
      const uint32_t columns =
          AskingPanels(lower, other, tile, *answers, scratch);
      if ((rows | columns) == 0) continue;
      VisitTilePair(tile, other, rows, columns, scratch, answers);
    }
  }

  int64_t evaluations() const {
    int64_t sum = 0;
    for (const PairScratch& scratch : scratch_) sum += scratch.evaluations;
    return sum;
  }

 private:
  // Returns the panels of `tile`, as bits, with points that may find something
  // in `other`. No key between the tiles is below `lower`.
  uint32_t AskingPanels(double lower, int32_t tile, int32_t other,
                        const Answers& answers, PairScratch* scratch) const {
    const int32_t least_rank = least_ranks_[other];
    const int32_t begin = tile * kFilterTilePoints;
    const int32_t end =
        std::min(filter_.num_points(), begin + kFilterTilePoints);
    if (!filter_.usable()) {
      for (int32_t i = begin; i < end; ++i) {
        if (ranks_[i] > least_rank && answers.best[i].key >= lower) {
          return kAllPanels;
        }
      }
      return 0;
    }
    // In most tiles, a few points have no near point of higher rank. If only
    // those ask, it pays to bound their own distances to the other tile.
    const float half = static_cast<float>(-lower / 2 * (1 - 1e-6));
    if (loosest_[tile] > half) return 0;
    int32_t positions[kMostAsking];
    int num_asking = 0;
    for (int32_t i = begin; i < end; ++i) {
      if (answers.half_bounds[i] > half || ranks_[i] <= least_rank) continue;
      if (num_asking == kMostAsking) return kAllPanels;
      positions[num_asking++] = i;
    }
    scratch->evaluations += num_asking;
    uint32_t asking = 0;
    for (int a = 0; a < num_asking; ++a) {
      const int32_t i = positions[a];
      if (filter_.PointBound(i, other) <= -2.0 * answers.half_bounds[i]) {
        asking |= 1u << (i - begin) / kPanelPoints;
      }
    }
    return asking;
  }

  // Visits the pairs with a point of a row panel in `row_panels` or of a column
  // panel in `column_panels`; without column panels, for the rows alone.
  void VisitTilePair(int32_t row_tile, int32_t column_tile, uint32_t row_panels,
                     uint32_t column_panels, PairScratch* scratch,
                     Answers* answers) {
    const bool rows_only = column_panels == 0;
    bool by_keys = !filter_.usable();
    const auto [bias, root_error] =
        filter_.PairErrors(view_, row_tile, column_tile);
    uint32_t wanted[kPanelPoints];
    const int32_t column_begin = pairs_.FirstPanel(column_tile);
    const int32_t column_end = pairs_.FirstPanel(column_tile + 1);
    const int32_t row_begin = pairs_.FirstPanel(row_tile);
    const int32_t row_end = pairs_.FirstPanel(row_tile + 1);
    for (int32_t b = column_begin; b < column_end; ++b) {
      const int column_size = pairs_.PanelSize(b);
      for (int32_t a = row_begin; a < row_end; ++a) {
        if (row_tile == column_tile && a > b) break;
        if ((row_panels >> (a - row_begin) & 1) == 0 &&
            (column_panels >> (b - column_begin) & 1) == 0) {
          continue;
        }
        scratch->evaluations += kPanelPoints * kPanelPoints;
        const int32_t rows = a * kPanelPoints;
        const int32_t columns = b * kPanelPoints;
        if (!by_keys) {
          const bool found = kernels_.find_wanted(
              filter_.Panel(view_, a), filter_.Panel(view_, b),
              view_.num_dimensions, bias, answers->half_bounds.data() + rows,
              rows_only ? no_bounds_.data()
                        : answers->half_bounds.data() + columns,
              ranks_.data() + rows, ranks_.data() + columns, wanted);
          if (!found) continue;
          int num_wanted = 0;
          for (int i = 0; i < kPanelPoints; ++i) {
            if (wanted[i] == 0) continue;
            wanted[i] &= PairColumns(a, b, i, column_size);
            num_wanted += __builtin_popcount(wanted[i]);
          }
          by_keys = view_.whole && num_wanted > 4 * kMostUndecidedPairs;
        }
        if (by_keys) {
          VisitKeys(a, b, rows_only, scratch, answers);
          continue;
        }
        int num_keys = 0;
        for (int i = 0; i < kPanelPoints; ++i) {
          if (wanted[i] == 0) continue;
          num_keys += VisitRow(rows + i, b, wanted[i], root_error, answers);
        }
        by_keys = num_keys > 4 * kMostUndecidedPairs;
      }
    }
  }

  // Returns the number of exact keys computed.
  int VisitRow(int32_t row, int32_t column_panel, uint32_t wanted,
               double root_error, Answers* answers) {
    const int32_t columns = column_panel * kPanelPoints;
    int num_keys = 0;
    if (view_.whole) {
      for (; wanted != 0; wanted &= wanted - 1) {
        num_keys += VisitPair(row, columns + __builtin_ctz(wanted), answers);
      }
      return num_keys;
    }
    // By the rows of floats first, then nearest first, which saves exact keys
    // of the others.
    std::pair<float, int32_t> candidates[kPanelPoints];
    int num_candidates = 0;
    while (wanted != 0) {
      float sums[4];
      SquaredDistancesOfBits(filter_, kernels_, row, column_panel, wanted,
                             sums);
      for (int j = 0; j < 4 && wanted != 0; ++j) {
        const int32_t column = columns + __builtin_ctz(wanted);
        wanted &= wanted - 1;
        if (filter_.TooFar(sums[j], root_error,
                           answers->half_bounds[Asking(row, column)])) {
          continue;
        }
        candidates[num_candidates++] = {sums[j], column};
      }
    }
    std::sort(candidates, candidates + num_candidates);
    for (int c = 0; c < num_candidates; ++c) {
      const int32_t column = candidates[c].second;
      if (c > 0 && filter_.TooFar(candidates[c].first, root_error,
                                  answers->half_bounds[Asking(row, column)])) {
        continue;
      }
      num_keys += VisitPair(row, column, answers);
    }
    return num_keys;
  }

  // Returns the point of larger rank.
  int32_t Asking(int32_t row, int32_t column) const {
    return ranks_[row] > ranks_[column] ? row : column;
  }

  // Decides by the exact key. Returns the number of keys computed.
  int VisitPair(int32_t row, int32_t column, Answers* answers) {
    const int32_t asking = Asking(row, column);
    const int32_t id = filter_.order()[asking == row ? column : row];
    const NearestPoint& best = answers->best[asking];
    // No point is nearer than a duplicate; only its id may be beaten.
    if (best.key == 0 && id > best.id) return 0;
    Offer(asking, pairs_.Key(row, column, kernels_), id, answers);
    return 1;
  }

  // Decides all pairs of two panels by their exact keys.
  void VisitKeys(int32_t row_panel, int32_t column_panel, bool rows_only,
                 PairScratch* scratch, Answers* answers) {
    pairs_.Keys(row_panel, column_panel, kernels_, scratch);
    const int32_t rows = row_panel * kPanelPoints;
    const int32_t columns = column_panel * kPanelPoints;
    double row_bounds[kPanelPoints];
    double column_bounds[kPanelPoints];
    for (int i = 0; i < kPanelPoints; ++i) {
      row_bounds[i] = KeyBound(rows + i, *answers);
      column_bounds[i] = rows_only ? -1 : KeyBound(columns + i, *answers);
    }
    uint32_t masks[kPanelPoints];
    if (!kernels_.select_keys(scratch->keys.data(), row_bounds, column_bounds,
                              masks)) {
      return;
    }
    const int column_size = pairs_.PanelSize(column_panel);
    const int row_size = pairs_.PanelSize(row_panel);
    for (int i = 0; i < row_size; ++i) {
      uint32_t bits =
          masks[i] & PairColumns(row_panel, column_panel, i, column_size);
      for (; bits != 0; bits &= bits - 1) {
        const int j = __builtin_ctz(bits);
        const bool of_row = ranks_[rows + i] > ranks_[columns + j];
        if (rows_only && !of_row) continue;
        Offer(of_row ? rows + i : columns + j,
              scratch->keys[i * kPanelPoints + j],
              filter_.order()[of_row ? columns + j : rows + i], answers);
      }
    }
  }

  // Keys above this do not improve the position.
  static double KeyBound(int32_t position, const Answers& answers) {
    return answers.half_bounds[position] == kNever ? -1
                                                   : answers.best[position].key;
  }

  void Offer(int32_t asking, double key, int32_t id, Answers* answers) const {
    NearestPoint* best = &answers->best[asking];
    if (!Preferred(key, id, best->key, best->id)) return;
    *best = {key, id};
    answers->half_bounds[asking] = filter_.HalfBound(key);
  }

  const BruteForcePairs& pairs_;
  const PairFilter& filter_;
  const PairTileKernels& kernels_;
  std::vector<int32_t> ranks_;
  const std::vector<float> no_bounds_;
  // By tile. loosest_ is the smallest half bound after the first visits.
  std::vector<int32_t> least_ranks_;
  std::vector<float> loosest_;
  std::vector<PairScratch> scratch_;
  PairFilter::View view_;
};

// Sets the best answer of all threads, by point.
void TakeBest(const BruteForcePairs& pairs, const std::vector<Answers>& answers,
              absl::Span<NearestPoint> nearest) {
  const std::vector<int32_t>& order = pairs.filter().order();
  for (int32_t i = 0; i < pairs.filter().num_points(); ++i) {
    NearestPoint best = answers[0].best[i];
    for (const Answers& of_thread : answers) {
      const NearestPoint& other = of_thread.best[i];
      if (Preferred(other.key, other.id, best.key, best.id)) best = other;
    }
    nearest[order[i]] = best;
  }
}

}  // namespace

int64_t FindNearestOfHigherRank(const BruteForcePairs& pairs,
                                absl::Span<const int32_t> ranks,
                                int num_threads, const WorkShare* work,
                                absl::Span<NearestPoint> nearest) {
  const int32_t num_tiles = pairs.num_tiles();
  Search search(pairs, ranks, num_threads);
  std::vector<Answers> answers(num_threads);
  // Each tile writes the answers of its own points.
  answers[0] = search.MakeAnswers(ranks, nearest);
  search.ChooseFirstView();
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < num_tiles; ++tile) {
    if (StopRequested(work)) continue;
    search.VisitFirst(tile, omp_get_thread_num(), &answers[0]);
  }
  // From here on each thread has its own answers, for any point.
  for (int t = 1; t < num_threads; ++t) answers[t] = answers[0];
  search.PrepareRest(answers[0]);
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < num_tiles; ++tile) {
    if (StopRequested(work)) continue;
    const int thread = omp_get_thread_num();
    search.VisitRest(tile, tile + 1, thread, &answers[thread]);
  }
  TakeBest(pairs, answers, nearest);
  return search.evaluations();
}

int64_t FindNearestBetweenParts(const BruteForcePairs& pairs,
                                int32_t first_part,
                                absl::Span<const int32_t> ranks,
                                int num_threads, const WorkShare* work,
                                absl::Span<NearestPoint> nearest) {
  Search search(pairs, ranks, num_threads);
  std::vector<Answers> answers(num_threads, search.MakeAnswers(nearest));
  search.PrepareRest(answers[0]);
  // A tile in the middle may have points of both parts.
  const int32_t rows = (first_part + kFilterTilePoints - 1) / kFilterTilePoints;
  const int32_t columns = first_part / kFilterTilePoints;
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < rows; ++tile) {
    if (StopRequested(work)) continue;
    const int thread = omp_get_thread_num();
    search.VisitRest(tile, columns, thread, &answers[thread]);
  }
  TakeBest(pairs, answers, nearest);
  return search.evaluations();
}

}  // namespace warpclust
