// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterStability: how far other partitions agree with one, item by item. Use
// it to tell which items of a result would lie elsewhere in results that are
// nearly as good.
//
//   const std::vector<double> stability =
//       ClusterStability(best.labels, {second.labels, third.labels});
//
// Complexity: O(items) per partition.

#ifndef WARPCLUST_EVAL_CLUSTER_STABILITY_H_
#define WARPCLUST_EVAL_CLUSTER_STABILITY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace warpclust {

// For each item, the mean over `others`, at least one, of the Jaccard
// similarity of its clusters in `labels` and in the other partition: members of
// both, divided by members of either. 1 if all agree. All have the same number
// of labels, in [0, that number).
std::vector<double> ClusterStability(
    absl::Span<const int32_t> labels,
    absl::Span<const absl::Span<const int32_t>> others);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_CLUSTER_STABILITY_H_
