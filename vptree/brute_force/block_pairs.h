// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BlockPairs: the BlockSearch of the CPU, by tiled brute force (brute_force.h).
//
//   BlockPairs pairs(PointRows(both), /*first_part=*/n, Norm::kL2,
//                    /*num_threads=*/0);
//   std::vector<int32_t> counts(both.num_points);
//   RETURN_IF_ERROR(pairs.CountWithin(key, absl::MakeSpan(counts)));
//
// Cost: at most n m distances for blocks of n and m points. Memory: as
// brute_force.h for n + m points. If a known block's axes suit the other one,
// its rows are not copied.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BLOCK_PAIRS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BLOCK_PAIRS_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/points/block_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/point_rows.h"

namespace warpclust {

class BlockPairs final : public BlockSearch {
 public:
  // The first `first_part` of the points, which are valid and whose rows
  // outlive this, are one block, the others the other. A filter that has one of
  // the blocks, `known`, saves preparing it once more.
  BlockPairs(PointRows points, int32_t first_part, Norm norm, int num_threads,
             const KnownPoints& known = {});

  bool reads_rows() const override { return true; }
  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override;
  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override;
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       absl::Span<const int32_t> ranks,
                                       absl::Span<const int32_t> labels,
                                       absl::Span<int32_t> best) const override;

  int64_t distance_evaluations() const override { return evaluations_; }

 private:
  const int32_t num_points_;
  const PairParts parts_;
  const int num_threads_;
  // None if a block is empty.
  std::optional<BruteForcePairs> pairs_;
  mutable int64_t evaluations_ = 0;
};

// NeighborIndex::Meet on the CPU: the points of `mine` from `begin` on are one
// block and `others` the other, the first if `others_first`. Both outlive the
// search, and so does `filter`, which has the points of `mine` unless it is
// null.
std::unique_ptr<BlockPairs> MeetOnCpu(const PointMatrix& mine, int32_t begin,
                                      const PackedRows& others,
                                      bool others_first, Norm norm,
                                      int num_threads,
                                      const PairFilter* filter = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BLOCK_PAIRS_H_
