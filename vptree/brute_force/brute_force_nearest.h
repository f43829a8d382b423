// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NeighborIndex::NearestOfHigherRank by brute force. A pair of points matters
// only to the point of larger rank, and only if it may be at least as near as
// that point's best. So every tile first visits itself and the few tiles
// nearest to it. Then most bounds are tight, and nearly all pairs end in the
// single-precision filter.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_NEAREST_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_NEAREST_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

// Sets `nearest`, which has no points or the answers for other ranks, and
// returns the number of distances computed. Leaves `nearest` undefined if the
// owner of `work`, which may be null, asks for the end.
int64_t FindNearestOfHigherRank(const BruteForcePairs& pairs,
                                absl::Span<const int32_t> ranks,
                                int num_threads, const WorkShare* work,
                                absl::Span<NearestPoint> nearest);

// The same between the first `first_part` points and the others, where `pairs`
// was made with these parts. On entry `nearest` is what each point has found
// elsewhere, or no point: only what is Preferred to it is found. `nearest` is
// by point, and its ids are compared with those of points. It may find what is
// in the point's own part.
int64_t FindNearestBetweenParts(const BruteForcePairs& pairs,
                                int32_t first_part,
                                absl::Span<const int32_t> ranks,
                                int num_threads, const WorkShare* work,
                                absl::Span<NearestPoint> nearest);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_NEAREST_H_
