// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceMerging: one pass of merges (clusters/cluster_merging.h) over clusters
// on a GPU, which compares them. The host adds up the sums of the few that
// merge, and the GPU gets them all together at the end.
//
// Cost: some launches and copies per pass, and a search per merge.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_MERGING_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_MERGING_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/cuda/device_similarity.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/clusters/similar_clusters.h"
#include "algorithms/online/state/online_options.h"

namespace warpclust {

class DeviceMerging final : public SimilarClusters {
 public:
  // `clock` is that of the last document. All must outlive the object.
  DeviceMerging(const OnlineOptions& options, const ClusterMerging& merging,
                int64_t clock, DeviceSimilarity* similarity,
                DeviceClusters* clusters);

  // For Pass. The clusters on the GPU stay as they are.
  absl::Status Merge(int32_t from, int32_t into);

  // After Pass, if there were merges: brings them to the GPU.
  absl::Status Finish();

 private:
  absl::Status Compare(absl::Span<const int32_t> clusters,
                       std::vector<SimilarPair>* pairs) override;
  absl::Status CompareVector(int32_t cluster, absl::Span<const int32_t> terms,
                             absl::Span<const int32_t> weights,
                             std::vector<SimilarPair>* pairs) override;

  // Gets the sums of clusters that the host does not have yet.
  absl::Status Fetch(std::vector<int32_t> clusters);

  const OnlineOptions& options_;
  const int64_t clock_;
  DeviceSimilarity& similarity_;
  DeviceClusters& clusters_;
  // The clusters that the host has: their sums, numbers, and places there.
  ClusterSums sums_;
  std::vector<int32_t> numbers_;
  absl::flat_hash_map<int32_t, int32_t> places_;
  // Scratch of Merge.
  std::vector<int32_t> weights_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_MERGING_H_
