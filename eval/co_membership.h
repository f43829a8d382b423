// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Co-membership of all pairs of items in two covers: the common ground of
// extended BCubed and the omega index. Private to eval.
//
// Cost. For each group of items (see item_groups.h), the cheaper of two ways:
//  * walk: count along the groups of its clusters, sum over its clusters of
//    |groups of the cluster| steps of 2 to 5 ns;
//  * bits: add up its clusters as bit maps over the items, 256 items a step
//    (co_membership_bits.h).
// So memberships * cluster size while clusters are small, and at most about
// groups * (items / 256) * (clusters of an item) vector steps of 5 to 10 ns
// when they are large: quadratic in the end.
// Memory: O(memberships + threads * items), never items^2.
// Determinism: counts are integers and the averages are summed over the groups
// in order, so the result is the same for every number of threads.

#ifndef WARPCLUST_EVAL_CO_MEMBERSHIP_H_
#define WARPCLUST_EVAL_CO_MEMBERSHIP_H_

#include <cstdint>
#include <vector>

#include "eval/item_groups.h"

namespace warpclust::eval_internal {

struct CoMembership {
  // Extended BCubed, averaged over the items; 1 without items.
  double precision = 1;
  double recall = 1;
  // Ordered pairs (e, f) with e != f that share exactly k clusters of the
  // cover, for k from 0 on.
  std::vector<int64_t> cluster_pairs;
  std::vector<int64_t> truth_pairs;
  // Ordered pairs with e != f that share equally many clusters in both.
  int64_t equal_pairs = 0;
};

// How the tallies are filled; the result does not depend on it (for tests).
enum class CountingMethod { kCheaper, kWalk, kBits, kBitsWithoutSimd };

CoMembership CountCoMembership(
    const ItemGroups& groups, int num_threads,
    CountingMethod method = CountingMethod::kCheaper);

}  // namespace warpclust::eval_internal

#endif  // WARPCLUST_EVAL_CO_MEMBERSHIP_H_
