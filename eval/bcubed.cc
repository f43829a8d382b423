// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/bcubed.h"

#include "base/status/status_macros.h"
#include "eval/co_membership.h"
#include "eval/item_groups.h"

namespace warpclust {

absl::StatusOr<BCubed> ComputeBCubed(const Cover& truth, const Cover& clusters,
                                     int32_t num_items, int num_threads) {
  ASSIGN_OR_RETURN(
      const eval_internal::ItemGroups groups,
      eval_internal::GroupItems(truth, clusters, num_items, num_threads));
  return eval_internal::BCubedOf(
      eval_internal::CountCoMembership(groups, num_threads));
}

namespace eval_internal {

BCubed BCubedOf(const CoMembership& pairs) {
  BCubed result;
  result.precision = pairs.precision;
  result.recall = pairs.recall;
  // Both are positive: every item is a partner of itself.
  result.f =
      2 * pairs.precision * pairs.recall / (pairs.precision + pairs.recall);
  return result;
}

}  // namespace eval_internal
}  // namespace warpclust
