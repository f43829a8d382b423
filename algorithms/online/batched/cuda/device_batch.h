// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceBatch: owns the memory of a BatchView and launches BatchKernel. One
// thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_BATCH_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_BATCH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/clusters/cuda/device_engine.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/unit_vectors.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// The variant of BatchKernel for the GPU, and how it is launched.
struct BatchPlan {
  const void* kernel = nullptr;
  int32_t batch = 0;
  int threads = 0;
  int64_t shared_bytes = 0;
};

class DeviceBatch {
 public:
  // For batches of at most `batch` documents, fewer where shared memory is
  // short.
  static absl::StatusOr<DeviceBatch> Create(const OnlineOptions& options,
                                            int32_t batch);

  // Copies rows [begin, end) of `documents` to the device, for the next Run.
  absl::Status Load(const UnitVectors& documents,
                    absl::Span<const int64_t> clocks, int64_t begin,
                    int64_t end);

  // Frees the room for documents, which the next Load allocates again.
  void Unload();

  // Clusters the loaded documents, exactly: numbers[i] is the cluster of the
  // i-th. Where the kernel needs more room, makes room and launches it again.
  // `*decided` counts them: all, or after ResourceExhausted those before the
  // room ran out, whose numbers are set and which are in `*clusters`.
  absl::Status Run(DeviceClusters* clusters, absl::Span<int32_t> numbers,
                   int64_t* decided);

  // Over all calls.
  const OnlineCounts& counts() const { return counts_; }

 private:
  // Makes *pointer point to `count` elements that live as long as this object.
  template <typename T>
  absl::Status Allocate(int64_t count, T** pointer);
  BatchView view(DeviceClusters& clusters);
  // Run, without the copy of the numbers.
  absl::Status Decide(DeviceClusters* clusters, int64_t* decided);

  OnlineOptions options_;
  BatchPlan plan_;
  int blocks_ = 0;
  OnlineCounts counts_;

  LoadedDocuments documents_;
  DeviceBuffer<KeptTerm> entries_;
  DeviceBuffer<int32_t> clusters_;

  DeviceBuffer<BatchControl> control_;
  // Its options and the working memory; view() fills in the rest.
  BatchView view_;
  std::vector<DeviceBuffer<unsigned char>> memory_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_DEVICE_BATCH_H_
