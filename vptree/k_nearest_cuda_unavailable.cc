// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "vptree/k_nearest_cuda.h"

namespace warpclust {

absl::Status KNearestCuda(const PointMatrix&, const PointMatrix&, Norm,
                          IndexKind, int32_t, const WorkShare*,
                          absl::Span<NearestPoint>) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
