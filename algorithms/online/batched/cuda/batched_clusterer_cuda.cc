// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/cuda/batched_clusterer_cuda.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/device_batch.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"
#include "kernels/device_buffer.h"

namespace warpclust {
namespace {

// Documents that are on the device at a time.
constexpr int64_t kMaxLoaded = int64_t{1} << 20;
// Closed clusters are cleared out after that many documents, or as many as
// there are clusters.
constexpr int64_t kClearAfter = int64_t{1} << 18;
// Smaller batches are not tried where memory is short.
constexpr int32_t kLeastBatch = 16;

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
    absl::Status status = ClusterPieces(documents, clocks, clusters);
    if (status.ok()) return status;
    return NameWhatDidNotFit(
        status, absl::StrCat("a stream with ", clusters_.num_clusters,
                             " clusters on the GPU"));
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
  absl::Status ClusterPieces(const UnitVectors& documents,
                             absl::Span<const int64_t> clocks,
                             absl::Span<int32_t> clusters) {
    int64_t most = expire_after_ == 0 ? kMaxLoaded : clear_after_;
    for (int64_t begin = 0; begin < documents.size();) {
      int64_t end = std::min(documents.size(), begin + most);
      absl::Status status = clusters_.ReserveTerms(documents.num_terms);
      if (status.ok()) status = batch_.Load(documents, clocks, begin, end);
      if (absl::IsResourceExhausted(status) && end - begin > 1) {
        // Fewer of them at a time: the answer is the same.
        batch_.Unload();
        most = (end - begin) / 2;
        continue;
      }
      if (!status.ok()) return status;
      RETURN_IF_ERROR(
          batch_.Run(&clusters_, clusters.subspan(begin, end - begin)));
      clock_ = clocks[end - 1];
      since_cleared_ += end - begin;
      begin = end;
      if (expire_after_ != 0 &&
          since_cleared_ >=
              std::max<int64_t>(clear_after_, clusters_.num_clusters)) {
        RETURN_IF_ERROR(ClearClosed());
      }
    }
    return absl::OkStatus();
  }

  absl::Status ClearClosed() {
    since_cleared_ = 0;
    ASSIGN_OR_RETURN(const OnlineState state, State());
    // Not both at once.
    clusters_ = DeviceClusters();
    ASSIGN_OR_RETURN(DeviceClusters cleared,
                     DeviceClusters::Create(terms_, state));
    clusters_ = std::move(cleared);
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
  ASSIGN_OR_RETURN(Device device, ResolveDevice(Device::kCuda));
  // The answer does not depend on the size of a batch.
  batch = std::min(batch, kMaxCudaBatch);
  absl::StatusOr<DeviceBatch> working = DeviceBatch::Create(options, batch);
  while (absl::IsResourceExhausted(working.status()) && batch > kLeastBatch) {
    batch /= 2;
    working = DeviceBatch::Create(options, batch);
  }
  if (!working.ok()) {
    return NameWhatDidNotFit(working.status(),
                             "a batch of documents on the GPU");
  }
  absl::StatusOr<DeviceClusters> clusters =
      DeviceClusters::Create(options.terms, state);
  if (!clusters.ok()) {
    return NameWhatDidNotFit(
        clusters.status(), absl::StrCat("a stream with ", state.num_clusters(),
                                        " clusters on the GPU"));
  }
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
