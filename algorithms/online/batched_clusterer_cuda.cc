// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched_clusterer_cuda.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/batch_view.h"
#include "algorithms/online/device_batch.h"
#include "algorithms/online/device_clusters.h"
#include "algorithms/online/unit_vectors.h"
#include "kernels/device.h"

namespace warpclust {
namespace {

// Documents that are on the device at a time.
constexpr int64_t kMaxLoaded = int64_t{1} << 20;
// Closed clusters are cleared out after that many documents, or as many as
// there are clusters.
constexpr int64_t kClearAfter = int64_t{1} << 18;

class BatchedClustererCuda : public OnlineEngine {
 public:
  BatchedClustererCuda(const OnlineOptions& options, int64_t clock,
                       int64_t clear_after, DeviceClusters clusters,
                       DeviceBatch batch)
      : terms_(options.terms),
        expire_after_(options.expire_after),
        clear_after_(clear_after),
        clock_(clock),
        clusters_(std::move(clusters)),
        batch_(std::move(batch)) {}

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    const int64_t most = expire_after_ == 0 ? kMaxLoaded : clear_after_;
    for (int64_t begin = 0; begin < documents.size(); begin += most) {
      const int64_t end = std::min(documents.size(), begin + most);
      absl::Status status = clusters_.ReserveTerms(documents.num_terms);
      if (status.ok()) status = batch_.Load(documents, clocks, begin, end);
      if (!status.ok()) return status;
      status = batch_.Run(&clusters_, clusters.subspan(begin, end - begin));
      if (!status.ok()) return status;
      clock_ = clocks[end - 1];
      since_cleared_ += end - begin;
      if (expire_after_ != 0 &&
          since_cleared_ >=
              std::max<int64_t>(clear_after_, clusters_.num_clusters)) {
        status = ClearClosed();
        if (!status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    return clusters_.State(clock_, expire_after_);
  }

  int32_t num_clusters() const override { return clusters_.num_clusters; }

  OnlineCounts counts() const override {
    OnlineCounts counts = batch_.counts();
    // A statistic; without a device there is nothing to count.
    clusters_.CountEntries(&counts.list_entries, &counts.lists).IgnoreError();
    return counts;
  }

 private:
  absl::Status ClearClosed() {
    since_cleared_ = 0;
    const absl::StatusOr<OnlineState> state = State();
    if (!state.ok()) return state.status();
    // Not both at once.
    clusters_ = DeviceClusters();
    absl::StatusOr<DeviceClusters> cleared =
        DeviceClusters::Create(terms_, *state);
    if (!cleared.ok()) return cleared.status();
    clusters_ = *std::move(cleared);
    return absl::OkStatus();
  }

  const int32_t terms_;
  const int64_t expire_after_;
  const int64_t clear_after_;
  int64_t clock_;
  int64_t since_cleared_ = 0;
  DeviceClusters clusters_;
  DeviceBatch batch_;
};

}  // namespace

namespace internal {

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch,
    int64_t clear_after) {
  absl::StatusOr<Device> device = ResolveDevice(Device::kCuda);
  if (!device.ok()) return device.status();
  absl::StatusOr<DeviceClusters> clusters =
      DeviceClusters::Create(options.terms, state);
  if (!clusters.ok()) return clusters.status();
  absl::StatusOr<DeviceBatch> working =
      DeviceBatch::Create(options, std::min(batch, kMaxCudaBatch));
  if (!working.ok()) return working.status();
  return std::make_unique<BatchedClustererCuda>(
      options, state.clock, clear_after, *std::move(clusters),
      *std::move(working));
}

}  // namespace internal

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch) {
  return internal::MakeBatchedClustererCuda(options, state, batch, kClearAfter);
}

}  // namespace warpclust
