// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/cuda/batched_clusterer_cuda.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/device_batch.h"
#include "algorithms/online/batched/cuda/device_merging.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/clusters/cuda/device_engine.h"
#include "algorithms/online/clusters/similar_clusters.h"
#include "algorithms/online/clusters/similar_pair.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

// Documents on the device at a time.
constexpr int64_t kMaxLoaded = int64_t{1} << 20;
// Closed clusters are removed after this many documents, or as many as there
// are clusters.
constexpr int64_t kClearAfter = int64_t{1} << 18;
// The smallest batch that is tried where memory is short.
constexpr int32_t kLeastBatch = 16;

class BatchedClustererCuda : public DeviceEngine {
 public:
  BatchedClustererCuda(const OnlineOptions& options, int64_t clock,
                       int64_t clear_after, DeviceClusters clusters,
                       DeviceBatch batch,
                       absl::optional<DeviceMerging> device_merging)
      : DeviceEngine(options, clock,
                     options.expire_after == 0 ? kMaxLoaded : clear_after,
                     /*step=*/1, std::move(clusters)),
        options_(options),
        clear_after_(clear_after),
        merging_(options, clusters_.num_clusters),
        batch_(std::move(batch)),
        device_merging_(std::move(device_merging)) {}

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    num_decided_ = 0;
    return DeviceEngine::Cluster(documents, clocks, clusters);
  }

  absl::StatusOr<OnlineState> State() override {
    if (kept_.has_value()) return *kept_;
    return DeviceEngine::State();
  }

  absl::StatusOr<absl::optional<std::vector<ClusterMerge>>> Merge() override {
    const absl::optional<std::vector<ClusterMerge>> not_here;
    if (!device_merging_.has_value()) return not_here;
    std::vector<SimilarPair> pairs;
    const absl::Status begun =
        device_merging_->Begin(merging_.changed(), clock_, &clusters_, &pairs);
    if (absl::IsResourceExhausted(begun)) return not_here;
    RETURN_IF_ERROR(begun);
    absl::StatusOr<std::vector<ClusterMerge>> merges =
        SimilarClusters(pairs).Pass(
            num_clusters(), &merging_,
            [&](int32_t from, int32_t into, std::vector<SimilarPair>* similar) {
              return device_merging_->Merge(from, into, similar);
            });
    if (!merges.ok()) {
      return NameWhatDidNotFit(merges.status(), ClustersOnGpu(num_clusters()));
    }
    return merges;
  }

  int32_t num_clusters() const override {
    return kept_.has_value() ? kept_->num_clusters()
                             : DeviceEngine::num_clusters();
  }

  OnlineCounts counts() const override { return WithLists(batch_.counts()); }

  int64_t num_decided() const override { return num_decided_; }

 private:
  absl::Status Load(const UnitVectors& documents,
                    absl::Span<const int64_t> clocks, int64_t begin,
                    int64_t end) override {
    return batch_.Load(documents, clocks, begin, end);
  }

  void Unload() override { batch_.Unload(); }

  absl::Status ClusterLoaded(absl::Span<const int64_t> clocks,
                             absl::Span<int32_t> clusters) override {
    int64_t decided = 0;
    const absl::Status status = batch_.Run(&clusters_, clusters, &decided);
    num_decided_ += decided;
    for (const int32_t cluster : clusters.first(decided)) {
      merging_.Changed(cluster);
    }
    if (decided > 0) clock_ = clocks[decided - 1];
    RETURN_IF_ERROR(status);
    since_cleared_ += static_cast<int64_t>(clocks.size());
    if (expire_after_ == 0 ||
        since_cleared_ <
            std::max<int64_t>(clear_after_, clusters_.num_clusters)) {
      return absl::OkStatus();
    }
    since_cleared_ = 0;
    ASSIGN_OR_RETURN(kept_, State());
    // Frees the clusters before it makes them again.
    clusters_ = DeviceClusters();
    ASSIGN_OR_RETURN(clusters_, DeviceClusters::Create(options_, *kept_));
    kept_.reset();
    return absl::OkStatus();
  }

  const OnlineOptions options_;
  const int64_t clear_after_;
  int64_t since_cleared_ = 0;
  // Documents of this call.
  int64_t num_decided_ = 0;
  // The state while it is not on the GPU.
  absl::optional<OnlineState> kept_;
  ClusterMerging merging_;
  DeviceBatch batch_;
  // If clusters merge, and there is memory for it.
  absl::optional<DeviceMerging> device_merging_;
};

}  // namespace

namespace internal {

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch,
    int64_t clear_after) {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  if (options.truncated_mean) {
    return absl::InvalidArgumentError(
        "truncated_mean: expected another method than batched on a GPU, which "
        "adds up a batch before it knows what falls out");
  }
  // The result does not depend on the batch.
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
      DeviceClusters::Create(options, state);
  if (!clusters.ok()) {
    return NameWhatDidNotFit(clusters.status(),
                             ClustersOnGpu(state.num_clusters()));
  }
  absl::optional<DeviceMerging> device_merging;
  if (options.merge_every != 0) {
    absl::StatusOr<DeviceMerging> created = DeviceMerging::Create(options);
    if (created.ok()) {
      device_merging = *std::move(created);
    } else if (!absl::IsResourceExhausted(created.status())) {
      return created.status();
    }
  }
  return std::make_unique<BatchedClustererCuda>(
      options, state.clock, clear_after, *std::move(clusters),
      *std::move(working), std::move(device_merging));
}

}  // namespace internal

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch) {
  return internal::MakeBatchedClustererCuda(options, state, batch, kClearAfter);
}

}  // namespace warpclust
