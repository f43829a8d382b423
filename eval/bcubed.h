// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Extended BCubed precision, recall and F (FBCubed) of two covers: Amigó,
// Gonzalo, Artiles, Verdejo, "A comparison of extrinsic clustering evaluation
// metrics based on formal constraints", Information Retrieval 12 (2009), 4.2.
//
// Use it to compare overlapping clusterings with classes: it is the measure
// that sees an item put into too many or too few clusters.
//
// Cost: items in the same clusters of both covers are one weighted item; then
// memberships * cluster size while clusters are small, and at most about
// distinct items * (items / 256) * (clusters of an item) vector steps
// (co_membership.h says more).
// Memory O(memberships + threads * items).
// Thread-safety: a pure function. Deterministic: the same double for every
// number of threads.

#ifndef WARPCLUST_EVAL_BCUBED_H_
#define WARPCLUST_EVAL_BCUBED_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"

namespace warpclust {

// All in [0, 1], greater is better.
struct BCubed {
  double precision = 1;
  double recall = 1;
  // Harmonic mean of both.
  double f = 1;
};

// `clusters` against `truth`, both over the items [0, num_items). For a pair of
// items that shares c > 0 clusters and l classes the precision is min(c, l) /
// c, averaged over the partners of an item (itself among them), then over all
// items; recall is the same with the covers exchanged. An item in no cluster of
// a cover counts as a cluster of its own there; a cluster given twice counts
// twice; clusters without members are ignored; without items all values are 1.
//
// `num_threads`: 0 means all. InvalidArgument for a negative argument or a
// cover with ids out of range, not ascending, or with broken offsets.
absl::StatusOr<BCubed> ComputeBCubed(const Cover& truth, const Cover& clusters,
                                     int32_t num_items, int num_threads = 0);

namespace eval_internal {
// For CompareCovers, which counts the pairs once for all measures.
struct CoMembership;
BCubed BCubedOf(const CoMembership& pairs);
}  // namespace eval_internal

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_BCUBED_H_
