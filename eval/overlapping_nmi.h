// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Normalised mutual information of two covers, where each cluster is a binary
// variable over the items.
//  * lfk: Lancichinetti, Fortunato, Kertész, "Detecting the overlapping and
//    hierarchical community structure in complex networks", New J. Physics 11
//    (2009), appendix B.
//  * mgh_max, mgh_lfk: McDaid, Greene, Hurley, "Normalized mutual
//    information to evaluate overlapping community finding algorithms",
//    arXiv:1110.2515 (2011).
//
// Cost: O(items + memberships), and the sum over the items of their clusters in
// the one cover times those in the other, with equal items merged. Memory
// O(items + memberships + threads * clusters).
// Thread-safety: a pure function. Deterministic: the same doubles for every
// number of threads.

#ifndef WARPCLUST_EVAL_OVERLAPPING_NMI_H_
#define WARPCLUST_EVAL_OVERLAPPING_NMI_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"

namespace warpclust {

// All at most 1, greater is better; each is symmetric in its covers.
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

// `clusters` against `truth`, both over the items [0, num_items), those in no
// cluster among them. H(X_i|Y) is the minimum over *all* clusters of the other
// cover, also those without a common item: programs that look at intersecting
// pairs only differ where a cluster holds more than half of the items.
//
// All values are 1 if both covers are equal as multisets of clusters (also
// without any), 0 if just one has no cluster or if all entropies are 0 in
// unequal covers. Clusters without members are ignored.
//
// `num_threads`: 0 means all. InvalidArgument for a negative argument or a
// cover with ids out of range, not ascending, or with broken offsets.
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
