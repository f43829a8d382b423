// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Every measure of this package for two covers of the same items, at the cost
// of the dearest: items are grouped once and pairs are counted once.
//
// Use it to evaluate a clustering against classes, or to see how far two
// clusterings agree. For a single measure include its own header (bcubed.h,
// overlapping_nmi.h, omega_index.h, purity.h, partition_measures.h), which also
// names its paper.
//
// Cost and memory as for bcubed.h. Thread-safety: a pure function.
// Deterministic: the same doubles for every number of threads.

#ifndef WARPCLUST_EVAL_COMPARE_COVERS_H_
#define WARPCLUST_EVAL_COMPARE_COVERS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "eval/bcubed.h"
#include "eval/overlapping_nmi.h"
#include "eval/partition_measures.h"
#include "eval/purity.h"
#include "graph/cover/cover.h"

namespace warpclust {

struct CoverComparison {
  BCubed bcubed;
  OverlappingNmi overlapping_nmi;
  double omega_index = 1;
  // Over memberships; see purity.h for covers that overlap.
  Purity purity;
  // Set if no item is in two clusters of one cover. Items in no cluster are
  // clusters of their own here.
  std::optional<PartitionMeasures> partition;
};

// Compares `clusters` with `truth`, both over the items [0, num_items).
// `num_threads`: 0 means all. InvalidArgument for a negative argument or a
// cover with ids out of range, not ascending, or with broken offsets.
absl::StatusOr<CoverComparison> CompareCovers(const Cover& truth,
                                              const Cover& clusters,
                                              int32_t num_items,
                                              int num_threads = 0);

// The values under the names that reports and JSON use, always in the same
// order: bcubed_precision, bcubed_recall, fbcubed, nmi_lfk, nmi_mgh_max,
// nmi_mgh_lfk, omega, purity, inverse_purity; then, for partitions, nmi,
// nmi_geometric, nmi_min, nmi_max, nmi_joint, ari, homogeneity, completeness.
std::vector<std::pair<absl::string_view, double>> NamedMeasures(
    const CoverComparison& comparison);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_COMPARE_COVERS_H_
