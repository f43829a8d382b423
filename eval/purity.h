// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Purity and inverse purity of two covers; see Manning, Raghavan, Schütze,
// "Introduction to Information Retrieval" (2008), 16.3, for partitions. Purity
// is easy to explain, but singletons are perfectly pure: prefer BCubed.
// Complexity as for overlapping_nmi.h.

#ifndef WARPCLUST_EVAL_PURITY_H_
#define WARPCLUST_EVAL_PURITY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"

namespace warpclust {

// Both in [0, 1]; greater is better.
struct Purity {
  double purity = 1;
  // Purity with the covers exchanged.
  double inverse_purity = 1;
};

// Purity is the share of the memberships of `clusters` that are in the most
// frequent class of their cluster: sum_j max_i |C_j ∩ L_i| / sum_j |C_j|. On
// partitions of all items this is the usual definition. Items in no cluster are
// ignored. A side without memberships gives 1 if the other side has none
// either, else 0.
//
// InvalidArgument for a negative `num_items` or an invalid cover
// (ValidateCover).
absl::StatusOr<Purity> ComputePurity(const Cover& truth, const Cover& clusters,
                                     int32_t num_items);

namespace eval_internal {
// For CompareCovers, which groups the items once for all measures.
struct ItemGroups;
Purity PurityOf(const ItemGroups& groups);
}  // namespace eval_internal

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_PURITY_H_
