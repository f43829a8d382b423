// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Basins: the regions of the candidates for peaks, and the saddles between
// them. They say how much a density must fall on the way from a candidate to a
// higher one, which is what tells a cluster from a fluctuation (d'Errico et al.
// 2021; persistence, Chazal et al. 2013).
//
//   candidate   a point without a point of higher rank within d_c: its
//               dependent distance is at least d_c
//   basin       a candidate and all points whose dependent points lead to it
//   pair        two points less than d_c apart, in different basins
//   pass        the point of lower rank of a pair
//
// Pairs join basins into groups. They are taken by the rank of the pass, then
// by the rank of the other point, highest first, so their order is strict. When
// a pair joins two groups, the group whose highest candidate has the lower rank
// ends: that candidate's saddle is the density of the pass, and its neighbor is
// the basin of the pair's point in the other group. So the saddle is the
// largest density that some path of pairs less than d_c apart keeps from the
// candidate to a higher one, and the path enters the neighbor's basin there.
//
//   ASSIGN_OR_RETURN(const Basins basins,
//                    FindBasins(graph, ranks, search, /*num_threads=*/0));
//
// Cost: with a tree, about one search of each point (JoiningPairSearch). It
// finds only pairs of basins that better pairs do not join. It goes over one in
// 512 points first, then over one in 64 and so on: the pairs of few points make
// most others superfluous, unless most basins are single points. Memory: 13
// bytes per point, d to 2 d more in up to 16 dimensions, 32 per candidate.
//
// With any OtherLabelSearch, and on the GPU (cuda/basins_cuda.h), Boruvka's
// algorithm: in each round every group finds its first pair, by one search that
// stops at the best pair so far; groups that touch others at least halve in
// number (pair_rounds.h). Memory: 30 bytes per point and 64 per candidate.
//
// There is no list of pairs.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_BASINS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_BASINS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

struct Basins {
  // The candidates, by rank.
  std::vector<int32_t> candidates;
  // By candidate: the density of its saddle, 0 without any.
  std::vector<int32_t> saddles;
  // By candidate: the basin, as a place in `candidates`, that its points join
  // if it is no peak: the neighbor at its saddle or, without a saddle, that of
  // its dependent point. -1 for the candidate of rank 0. Following neighbors
  // ends there.
  std::vector<int32_t> neighbors;
  // By point: its basin.
  std::vector<int32_t> basins;

  friend bool operator==(const Basins&, const Basins&) = default;
};

// `graph` is valid and not empty; `ranks` are RanksOfDensities of it; `search`
// has d_c as its radius. Errors of the search.
absl::StatusOr<Basins> FindBasins(const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  const OtherLabelSearch& search,
                                  int num_threads);

// The pairs that joined groups, as points.
struct JoinedPairs {
  double radius_key = 0;
  std::vector<std::pair<int32_t, int32_t>> pairs;
};

// The same by an index of the graph's points, whose radius is the key of d_c.
// If the index finds pairs that join labels (JoiningPairs), each point is
// searched about once, instead of in every round. `joined` may be null. It has
// the pairs of another graph of the same points, from which the search begins
// if its radius is not smaller, and then those of this one. `slot_ranks` are
// those of JoiningPairs.
absl::StatusOr<Basins> FindBasins(const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  const NeighborIndex& index, double radius_key,
                                  int num_threads,
                                  JoinedPairs* joined = nullptr,
                                  absl::Span<const int32_t> slot_ranks = {});

// The same for any candidates and pairs: `is_candidate` by point, that of rank
// 0 among them; `dependents` by point, where a point that is no candidate has
// one of higher rank; `densities`, of which none is larger than that of a point
// of higher rank, and which are above 0 for points in pairs. `search` says
// which pairs there are.
absl::StatusOr<Basins> FindBasinsOf(const std::vector<uint8_t>& is_candidate,
                                    const std::vector<int32_t>& dependents,
                                    const std::vector<int32_t>& densities,
                                    const DensityRanks& ranks,
                                    const OtherLabelSearch& search,
                                    int num_threads);

namespace internal {

// Whether no point of higher rank is within d_c of point i.
inline bool IsCandidate(const DecisionGraph& graph, int32_t i) {
  return graph.dependent_points[i] < 0 ||
         !(graph.dependent_distances[i] < graph.cutoff_distance);
}

// *least = min(*least, value). Threads may lower it at the same time.
inline void Lower(uint64_t value, uint64_t* least) {
  const std::atomic_ref<uint64_t> shared(*least);
  uint64_t seen = shared.load(std::memory_order_relaxed);
  while (value < seen && !shared.compare_exchange_weak(
                             seen, value, std::memory_order_relaxed)) {
  }
}

// Groups of basins; the root of each is its basin of highest rank.
class BasinGroups {
 public:
  explicit BasinGroups(int32_t count) : roots_(count) {
    for (int32_t i = 0; i < count; ++i) roots_[i] = i;
  }

  int32_t Root(int32_t basin) {
    while (roots_[basin] != basin) {
      basin = roots_[basin] = roots_[roots_[basin]];
    }
    return basin;
  }

  // Returns whether they were apart.
  bool Join(int32_t a, int32_t b) {
    a = Root(a);
    b = Root(b);
    if (a == b) return false;
    roots_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<int32_t> roots_;
};

// Candidates have no saddles yet, and their neighbors are the basins of their
// dependent points.
void SetFirstNeighbors(const std::vector<int32_t>& dependents, int num_threads,
                       Basins* basins);

// A pair that joins two groups: the density of its pass, the basin of the pass
// and that of the other point.
struct BasinPair {
  int32_t density;
  int32_t pass;
  int32_t other;
};

// Sets saddles and neighbors by the pairs that join groups, in their order.
void JoinBasins(absl::Span<const BasinPair> pairs, Basins* basins);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_BASINS_H_
