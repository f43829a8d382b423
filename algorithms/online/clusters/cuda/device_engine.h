// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the engines on a GPU share. LoadedDocuments is a piece of a call's
// documents in the memory of the GPU; DeviceEngine takes a call in pieces that
// fit.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_ENGINE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_ENGINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

struct LoadedDocuments {
  // Copies rows [begin, end) of `documents` and their clocks to the device.
  absl::Status Load(const UnitVectors& documents,
                    absl::Span<const int64_t> clocks, int64_t begin,
                    int64_t end);

  int64_t size() const { return static_cast<int64_t>(host_offsets.size()) - 1; }
  int64_t num_entries() const { return host_offsets.back(); }

  // size() + 1 entries, from 0; the same on the host.
  DeviceBuffer<int64_t> offsets;
  std::vector<int64_t> host_offsets = {0};
  DeviceBuffer<int32_t> terms;
  DeviceBuffer<int32_t> weights;
  // One per document.
  DeviceBuffer<int64_t> clocks;
};

// Names the clusters for NameWhatDidNotFit.
std::string ClustersOnGpu(int32_t num_clusters);

class DeviceEngine : public OnlineEngine {
 public:
  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override;

  absl::StatusOr<OnlineState> State() override {
    return clusters_.State(clock_, expire_after_);
  }

  int32_t num_clusters() const override { return clusters_.num_clusters; }

 protected:
  // Takes at most `most` documents at a time; where memory is short, fewer, in
  // multiples of `step`, which divides `most`.
  DeviceEngine(const OnlineOptions& options, int64_t clock, int64_t most,
               int64_t step, DeviceClusters clusters)
      : expire_after_(options.expire_after),
        clock_(clock),
        clusters_(std::move(clusters)),
        most_(most),
        step_(step) {}

  // Load copies documents [begin, end) to the device; Unload frees them.
  virtual absl::Status Load(const UnitVectors& documents,
                            absl::Span<const int64_t> clocks, int64_t begin,
                            int64_t end) = 0;
  virtual void Unload() = 0;
  // Clusters the documents loaded last. `clocks` and `clusters` are theirs
  // alone.
  virtual absl::Status ClusterLoaded(absl::Span<const int64_t> clocks,
                                     absl::Span<int32_t> clusters) = 0;

  // `counts` with those of the term lists; without them if the device fails.
  OnlineCounts WithLists(OnlineCounts counts) const;

  const int64_t expire_after_;
  // Of the last document clustered.
  int64_t clock_;
  DeviceClusters clusters_;

 private:
  absl::Status ClusterPieces(const UnitVectors& documents,
                             absl::Span<const int64_t> clocks,
                             absl::Span<int32_t> clusters);

  const int64_t most_;
  const int64_t step_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_ENGINE_H_
