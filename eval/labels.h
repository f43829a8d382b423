// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CoverFromLabels: a partition given as a label per item, as a cover.

#ifndef WARPCLUST_EVAL_LABELS_H_
#define WARPCLUST_EVAL_LABELS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/cover/cover.h"

namespace warpclust {

// One cluster per distinct label of at least 0, in order of first occurrence.
// Items with a negative label (-1 by custom: noise) are in no cluster. O(items)
// expected. InvalidArgument for more than 2^31 - 1 labels.
absl::StatusOr<Cover> CoverFromLabels(absl::Span<const int32_t> labels);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_LABELS_H_
