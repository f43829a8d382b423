// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/peaks/cuda/basins_cuda.h"

namespace warpclust {

absl::StatusOr<Basins> FindBasinsCuda(const DecisionGraph&, DeviceSearches&,
                                      double, int) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
