// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures of two partitions: normalized mutual information, adjusted Rand
// index, homogeneity, completeness.
//  * NMI and its normalizations: Vinh, Epps, Bailey, "Information theoretic
//    measures for clusterings comparison", JMLR 11 (2010), table 2.
//  * ARI: Hubert and Arabie, "Comparing partitions",
//    J. Classification 2 (1985).
//  * Homogeneity, completeness, V-measure: Rosenberg and Hirschberg,
//    "V-Measure", EMNLP-CoNLL 2007. The V-measure (beta = 1) is `nmi`.
//
// For clusters that overlap use bcubed.h, overlapping_nmi.h and omega_index.h.
// Complexity: O(items + clusters) time and memory; the contingency table is
// sparse.

#ifndef WARPCLUST_EVAL_PARTITION_MEASURES_H_
#define WARPCLUST_EVAL_PARTITION_MEASURES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/cover/cover.h"

namespace warpclust {

// Greater is better. All are in [0, 1] except `ari`, which is negative for less
// agreement than by chance. If both partitions have one cluster, they have
// entropy 0 and all NMI are 1. If exactly one has entropy 0, all NMI are 0.
struct PartitionMeasures {
  // Mutual information over the arithmetic mean of the entropies: the default.
  double nmi = 1;
  // The same over their geometric mean, minimum, maximum, and over the joint
  // entropy.
  double nmi_geometric = 1;
  double nmi_min = 1;
  double nmi_max = 1;
  double nmi_joint = 1;
  // 1 if every pair is alike in both (one cluster, or singletons, twice).
  double ari = 1;
  // 1 - H(truth | clusters) / H(truth); 1 if H(truth) = 0.
  double homogeneity = 1;
  // 1 - H(clusters | truth) / H(clusters); 1 if H(clusters) = 0.
  double completeness = 1;
};

// From one label per item. Labels are any int32_t values; an item with a
// negative label (-1 by custom: noise) is a cluster of its own. Without items
// all values are 1. InvalidArgument if the lengths differ.
absl::StatusOr<PartitionMeasures> ComparePartitions(
    absl::Span<const int32_t> truth, absl::Span<const int32_t> clusters);

// `ari` of ComparePartitions alone, in a fraction of the time, for labels that
// are numbers of clusters: 0 ... the number of clusters - 1 on each side, and
// none of them negative. One pass over a table of pairs of labels, on
// `num_threads` threads (0: all cores; one if the table has over 2^20 pairs).
// InvalidArgument if the lengths differ or a label is negative.
absl::StatusOr<double> AdjustedRandIndex(absl::Span<const int32_t> truth,
                                         absl::Span<const int32_t> clusters,
                                         int num_threads = 0);

// From covers over the items [0, num_items) in which each item is in at most
// one cluster; an item in no cluster is a cluster of its own. InvalidArgument
// if an item is in two clusters of a cover, num_items is negative, or a cover
// is invalid.
absl::StatusOr<PartitionMeasures> ComparePartitionCovers(const Cover& truth,
                                                         const Cover& clusters,
                                                         int32_t num_items);

namespace eval_internal {

// AdjustedRandIndex of labels below these numbers, as many on both sides. Sets
// *sizes to those of `clusters`.
double AdjustedRandIndexBelow(absl::Span<const int32_t> truth,
                              int64_t num_truth,
                              absl::Span<const int32_t> clusters,
                              int64_t num_clusters, int num_threads,
                              std::vector<int64_t>* sizes);

// For CompareCovers, which groups the items once for all measures.
struct ItemGroups;
absl::StatusOr<PartitionMeasures> PartitionMeasuresOf(const ItemGroups& groups);
}  // namespace eval_internal

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_PARTITION_MEASURES_H_
