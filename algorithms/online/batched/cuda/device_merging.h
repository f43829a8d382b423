// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceMerging: compares and merges clusters where they are, on a GPU, for
// passes of SimilarClusters (clusters/similar_clusters.h). Expired clusters are
// similar to none.
//
// Cost: seven launches and a copy each way for up to 4,096 clusters that are
// compared; four launches and a copy to the host per merge, which reads the
// whole hash table of sums if the cluster has any there. One thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_MERGING_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_MERGING_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/batched/cuda/merge_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/clusters/similar_pair.h"
#include "algorithms/online/state/online_options.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"

namespace warpclust {

class DeviceMerging {
 public:
  // For clusters of these options.
  static absl::StatusOr<DeviceMerging> Create(const OnlineOptions& options);

  // Begins a pass over clusters that stay in the same place until its end:
  // appends the pairs of `changed` with all clusters that are open at `clock`.
  // ResourceExhausted, also for very many pairs, leaves the clusters as they
  // were.
  absl::Status Begin(absl::Span<const int32_t> changed, int64_t clock,
                     DeviceClusters* clusters, std::vector<SimilarPair>* pairs);

  // Adds cluster `from` to `into` and closes it; appends the pairs of `into`.
  // If memory runs out here, the pass cannot end.
  absl::Status Merge(int32_t from, int32_t into,
                     std::vector<SimilarPair>* pairs);

 private:
  // The kernels for the shared memory of the GPU.
  struct Search {
    void (*find)(DeviceClustersView, BatchView, int32_t, int32_t) = nullptr;
    void (*find_heavy)(DeviceClustersView, BatchView, MergeView,
                       int32_t) = nullptr;
    int threads = 0;
    int64_t find_bytes = 0;
    int64_t heavy_bytes = 0;
  };
  // False if the GPU has too little.
  template <typename Shape>
  absl::StatusOr<bool> UseShape();

  LoadedVectors loaded();
  BatchView batch_view();
  MergeView merge_view();

  // Search for the first `count` clusters of numbers_, or for one; end with
  // ReadControl.
  absl::Status SearchMany(int32_t count);
  absl::Status SearchOne(int32_t cluster);
  absl::Status WriteControl();
  // Waits; reads the numbers, and the pairs if they are few.
  absl::Status ReadControl();
  // Makes room for more pairs, or whole lists, if the last search lacked them.
  absl::StatusOr<bool> MustSearchAgain();
  absl::Status AppendPairs(std::vector<SimilarPair>* pairs);

  OnlineOptions options_;
  int blocks_ = 0;
  Search search_;

  // Of a pass.
  int64_t clock_ = 0;
  DeviceClusters* clusters_ = nullptr;
  // Copies of the first elements of found_.
  MergeControl control_ = {};
  std::vector<SimilarPair> first_pairs_;

  // A MergeControl, and pairs.
  DeviceBuffer<SimilarPair> found_;
  // The vectors that are compared.
  DeviceBuffer<int32_t> numbers_;
  DeviceBuffer<int32_t> counts_;
  DeviceBuffer<int64_t> offsets_;
  DeviceBuffer<int32_t> terms_;
  DeviceBuffer<int32_t> weights_;
  DeviceBuffer<int64_t> clocks_;
  DeviceBuffer<int32_t> heavy_;
  DeviceBuffer<BatchControl> search_control_;
  TemporaryStorage storage_;
  // The cluster that merges.
  DeviceBuffer<int32_t> gathered_terms_;
  DeviceBuffer<int64_t> gathered_sums_;
  DeviceBuffer<KeptTerm> version_kept_;
  DeviceBuffer<int64_t> version_sums_;
  DeviceBuffer<int32_t> version_count_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_MERGING_H_
