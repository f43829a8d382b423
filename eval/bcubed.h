// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Extended BCubed precision, recall and F (FBCubed) of two covers: Amigó,
// Gonzalo, Artiles, Verdejo, "A comparison of extrinsic clustering evaluation
// metrics based on formal constraints", Information Retrieval 12 (2009), 4.2.
//
// Use it to compare overlapping clusterings with classes: it notices items in
// too many or too few clusters.
//
// Complexity: items in the same clusters of both covers are merged into one
// weighted item; then memberships * cluster size for small clusters, and at
// most about distinct items * (items / 256) * (clusters of an item) vector
// steps (see co_membership.h). Memory: O(memberships + threads * items).

#ifndef WARPCLUST_EVAL_BCUBED_H_
#define WARPCLUST_EVAL_BCUBED_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"

namespace warpclust {

// All in [0, 1]; greater is better.
struct BCubed {
  double precision = 1;
  double recall = 1;
  // Harmonic mean of both.
  double f = 1;
};

// Compares `clusters` with `truth`, both over the items [0, num_items). The
// precision of a pair of items with c > 0 common clusters and l common classes
// is min(c, l) / c, averaged over the partners of an item (including itself),
// then over all items. Recall is the same with the covers exchanged. An item in
// no cluster of a cover counts as a cluster of its own; repeated clusters count
// repeatedly; empty clusters are ignored. Without items all values are 1.
//
// `num_threads` 0 means all. InvalidArgument for a negative argument or an
// invalid cover (ValidateCover).
absl::StatusOr<BCubed> ComputeBCubed(const Cover& truth, const Cover& clusters,
                                     int32_t num_items, int num_threads = 0);

namespace eval_internal {
// For CompareCovers, which counts the pairs once for all measures.
struct CoMembership;
BCubed BCubedOf(const CoMembership& pairs);
}  // namespace eval_internal

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_BCUBED_H_
