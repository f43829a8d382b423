// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/pair_keys_cuda.h"

namespace warpclust {

absl::StatusOr<internal::FindKeys> FindKeysCuda(const PointMatrix&,
                                                const internal::PairsToCount&,
                                                Norm) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
