// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Co-membership of all pairs of items in two covers: the common part of
// extended BCubed and the omega index. Private to eval.
//
// Each group of items (item_groups.h) is counted in the cheaper of two ways:
//  * walk: along the groups of its clusters: the sum over its clusters of
//    |groups of the cluster| steps;
//  * bits: add up its clusters as bit maps over the items, 256 items per step
//    (co_membership_bits.h).
// So the time is memberships * cluster size for small clusters, and at most
// about groups * (items / 256) * (clusters of an item) vector steps for large
// ones. Memory: O(memberships + threads * items), never items^2. Counts are
// integers and averages are summed over the groups in order, so the number of
// threads does not show.

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

// How the tallies are filled, for tests. The result does not depend on it.
enum class CountingMethod { kCheaper, kWalk, kBits, kBitsWithoutSimd };

CoMembership CountCoMembership(
    const ItemGroups& groups, int num_threads,
    CountingMethod method = CountingMethod::kCheaper);

}  // namespace warpclust::eval_internal

#endif  // WARPCLUST_EVAL_CO_MEMBERSHIP_H_
