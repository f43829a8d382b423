// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CpuPairRounds: PairRounds (pair_rounds.h) in the memory of the host. Memory:
// 26 bytes per point and 16 per basin.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CPU_PAIR_ROUNDS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CPU_PAIR_ROUNDS_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "algorithms/density_peaks/peaks/point_standing.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// NeighborIndex::HighestRankOfOtherLabelOf of one radius.
using VisitorSearch = std::function<absl::Status(
    const PointMatrix& visitors, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> labels, absl::Span<const int32_t> query_labels,
    absl::Span<int32_t> query_best)>;

class CpuPairRounds final : public PairRounds {
 public:
  // `ranks` are the density ranks of the points, and outlive the rounds.
  // `search_for` may be null if no points visit.
  CpuPairRounds(const PointsInBasins& points, const DensityRanks& ranks,
                OtherLabelSearch search, VisitorSearch search_for,
                int32_t num_basins, int num_threads);

  absl::Status SetGroups(absl::Span<const int32_t> roots) override;
  absl::Status FirstPairs(absl::Span<PointStanding> passes,
                          absl::Span<PointStanding> others) override;
  absl::Status PairBasins(absl::Span<const PointStanding> passes,
                          absl::Span<const PointStanding> others,
                          absl::Span<uint64_t> basins) override;
  absl::StatusOr<int64_t> BeginSearch(
      absl::Span<const PointStanding> bounds) override;
  absl::Status SearchOwn() override;
  absl::Status EndSearch() override;
  SearchingPoints searching() const override { return {searches_.data()}; }
  absl::Status Ask(absl::Span<const int32_t> places,
                   absl::Span<FoundQuery> queries) override;
  absl::Status AskAll(absl::Span<MetPoint> points) override;
  absl::Status Take(absl::Span<const int32_t> places,
                    absl::Span<const FoundPoint> found) override;
  absl::Status SearchFor(const PointMatrix& visitors,
                         absl::Span<const FoundQuery> queries,
                         absl::Span<FoundPoint> found) override;

 private:
  PointStanding StandingAt(int32_t i) const { return points_.StandingAt(i); }
  // The pass and the other point, if point i and what it found are a pair.
  PointStanding PassAt(int32_t i) const {
    return std::max(StandingAt(i), found_[i]);
  }
  PointStanding OtherAt(int32_t i) const {
    return std::min(StandingAt(i), found_[i]);
  }
  void SetLabels();
  // The number of points of higher rank: a bound of their ranks.
  int32_t CountAbove(PointStanding bound) const;
  // Whether found_[i] is the point of highest rank of another group near i.
  bool IsPair(int32_t i) const {
    return is_exact_[i] != 0 && found_[i] != kNoStanding &&
           roots_[found_basins_[i]] != labels_[i];
  }
  // Calls visit(i), on several threads, for the active points with IsPair(i).
  template <typename Visit>
  void ForEachPair(const Visit& visit) const;
  // The same for those that search.
  template <typename Visit>
  void ForEachSearching(const Visit& visit) const;

  const PointsInBasins points_;
  const DensityRanks& ranks_;
  const OtherLabelSearch search_;
  const VisitorSearch search_for_;
  const int threads_;
  const int32_t n_;
  // By basin.
  std::vector<int32_t> roots_;
  // By place: the root of the point's group.
  std::vector<int32_t> labels_;
  // By place: of the points of other groups near it, the one of highest rank,
  // and its basin. Unless that is exact, it is only known that none has a
  // higher rank.
  std::vector<PointStanding> found_;
  std::vector<int32_t> found_basins_;
  std::vector<uint8_t> is_exact_;
  // By place: whether the point searches, and what it found on this rank; 0
  // between searches.
  std::vector<uint8_t> searches_;
  std::vector<int32_t> best_;
  // By group, of a search: bounds, and the points above them.
  std::vector<PointStanding> bounds_;
  std::vector<int32_t> above_;
  // The points that may make a pair.
  std::vector<int32_t> active_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CPU_PAIR_ROUNDS_H_
