// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BlockPairs: the searches of NeighborIndex (vptree/points/neighbor_index.h)
// between two blocks of points, for both sides at once: each pair of points,
// one of each block, is met once. By tiled brute force (brute_force.h). Ranks
// of a job, each with a block, use it to share the pairs of all points.
//
//   BlockPairs pairs(both, /*first_part=*/n, Norm::kL2, /*num_threads=*/0);
//   std::vector<int32_t> counts(both.num_points);
//   RETURN_IF_ERROR(pairs.CountWithin(key, absl::MakeSpan(counts)));
//
// Cost: at most n m distances for blocks of n and m points. Memory: as
// brute_force.h for n + m points.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BLOCK_PAIRS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BLOCK_PAIRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class BlockPairs {
 public:
  // The first `first_part` of the points are one block, the others the other.
  // `points` are valid, and must outlive the object.
  BlockPairs(const PointMatrix& points, int32_t first_part, Norm norm,
             int num_threads);

  // Sets counts[i] to the number of points of the other block with a key below
  // radius_key. InvalidArgument as NeighborIndex::CountWithin.
  absl::Status CountWithin(double radius_key, absl::Span<int32_t> counts) const;

  // Replaces nearest[i] by the Preferred point j with ranks[j] < ranks[i] of
  // the other block if that is preferred to it. Ranks are a permutation. On
  // entry nearest[i] is no point or the best of the point's own block, perhaps
  // with the key of a point elsewhere that is preferred to that.
  // InvalidArgument as NeighborIndex::NearestOfHigherRank.
  absl::Status NearestOfHigherRank(absl::Span<const int32_t> ranks,
                                   absl::Span<NearestPoint> nearest) const;

  // Lowers best[i] to the smallest ranks[j] of the points j of the other block
  // with a key below radius_key and labels[j] != labels[i], if that is smaller.
  // On entry best[i] is at most that of the points of the own block; 0 searches
  // nothing. InvalidArgument as NeighborIndex::HighestRankOfOtherLabel.
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       absl::Span<const int32_t> ranks,
                                       absl::Span<const int32_t> labels,
                                       absl::Span<int32_t> best) const;

  // Distances computed so far.
  int64_t distance_evaluations() const { return evaluations_; }

 private:
  // Visits each pair of tiles of the two blocks, with the sink of its thread.
  template <class Sink>
  void VisitWithin(double radius_key, std::vector<Sink>* sinks) const;

  const PointMatrix& points_;
  const int32_t first_part_;
  const int num_threads_;
  // None if a block is empty.
  std::optional<BruteForcePairs> pairs_;
  mutable int64_t evaluations_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BLOCK_PAIRS_H_
