// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Every measure of this package for two covers of the same items, in the time
// of the slowest measure: items are grouped once and pairs are counted once.
//
//   absl::StatusOr<CoverComparison> result =
//       CompareCovers(truth, clusters, num_items);
//   if (result.ok()) std::cout << result->bcubed.f << "\n";
//
// Use it to evaluate a clustering against classes, or to compare two
// clusterings. For a single measure include its own header (bcubed.h,
// overlapping_nmi.h, omega_index.h, purity.h, partition_measures.h), which also
// names its paper. Complexity and memory as for bcubed.h.

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
  // Over memberships; see purity.h.
  Purity purity;
  // Set if no item is in two clusters of a cover. Items in no cluster are
  // clusters of their own here.
  std::optional<PartitionMeasures> partition;
};

// Compares `clusters` with `truth`, both over the items [0, num_items).
// `num_threads` 0 means all. InvalidArgument for a negative argument or an
// invalid cover (ValidateCover).
absl::StatusOr<CoverComparison> CompareCovers(const Cover& truth,
                                              const Cover& clusters,
                                              int32_t num_items,
                                              int num_threads = 0);

// The values with their names in reports and JSON, always in the same order:
// bcubed_precision, bcubed_recall, fbcubed, nmi_lfk, nmi_mgh_max,
// nmi_mgh_lfk, omega, purity, inverse_purity; then, for partitions, nmi,
// nmi_geometric, nmi_min, nmi_max, nmi_joint, ari, homogeneity, completeness.
std::vector<std::pair<absl::string_view, double>> NamedMeasures(
    const CoverComparison& comparison);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_COMPARE_COVERS_H_
