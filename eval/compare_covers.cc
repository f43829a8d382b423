// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/compare_covers.h"

#include "base/status/status_macros.h"
#include "eval/co_membership.h"
#include "eval/item_groups.h"
#include "eval/omega_index.h"

namespace warpclust {

absl::StatusOr<CoverComparison> CompareCovers(const Cover& truth,
                                              const Cover& clusters,
                                              int32_t num_items,
                                              int num_threads) {
  ASSIGN_OR_RETURN(
      const eval_internal::ItemGroups groups,
      eval_internal::GroupItems(truth, clusters, num_items, num_threads));

  CoverComparison result;
  const eval_internal::CoMembership pairs =
      eval_internal::CountCoMembership(groups, num_threads);
  result.bcubed = eval_internal::BCubedOf(pairs);
  result.omega_index = eval_internal::OmegaIndexOf(pairs);
  result.overlapping_nmi = eval_internal::OverlappingNmiOf(groups, num_threads);
  result.purity = eval_internal::PurityOf(groups);
  const absl::StatusOr<PartitionMeasures> partition =
      eval_internal::PartitionMeasuresOf(groups);
  if (partition.ok()) result.partition = *partition;
  return result;
}

std::vector<std::pair<absl::string_view, double>> NamedMeasures(
    const CoverComparison& comparison) {
  std::vector<std::pair<absl::string_view, double>> measures = {
      {"bcubed_precision", comparison.bcubed.precision},
      {"bcubed_recall", comparison.bcubed.recall},
      {"fbcubed", comparison.bcubed.f},
      {"nmi_lfk", comparison.overlapping_nmi.lfk},
      {"nmi_mgh_max", comparison.overlapping_nmi.mgh_max},
      {"nmi_mgh_lfk", comparison.overlapping_nmi.mgh_lfk},
      {"omega", comparison.omega_index},
      {"purity", comparison.purity.purity},
      {"inverse_purity", comparison.purity.inverse_purity},
  };
  if (comparison.partition.has_value()) {
    const PartitionMeasures& partition = *comparison.partition;
    measures.insert(measures.end(), {{"nmi", partition.nmi},
                                     {"nmi_geometric", partition.nmi_geometric},
                                     {"nmi_min", partition.nmi_min},
                                     {"nmi_max", partition.nmi_max},
                                     {"nmi_joint", partition.nmi_joint},
                                     {"ari", partition.ari},
                                     {"homogeneity", partition.homogeneity},
                                     {"completeness", partition.completeness}});
  }
  return measures;
}

}  // namespace warpclust
