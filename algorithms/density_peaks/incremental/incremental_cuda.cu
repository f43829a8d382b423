// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/ranks_cuda.h"
#include "algorithms/density_peaks/incremental/incremental_engine.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/dynamic/cuda/dynamic_tree_cuda.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// The densities of the points that stay change by `sign` times their gain, and
// the gains keep that sign. New points (marked, sign 1) have the largest gain;
// removed points (marked, sign -1) have no density.
__global__ void ApplyGainsKernel(const uint8_t* marks, int64_t count, int sign,
                                 int32_t* densities, int32_t* gains) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  if (marks[i] != 0) {
    gains[i] = INT32_MAX;
    if (sign < 0) densities[i] = -1;
  } else if (densities[i] >= 0) {
    gains[i] *= sign;
    densities[i] += gains[i];
  }
}

// Marks the points whose dependent point is removed or no longer of higher
// rank.
__global__ void RestartKernel(const int32_t* densities, const int32_t* ranks,
                              int64_t first_new, int64_t count,
                              const int32_t* dependent_points,
                              uint8_t* restart) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  if (i >= first_new) {
    restart[i] = 1;
    return;
  }
  const int32_t above = dependent_points[i];
  restart[i] = above < 0 || densities[above] < 0 || ranks[above] > ranks[i];
}

__global__ void MarkKernel(const int32_t* ids, int64_t count, uint8_t* marks) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) marks[ids[i]] = 1;
}

class IncrementalCuda : public IncrementalEngine {
 public:
  IncrementalCuda(CudaDynamicTree tree, double radius_key)
      : tree_(std::move(tree)), radius_key_(radius_key) {}

  absl::Status Insert(const PointMatrix& batch, DensityUpdate update) override {
    return Named(InsertBatch(batch, update));
  }

  absl::Status Remove(absl::Span<const int32_t> ids,
                      DensityUpdate update) override {
    return Named(RemoveBatch(ids, update));
  }

  absl::StatusOr<IncrementalState> Read() const override {
    const int64_t ids = tree_.num_ids();
    IncrementalState state;
    state.densities.resize(ids);
    state.dependent_points.resize(ids);
    state.dependent_keys.resize(ids);
    RETURN_IF_ERROR(densities_.CopyToHost(absl::MakeSpan(state.densities)));
    RETURN_IF_ERROR(
        dependent_points_.CopyToHost(absl::MakeSpan(state.dependent_points)));
    RETURN_IF_ERROR(
        dependent_keys_.CopyToHost(absl::MakeSpan(state.dependent_keys)));
    return state;
  }

  BatchSeconds last_batch() const override { return seconds_; }

 private:
  absl::Status Named(const absl::Status& status) const {
    if (status.ok()) return status;
    return NameWhatDidNotFit(status, absl::StrCat(tree_.num_ids(),
                                                  " points that come and go on "
                                                  "the GPU"));
  }

  absl::Status InsertBatch(const PointMatrix& batch, DensityUpdate update) {
    seconds_ = BatchSeconds();
    if (batch.num_points == 0) return absl::OkStatus();
    const Stopwatch stopwatch;
    const int64_t first = tree_.num_ids();
    RETURN_IF_ERROR(tree_.Insert(batch));
    const int64_t ids = tree_.num_ids();
    RETURN_IF_ERROR(ReserveInto(ids, densities_, first));
    RETURN_IF_ERROR(ReserveInto(ids, dependent_points_, first));
    RETURN_IF_ERROR(ReserveInto(ids, dependent_keys_, first));
    RETURN_IF_ERROR(ClearMarksAndGains());
    RETURN_IF_ERROR(CudaStatus(
        cudaMemsetAsync(marks_.data() + first, 1, ids - first, nullptr),
        "mark new points"));
    RETURN_IF_ERROR(Wait());
    seconds_.tree = stopwatch.Seconds();

    RETURN_IF_ERROR(UpdateDensities(update, /*sign=*/1));
    return UpdateDependentPoints(first);
  }

