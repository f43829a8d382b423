// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/peaks/cuda/pair_rounds_cuda.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<PairRounds>> MakePairRoundsCuda(
    const PointsInBasins&, DeviceSearches&, const NeighborIndex*, double,
    int32_t) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
