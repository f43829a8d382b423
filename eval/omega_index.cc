// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/omega_index.h"

#include <cstddef>

#include "base/status/status_macros.h"
#include "eval/co_membership.h"
#include "eval/item_groups.h"

namespace warpclust {

absl::StatusOr<double> ComputeOmegaIndex(const Cover& truth,
                                         const Cover& clusters,
                                         int32_t num_items, int num_threads) {
  ASSIGN_OR_RETURN(
      const eval_internal::ItemGroups groups,
      eval_internal::GroupItems(truth, clusters, num_items, num_threads));
  return eval_internal::OmegaIndexOf(
      eval_internal::CountCoMembership(groups, num_threads));
}

namespace eval_internal {

double OmegaIndexOf(const CoMembership& pairs) {
  int64_t all_pairs = 0;
  for (const int64_t count : pairs.cluster_pairs) all_pairs += count;
  if (all_pairs == 0) return 1;
  const double all = static_cast<double>(all_pairs);
  // 1 - expected, summed as sum_k a_k (1 - b_k) with 1 - b_k from integers: in
  // sparse covers expected is so near 1 that the difference would lose digits.
  double expected_disagreement = 0;
  for (size_t k = 0; k < pairs.cluster_pairs.size(); ++k) {
    const int64_t truth_pairs =
        k < pairs.truth_pairs.size() ? pairs.truth_pairs[k] : 0;
    expected_disagreement +=
        static_cast<double>(pairs.cluster_pairs[k]) / all *
        (static_cast<double>(all_pairs - truth_pairs) / all);
  }
  if (expected_disagreement == 0) return 1;
  const double disagreement =
      static_cast<double>(all_pairs - pairs.equal_pairs) / all;
  return 1 - disagreement / expected_disagreement;
}

}  // namespace eval_internal
}  // namespace warpclust
