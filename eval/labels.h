// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Between the two forms of a partition: a label for each item, and a cover. A
// negative label (-1 by custom, noise) means "in no cluster".
//
// Cost: O(items) expected. Thread-safety: pure functions.

#ifndef WARPCLUST_EVAL_LABELS_H_
#define WARPCLUST_EVAL_LABELS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/cover/cover.h"

namespace warpclust {

// One cluster for each distinct label >= 0, in order of first occurrence: any
// int32_t values will do. Items with a negative label are in no cluster.
// InvalidArgument for more than 2^31 - 1 labels.
absl::StatusOr<Cover> CoverFromLabels(absl::Span<const int32_t> labels);

// The cluster of each item of [0, num_items), -1 for items in none.
// InvalidArgument if an item is in two clusters, num_items is negative, or the
// cover is malformed.
absl::StatusOr<std::vector<int32_t>> LabelsFromCover(const Cover& cover,
                                                     int32_t num_items);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_LABELS_H_
