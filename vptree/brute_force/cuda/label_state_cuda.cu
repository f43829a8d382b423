// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/label_state_cuda.h"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// One warp per tile.
__global__ void __launch_bounds__(kThreads)
    StartKernel(const int32_t* ids, int32_t num_tiles,
                const int32_t* point_ranks, const int32_t* point_labels,
                const int32_t* point_best, int32_t* ranks, int32_t* labels,
                int32_t* bests, LabelSummary* summaries, int32_t* most_best) {
  const int32_t tile = (blockIdx.x * kThreads + threadIdx.x) >> 5;
  if (tile >= num_tiles) return;
  LabelSummary summary = {INT32_MAX, 0, INT32_MAX};
  int32_t most = 0;
  for (int i = threadIdx.x & 31; i < kTilePoints; i += 32) {
    const int32_t place = tile * kTilePoints + i;
    const int32_t id = ids[place];
    const int32_t rank = id >= 0 ? point_ranks[id] : INT32_MAX;
    const int32_t label = id >= 0 ? point_labels[id] : 0;
    const int32_t best = id >= 0 ? point_best[id] : 0;
    ranks[place] = rank;
    labels[place] = label;
    bests[place] = best;
    summary = MergeLabels(summary, {rank, label, INT32_MAX});
    most = max(most, best);
  }
  for (int step = 16; step > 0; step /= 2) {
    summary = MergeLabels(
        summary, {__shfl_xor_sync(kFullWarp, summary.min_rank, step),
                  __shfl_xor_sync(kFullWarp, summary.min_label, step),
                  __shfl_xor_sync(kFullWarp, summary.other_min_rank, step)});
  }
  most = __reduce_max_sync(kFullWarp, most);
  if ((threadIdx.x & 31) == 0) {
    summaries[tile] = summary;
    most_best[tile] = most;
  }
}

}  // namespace

absl::Status LabelArrays::Start(const DeviceBuffer<int32_t>& point_ranks,
                                const DeviceBuffer<int32_t>& point_labels,
                                const DeviceBuffer<int32_t>& point_best,
                                TileArguments& arguments) {
  const int32_t tiles = arguments.num_tiles;
  const int32_t places = tiles * kTilePoints;
  RETURN_IF_ERROR(AllocateInto(places, ranks));
  RETURN_IF_ERROR(AllocateInto(places, labels));
  RETURN_IF_ERROR(AllocateInto(places, best));
  RETURN_IF_ERROR(AllocateInto(tiles, summaries));
  RETURN_IF_ERROR(AllocateInto(tiles, most_best));
  StartKernel<<<BlocksFor(tiles, kThreads / 32), kThreads>>>(
      arguments.ids, tiles, point_ranks.data(), point_labels.data(),
      point_best.data(), ranks.data(), labels.data(), best.data(),
      summaries.data(), most_best.data());
  RETURN_IF_ERROR(CudaLaunchStatus("labels of tiles"));
  arguments.labels = {ranks.data(), labels.data(), best.data(),
                      summaries.data(), most_best.data()};
  return absl::OkStatus();
}

}  // namespace warpclust
