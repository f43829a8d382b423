// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"

namespace warpclust {

namespace {

absl::Status Unavailable() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::StatusOr<std::shared_ptr<DevicePoints>> CopyPointsToDevice(
    const PointMatrix&, Metric, EarlyUpload<double>*) {
  return Unavailable();
}

bool HasLegalCoordinates(const DevicePoints&) { return false; }

std::shared_ptr<CudaBruteForce> BeginBruteForce(const DevicePoints&, PairShare*,
                                                ComingPoints*) {
  return nullptr;
}

std::shared_ptr<ComingPoints> ExpectPoints(const DevicePoints&) {
  return nullptr;
}

bool AddPiece(const DevicePoints&, int64_t, int64_t, ComingPoints&) {
  return false;
}

bool HasLegalCoordinates(ComingPoints&) { return false; }

absl::StatusOr<bool> IsSurelyBruteForce(const BegunIndex&, const PointMatrix&,
                                        Metric, double, int) {
  return Unavailable();
}

absl::StatusOr<std::unique_ptr<DeviceIndex>> MakeDeviceIndex(
    const PointMatrix&, Metric, DensityPeaksIndex, double, int, BegunIndex) {
  return Unavailable();
}

}  // namespace warpclust
