// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindNearestOfHigherRanks: NearestOfHigherRank of the brute force index for
// several rankings in one pass. A pair is of interest if its key may be at most
// the largest of the best keys of one of its points, over the rankings; its
// exact key then decides for each of them.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_RANKINGS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_RANKINGS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

// Rankings of one pass: 16 bytes per point each.
inline constexpr int kMostRankings = 16;

// Sets nearest[r n + i] for ranks[r n + i], of at most kMostRankings rankings,
// and returns the number of distances computed. Leaves `nearest` undefined if
// the owner of `work`, which may be null, asks for the end.
int64_t FindNearestOfHigherRanks(const BruteForcePairs& pairs,
                                 absl::Span<const int32_t> ranks,
                                 int num_threads, const WorkShare* work,
                                 absl::Span<NearestPoint> nearest);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_RANKINGS_H_
