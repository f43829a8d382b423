// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The pairs that join groups of basins (basins.h) by Boruvka's algorithm: in
// each round every group finds its first pair, and groups that have one join.
// PairRounds is what the points of a rank know, on the host or on its GPU;
// FindPairsInRounds are the rounds.
//
// A pair that a point found stays its pair while the other point is of another
// group. Where it is not, what was found still bounds the next search, as do
// the best pairs that the groups have so far.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PAIR_ROUNDS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PAIR_ROUNDS_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/point_standing.h"
#include "base/communicator/communicator.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The points of a rank, by place, and what is known of them; all outlive the
// rounds.
struct PointsInBasins {
  absl::Span<const int32_t> densities;
  // Decide between equal densities, as their ranks do. On the GPU they may be
  // empty: then places do.
  absl::Span<const int32_t> numbers;
  absl::Span<const int32_t> basins;

  // Of a point that has a number.
  PointStanding StandingAt(int32_t i) const {
    return StandingOf(densities[i], numbers[i]);
  }
};

// Of no pair.
inline constexpr uint64_t kNoBasins = std::numeric_limits<uint64_t>::max();

// What a point asks of points elsewhere: those of other groups of higher rank
// than `bound`.
struct FoundQuery {
  PointStanding bound;
  int32_t label;  // its group
};
// The point of highest rank that was found, or the bound and no basin.
struct FoundPoint {
  PointStanding standing;
  int32_t basin = -1;
};
// A point that meets those of another block; with a bound of 0 it asks nothing.
struct MetPoint {
  PointStanding bound;
  PointStanding standing;
  int32_t label;
  int32_t basin;
};

// Whether a point searches in this round, by place; one of the two.
struct SearchingPoints {
  const uint8_t* on_host = nullptr;
  const uint8_t* on_device = nullptr;
};

// By place of the rank's points, by basin of all ranks, or by group: the number
// of its root, a basin. One call at a time.
class PairRounds {
 public:
  virtual ~PairRounds() = default;

  // Basin b is of group roots[b]. At first each is a group.
  virtual absl::Status SetGroups(absl::Span<const int32_t> roots) = 0;

  // Of each group, the first pair that its points on this rank know: the pass
  // and the other point, or twice kNoStanding.
  virtual absl::Status FirstPairs(absl::Span<PointStanding> passes,
                                  absl::Span<PointStanding> others) = 0;
  // Sets basins[g] to those of such a pair, pass << 32 | other, or to
  // kNoBasins if no point on this rank knows it.
  virtual absl::Status PairBasins(absl::Span<const PointStanding> passes,
                                  absl::Span<const PointStanding> others,
                                  absl::Span<uint64_t> basins) = 0;

  // Begins a search of the points that may be in a pair whose pass is of higher
  // rank than bounds[g], and returns their number. It is for this rank's
  // points; then others may be asked, and at last it ends.
  virtual absl::StatusOr<int64_t> BeginSearch(
      absl::Span<const PointStanding> bounds) = 0;
  virtual absl::Status SearchOwn() = 0;
  virtual absl::Status EndSearch() = 0;

  // Between SearchOwn and EndSearch.
  virtual SearchingPoints searching() const = 0;
  virtual absl::Status Ask(absl::Span<const int32_t> places,
                           absl::Span<FoundQuery> queries) = 0;
  // Of all points.
  virtual absl::Status AskAll(absl::Span<MetPoint> points) = 0;
  // Places differ.
  virtual absl::Status Take(absl::Span<const int32_t> places,
                            absl::Span<const FoundPoint> found) = 0;
  // Answers points of other ranks, with their coordinates.
  virtual absl::Status SearchFor(const PointMatrix& visitors,
                                 absl::Span<const FoundQuery> queries,
                                 absl::Span<FoundPoint> found) = 0;
};

// The pairs that join groups, in their order; the same on all ranks.
// search_others(n), called by all ranks, lets points find those of other ranks;
// n points of all ranks search. A collective call.
absl::StatusOr<std::vector<internal::BasinPair>> FindPairsInRounds(
    PairRounds& rounds, int32_t num_basins, Communicator& ranks,
    absl::FunctionRef<absl::Status(int64_t searching)> search_others);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PAIR_ROUNDS_H_