  absl::Status RemoveBatch(absl::Span<const int32_t> ids,
                           DensityUpdate update) {
    seconds_ = BatchSeconds();
    if (ids.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(ClearMarksAndGains());
    ASSIGN_OR_RETURN(DeviceBuffer<int32_t> device_ids,
                     DeviceBuffer<int32_t>::FromHost(ids));
    const auto count = static_cast<int64_t>(ids.size());
    MarkKernel<<<BlocksFor(count, kThreads), kThreads>>>(device_ids.data(),
                                                         count, marks_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("mark removed points"));
    // While they are still in the tree.
    RETURN_IF_ERROR(UpdateDensities(update, /*sign=*/-1));
    const Stopwatch stopwatch;
    RETURN_IF_ERROR(tree_.Remove(ids));
    RETURN_IF_ERROR(Wait());
    seconds_.tree = stopwatch.Seconds();
    return UpdateDependentPoints(tree_.num_ids());
  }

  // Waits for the device.
  absl::Status Wait() const {
    return CudaStatus(cudaStreamSynchronize(nullptr), "incremental update");
  }

  absl::Status ClearMarksAndGains() {
    const int64_t ids = tree_.num_ids();
    RETURN_IF_ERROR(AllocateInto(ids, marks_));
    RETURN_IF_ERROR(marks_.FillBytes(0));
    RETURN_IF_ERROR(AllocateInto(ids, gains_));
    return gains_.FillBytes(0);
  }

  absl::Status UpdateDensities(DensityUpdate update, int sign) {
    const Stopwatch stopwatch;
    RETURN_IF_ERROR(
        update == DensityUpdate::kSeparate
            ? tree_.CountMarkedSeparately(radius_key_, marks_.data(),
                                          densities_.data(), gains_.data())
            : tree_.CountMarkedIncidentally(radius_key_, marks_.data(),
                                            densities_.data(), gains_.data()));
    const int64_t ids = tree_.num_ids();
    ApplyGainsKernel<<<BlocksFor(ids, kThreads), kThreads>>>(
        marks_.data(), ids, sign, densities_.data(), gains_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("apply gains"));
    RETURN_IF_ERROR(Wait());
    seconds_.density = stopwatch.Seconds();
    return absl::OkStatus();
  }

  absl::Status UpdateDependentPoints(int64_t first_new) {
    const Stopwatch stopwatch;
    const int64_t ids = tree_.num_ids();
    DeviceBuffer<int32_t> ranks;
    RETURN_IF_ERROR(DensityRanksCuda(densities_.data(), ids, ranks));
    DeviceBuffer<uint8_t> restart;
    RETURN_IF_ERROR(AllocateInto(ids, restart));
    RestartKernel<<<BlocksFor(ids, kThreads), kThreads>>>(
        densities_.data(), ranks.data(), first_new, ids,
        dependent_points_.data(), restart.data());
    RETURN_IF_ERROR(CudaLaunchStatus("find lost dependent points"));
    RETURN_IF_ERROR(
        tree_.UpdateNearest(ranks.data(), gains_.data(), restart.data(),
                            dependent_points_.data(), dependent_keys_.data()));
    RETURN_IF_ERROR(Wait());
    seconds_.dependent = stopwatch.Seconds();
    return absl::OkStatus();
  }

  CudaDynamicTree tree_;
  const double radius_key_;
  BatchSeconds seconds_;
  // By id; the first three may have more elements than there are ids.
  DeviceBuffer<int32_t> densities_;
  DeviceBuffer<int32_t> dependent_points_;
  DeviceBuffer<double> dependent_keys_;
  DeviceBuffer<uint8_t> marks_;
  DeviceBuffer<int32_t> gains_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeIncrementalCuda(
    Norm norm, int32_t num_dimensions, double radius_key, bool vp_tree) {
  return std::make_unique<IncrementalCuda>(
      CudaDynamicTree::Create(
          norm, num_dimensions,
          vp_tree ? CudaLeafTree::Kind::kVantage : CudaLeafTree::Kind::kBox),
      radius_key);
}

}  // namespace warpclust
