// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/nearest_state_cuda.h"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    StartKernel(const __grid_constant__ TileArguments a,
                const int32_t* point_ranks, const int32_t* known_ids,
                const double* known_keys, int32_t* ranks, int32_t* top) {
  const int32_t place = blockIdx.x * kThreads + threadIdx.x;
  if (place >= a.num_tiles * kTilePoints) return;
  const NearestState& s = a.nearest;
  const int32_t id = a.ids[place];
  const int32_t rank = id >= 0 ? point_ranks[id] : INT32_MAX;
  ranks[place] = rank;
  const bool is_known = id >= 0 && known_ids[id] >= 0;
  const double key = is_known ? known_keys[id] : INFINITY;
  s.keys[place] = key;
  s.ids[place] = is_known ? known_ids[id] : -1;
  s.locks[place] = 0;
  if (rank == 0) *top = place;
  if (s.bounds == nullptr) return;
  const bool none = id < 0 || rank == 0;
  s.bounds[place] = static_cast<unsigned long long>(
      __double_as_longlong(none ? 0.0 : INFINITY));
  s.first_limits[place] = none ? kNoLimit : kLargestLimit;
  s.second_limits[place] = none ? 0 : kUnlimited;
  if (is_known && !none) Tighten(s, place, ReachOfKey<Norm::kL2>(s, key));
}

// One thread per place, a warp per 32 places of a tile.
template <Norm kNorm>
__global__ void __launch_bounds__(kThreads)
    SeedKernel(const __grid_constant__ TileArguments a, const int32_t* top) {
  const int32_t place = blockIdx.x * kThreads + threadIdx.x;
  if (place >= a.num_tiles * kTilePoints || a.ids[place] < 0) return;
  if (!IsOfShare(a, place / kTilePoints)) return;
  const int32_t rank = a.nearest.ranks[place];
  const int32_t first = place & ~31;
  int32_t best = -1;
  int best_distance = INT32_MAX;
  for (int i = 0; i < 32; ++i) {
    const int32_t other = first + i;
    if (a.nearest.ranks[other] >= rank) continue;  // empty places, too
    if (a.high == nullptr) {
      best = other;
      break;
    }
    const int4* x = reinterpret_cast<const int4*>(
        a.high + static_cast<int64_t>(place) * a.row_bytes);
    const int4* y = reinterpret_cast<const int4*>(
        a.high + static_cast<int64_t>(other) * a.row_bytes);
    int dot = 0;
    for (int k = 0; k < a.row_bytes / 16; ++k) {
      const int4 p = x[k];
      const int4 q = y[k];
      dot = __dp4a(p.x, q.x, dot);
      dot = __dp4a(p.y, q.y, dot);
      dot = __dp4a(p.z, q.z, dot);
      dot = __dp4a(p.w, q.w, dot);
    }
    const int distance = a.norms[other] - 2 * dot;
    if (distance < best_distance) {
      best_distance = distance;
      best = other;
    }
  }
  if (best >= 0) {
    Offer(a.nearest, place, ExactKey<kNorm>(a, place, best), a.ids[best]);
  }
  const int32_t highest = *top;
  if (highest >= 0 && highest != best && a.nearest.ranks[highest] < rank) {
    Offer(a.nearest, place, ExactKey<kNorm>(a, place, highest), a.ids[highest]);
  }
}

// One warp per tile.
template <Norm kNorm>
__global__ void __launch_bounds__(kThreads)
    ReachKernel(const __grid_constant__ TileArguments a, double* reaches) {
  const int32_t tile = (blockIdx.x * kThreads + threadIdx.x) >> 5;
  if (tile >= a.num_tiles) return;
  double most = 0;
  for (int i = threadIdx.x & 31; i < kTilePoints; i += 32) {
    const int32_t place = tile * kTilePoints + i;
    const double key = a.nearest.keys[place];
    if (key < INFINITY) {
      most = fmax(most, ReachOfKey<kNorm>(a.nearest, key));
    } else if (a.ids[place] >= 0 && a.nearest.ranks[place] > 0) {
      most = INFINITY;  // any point is nearer than none
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    most = fmax(most, __shfl_xor_sync(kFullWarp, most, step));
  }
  if ((threadIdx.x & 31) == 0) reaches[tile] = most;
}

}  // namespace

absl::Status NearestArrays::Start(const DeviceBuffer<int32_t>& point_ranks,
                                  const DeviceBuffer<int32_t>& known_ids,
                                  const DeviceBuffer<double>& known_keys,
                                  TileArguments& arguments) {
  const int32_t places = arguments.num_tiles * kTilePoints;
  const bool digits = arguments.high != nullptr;
  RETURN_IF_ERROR(AllocateInto(places, ranks));
  RETURN_IF_ERROR(AllocateInto(places, keys));
  RETURN_IF_ERROR(AllocateInto(places, ids));
  RETURN_IF_ERROR(AllocateInto(places, locks));
  RETURN_IF_ERROR(AllocateInto(digits ? places : 0, bounds));
  RETURN_IF_ERROR(AllocateInto(digits ? places : 0, first_limits));
  RETURN_IF_ERROR(AllocateInto(digits ? places : 0, second_limits));
  RETURN_IF_ERROR(AllocateInto(arguments.num_tiles, reaches));
  RETURN_IF_ERROR(AllocateInto(1, top));
  RETURN_IF_ERROR(top.FillBytes(0xff));
  NearestState& state = arguments.nearest;
  state.ranks = ranks.data();
  state.keys = keys.data();
  state.ids = ids.data();
  state.locks = locks.data();
  state.bounds = bounds.data();
  state.first_limits = first_limits.data();
  state.second_limits = second_limits.data();
  state.reaches = reaches.data();
  StartKernel<<<BlocksFor(places, kThreads), kThreads>>>(
      arguments, point_ranks.data(), known_ids.data(), known_keys.data(),
      ranks.data(), top.data());
  return CudaLaunchStatus("known neighbors");
}

absl::Status NearestArrays::Seed(Norm norm, const TileArguments& arguments) {
  const int32_t places = arguments.num_tiles * kTilePoints;
  const auto seed = norm == Norm::kL2   ? SeedKernel<Norm::kL2>
                    : norm == Norm::kL1 ? SeedKernel<Norm::kL1>
                                        : SeedKernel<Norm::kLInf>;
  seed<<<BlocksFor(places, kThreads), kThreads>>>(arguments, top.data());
  return CudaLaunchStatus("first neighbors");
}

absl::Status UpdateReaches(Norm norm, const TileArguments& arguments,
                           NearestArrays& arrays) {
  const auto kernel = norm == Norm::kL2   ? ReachKernel<Norm::kL2>
                      : norm == Norm::kL1 ? ReachKernel<Norm::kL1>
                                          : ReachKernel<Norm::kLInf>;
  kernel<<<BlocksFor(arguments.num_tiles, kThreads / 32), kThreads>>>(
      arguments, arrays.reaches.data());
  return CudaLaunchStatus("reaches of the tiles");
}

}  // namespace warpclust
