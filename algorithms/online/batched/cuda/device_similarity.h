// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceSimilarity: the pairs of clusters whose similarity is above the
// threshold of merging, found on a GPU by the search of exact batches
// (batch_search.cuh). Expired clusters are similar to none. One thread at a
// time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_SIMILARITY_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_SIMILARITY_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/clusters/similar_clusters.h"
#include "algorithms/online/state/online_options.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"

namespace warpclust {

class DeviceSimilarity {
 public:
  // For the clusters of these options.
  static absl::StatusOr<DeviceSimilarity> Create(const OnlineOptions& options);

  // Append the pairs of clusters `numbers`, or of a cluster that has this
  // vector, and all others that are open at `clock`; a pair may come twice.
  absl::Status OfClusters(absl::Span<const int32_t> numbers, int64_t clock,
                          DeviceClusters* clusters,
                          std::vector<SimilarPair>* pairs);
  absl::Status OfVector(int32_t number, absl::Span<const int32_t> terms,
                        absl::Span<const int32_t> weights, int64_t clock,
                        DeviceClusters* clusters,
                        std::vector<SimilarPair>* pairs);

 private:
  // Finds the pairs of the first `count` vectors loaded.
  absl::Status Find(int32_t count, DeviceClusters* clusters,
                    std::vector<SimilarPair>* pairs);

  // Its options and the memory below.
  BatchView view_;
  int blocks_ = 0;
  bool large_ = false;
  // The vectors that are compared.
  DeviceBuffer<int32_t> numbers_;
  DeviceBuffer<int32_t> counts_;
  DeviceBuffer<int64_t> offsets_;
  DeviceBuffer<int32_t> terms_;
  DeviceBuffer<int32_t> weights_;
  DeviceBuffer<int64_t> clocks_;
  TemporaryStorage storage_;
  DeviceBuffer<int32_t> heavy_;
  DeviceBuffer<BatchControl> control_;
  // The number of pairs, a word of no use, and two words per pair.
  DeviceBuffer<int64_t> found_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_SIMILARITY_H_
