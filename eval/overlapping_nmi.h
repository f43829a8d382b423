// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Normalized mutual information of two covers, where each cluster is a binary
// variable over the items.
//  * lfk: Lancichinetti, Fortunato, Kertész, "Detecting the overlapping and
//    hierarchical community structure in complex networks", New J. Physics 11
//    (2009), appendix B.
//  * mgh_max, mgh_lfk: McDaid, Greene, Hurley, "Normalized mutual
//    information to evaluate overlapping community finding algorithms",
//    arXiv:1110.2515 (2011).
//
// Complexity: O(items + memberships), and the sum over the items of their
// clusters in the one cover times those in the other, with equal items merged.
// Memory: O(items + memberships + threads * clusters).

#ifndef WARPCLUST_EVAL_OVERLAPPING_NMI_H_
#define WARPCLUST_EVAL_OVERLAPPING_NMI_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"

namespace warpclust {

// All at most 1; greater is better. Each is symmetric in its covers.
struct OverlappingNmi {
  // 1 - the mean over the clusters of H(X_i|Y) / H(X_i), averaged over both
  // directions. A cluster that holds every item counts 1 in its mean.
  double lfk = 1;
  // Mutual information over the larger entropy: the one to prefer.
  double mgh_max = 1;
  // 1 - [H(X|Y) / H(X) + H(Y|X) / H(Y)] / 2 with entropies of whole covers; 0
  // if one of the entropies is 0.
  double mgh_lfk = 1;
};

// Compares `clusters` with `truth`, both over the items [0, num_items),
// including items in no cluster. H(X_i|Y) is the minimum over *all* clusters of
// the other cover, also those without a common item. Programs that consider
// only intersecting pairs give other values if a cluster has more than half of
// the items.
//
// All values are 1 if both covers are equal as multisets of clusters (also
// without any), and 0 if exactly one has no cluster or if all entropies are 0
// in unequal covers. Empty clusters are ignored.
//
// `num_threads` 0 means all. InvalidArgument for a negative argument or an
// invalid cover (ValidateCover).
absl::StatusOr<OverlappingNmi> ComputeOverlappingNmi(const Cover& truth,
                                                     const Cover& clusters,
                                                     int32_t num_items,
                                                     int num_threads = 0);

namespace eval_internal {
// For CompareCovers, which groups the items once for all measures.
struct ItemGroups;
OverlappingNmi OverlappingNmiOf(const ItemGroups& groups, int num_threads);
}  // namespace eval_internal

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_OVERLAPPING_NMI_H_
