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

class BatchedClustererCuda : public OnlineEngine {
 public:
  BatchedClustererCuda(const OnlineOptions& options, int64_t clock,
                       DeviceClusters clusters, DeviceBatch batch)
      : expire_after_(options.expire_after),
        clock_(clock),
        clusters_(std::move(clusters)),
        batch_(std::move(batch)) {}

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    absl::Status status = clusters_.ReserveTerms(documents.num_terms);
    for (int64_t begin = 0; begin < documents.size(); begin += kMaxLoaded) {
      const int64_t end = std::min(documents.size(), begin + kMaxLoaded);
      if (status.ok()) status = batch_.Load(documents, clocks, begin, end);
      if (!status.ok()) return status;
      status = batch_.Run(&clusters_, clusters.subspan(begin, end - begin));
    }
    if (!clocks.empty()) clock_ = clocks.back();
    return status;
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
  const int64_t expire_after_;
  int64_t clock_;
  DeviceClusters clusters_;
  DeviceBatch batch_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch) {
  absl::StatusOr<Device> device = ResolveDevice(Device::kCuda);
  if (!device.ok()) return device.status();
  absl::StatusOr<DeviceClusters> clusters =
      DeviceClusters::Create(options.terms, state);
  if (!clusters.ok()) return clusters.status();
  absl::StatusOr<DeviceBatch> working =
      DeviceBatch::Create(options, std::min(batch, kMaxCudaBatch));
  if (!working.ok()) return working.status();
  return std::make_unique<BatchedClustererCuda>(
      options, state.clock, *std::move(clusters), *std::move(working));
}

}  // namespace warpclust
