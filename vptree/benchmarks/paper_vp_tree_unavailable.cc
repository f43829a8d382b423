// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "vptree/benchmarks/paper_vp_tree.h"

namespace warpclust {
namespace {

absl::Status Unavailable() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::StatusOr<PaperVpTree> BuildPaperVpTree(const PointMatrix&, Norm, int,
                                             int) {
  return Unavailable();
}

absl::StatusOr<OrderedCounts> CountInOrder(const PointMatrix&, Norm, double,
                                           QueryOrder, int) {
  return Unavailable();
}

}  // namespace warpclust
