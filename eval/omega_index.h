// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Omega index of two covers: Collins and Dent, "Omega: a general formulation of
// the Rand index of cluster recovery suitable for non-disjoint solutions",
// Multivariate Behavioral Research 23 (1988). The adjusted Rand index for
// clusters that may overlap, and equal to it on partitions. Complexity and
// memory as for bcubed.h.

#ifndef WARPCLUST_EVAL_OMEGA_INDEX_H_
#define WARPCLUST_EVAL_OMEGA_INDEX_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"

namespace warpclust {

// Returns (observed - expected) / (1 - expected): at most 1, 0 for chance,
// negative for less agreement than by chance. Observed is the share of the
// pairs of distinct items that are together in equally many clusters of both
// covers; expected is that share if the counts of both covers were independent.
// 1 if expected is 1 (all pairs alike in both covers) or there are fewer than
// two items. Symmetric in its covers. Empty clusters are ignored.
//
// `num_threads` 0 means all. InvalidArgument for a negative argument or an
// invalid cover (ValidateCover).
absl::StatusOr<double> ComputeOmegaIndex(const Cover& truth,
                                         const Cover& clusters,
                                         int32_t num_items,
                                         int num_threads = 0);

namespace eval_internal {
// For CompareCovers, which counts the pairs once for all measures.
struct CoMembership;
double OmegaIndexOf(const CoMembership& pairs);
}  // namespace eval_internal

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_OMEGA_INDEX_H_
