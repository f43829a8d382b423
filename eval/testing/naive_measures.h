// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The measures of this package straight from their definitions, over all pairs
// of items or clusters: the oracle of the tests. Test only; O(n^2) and worse.

#ifndef WARPCLUST_EVAL_TESTING_NAIVE_MEASURES_H_
#define WARPCLUST_EVAL_TESTING_NAIVE_MEASURES_H_

#include <cstdint>
#include <set>
#include <vector>

#include "eval/bcubed.h"
#include "eval/overlapping_nmi.h"
#include "eval/partition_measures.h"
#include "graph/cover/cover.h"

namespace warpclust {

using NaiveCover = std::vector<std::set<int>>;

NaiveCover ToNaive(const Cover& cover);
// Clusters in the given order, members sorted.
Cover ToCover(const std::vector<std::vector<int>>& clusters);

BCubed NaiveBCubed(NaiveCover truth, NaiveCover clusters, int num_items);
double NaiveOmegaIndex(const NaiveCover& truth, const NaiveCover& clusters,
                       int num_items);
OverlappingNmi NaiveOverlappingNmi(const NaiveCover& truth,
                                   const NaiveCover& clusters, int num_items);
// A dense contingency table and a loop over all pairs for the Rand index.
PartitionMeasures NaivePartitionMeasures(const std::vector<int32_t>& truth,
                                         const std::vector<int32_t>& clusters);
double NaivePurity(const NaiveCover& truth, const NaiveCover& clusters);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_TESTING_NAIVE_MEASURES_H_
