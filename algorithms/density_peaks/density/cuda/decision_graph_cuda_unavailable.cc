// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"

namespace warpclust {
namespace {

absl::Status Unavailable() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::StatusOr<DecisionGraphRun> DecisionGraphCuda(
    const PointMatrix&, Metric, DensityPeaksIndex, double, int,
    std::shared_ptr<const DevicePoints>, std::shared_ptr<DeviceSearches>*) {
  return Unavailable();
}

absl::StatusOr<DecisionGraphRun> DecisionGraphByBruteForce(
    std::shared_ptr<const DevicePoints>, std::shared_ptr<CudaBruteForce>,
    Metric, double, int, std::shared_ptr<DeviceSearches>*) {
  return Unavailable();
}

}  // namespace warpclust
