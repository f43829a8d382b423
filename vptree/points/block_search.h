// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BlockSearch: the searches of NeighborIndex between two blocks of points, for
// both sides at once: each pair of points, one of each block, is met once.
// Ranks of a job, each with a block, use it to share the pairs of all points.
//
//   BlockPairs (block_pairs.h)    on the CPU
//   NeighborIndex::Meet           with the points of an index, on its device
//
// Arrays have one element per point: those of the first block, then those of
// the other. Errors as those of NeighborIndex; ResourceExhausted if device
// memory runs out.

#ifndef WARPCLUST_VPTREE_POINTS_BLOCK_SEARCH_H_
#define WARPCLUST_VPTREE_POINTS_BLOCK_SEARCH_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

class BlockSearch {
 public:
  virtual ~BlockSearch() = default;

  // Whether it reads the rows that it was made of; these must then outlive it.
  virtual bool reads_rows() const = 0;

  // Sets counts[i] to the number of points of the other block with a key below
  // radius_key. InvalidArgument as NeighborIndex::CountWithin.
  virtual absl::Status CountWithin(double radius_key,
                                   absl::Span<int32_t> counts) const = 0;

  // Replaces nearest[i] by the Preferred point j with ranks[j] < ranks[i] of
  // the other block if that is preferred to it. Ranks are a permutation. On
  // entry nearest[i] is no point or the best of the point's own block, perhaps
  // with the key of a point elsewhere that is preferred to that.
  // InvalidArgument as NeighborIndex::NearestOfHigherRank.
  virtual absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const = 0;

  // Lowers best[i] to the smallest ranks[j] of the points j of the other block
  // with a key below radius_key and labels[j] != labels[i], if that is smaller.
  // On the CPU, on entry best[i] must be at most that of the points of the own
  // block; 0 searches nothing. InvalidArgument as
  // NeighborIndex::HighestRankOfOtherLabel.
  virtual absl::Status HighestRankOfOtherLabel(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> labels, absl::Span<int32_t> best) const = 0;

  // Distances computed so far; 0 if the GPU does not say.
  virtual int64_t distance_evaluations() const = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_BLOCK_SEARCH_H_
