// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "algorithms/density_peaks/distributed/cuda/rank_rows_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "vptree/points/box_key.h"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr unsigned kMostBoxBlocks = 512;
// The most that gridDim.y can be.
constexpr int32_t kMostGridRows = 65'535;

// Whole numbers that are ordered as the doubles are.
using Ordered = unsigned long long;
constexpr Ordered kSign = Ordered{1} << 63;

__device__ Ordered OrderedOf(double x) {
  const auto bits = static_cast<Ordered>(__double_as_longlong(x));
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
double DoubleOf(Ordered ordered) {
  const Ordered bits = (ordered & kSign) != 0 ? ordered & ~kSign : ~ordered;
  double x = 0;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

__global__ void __launch_bounds__(kThreads)
    OwnersKernel(const double* rows, int64_t count, int32_t dimensions,
                 const BisectionNode* nodes, int32_t first, uint16_t* owners) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  owners[i] = static_cast<uint16_t>(
      OwnerOf(nodes, rows + i * dimensions, first + static_cast<int32_t>(i)));
}

// Row y of the grid finds the bounds of the dimensions y, y + gridDim.y, …
__global__ void __launch_bounds__(kThreads)
    BoxKernel(const double* rows, int64_t count, int32_t dimensions,
              Ordered* low, Ordered* high) {
  for (int64_t k = blockIdx.y; k < dimensions; k += gridDim.y) {
    Ordered least = ~Ordered{0};
    Ordered largest = 0;
    for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
         i += int64_t{gridDim.x} * kThreads) {
      const Ordered x = OrderedOf(rows[i * dimensions + k]);
      least = min(least, x);
      largest = max(largest, x);
    }
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
      least = min(least, __shfl_xor_sync(kFullWarp, least, distance));
      largest = max(largest, __shfl_xor_sync(kFullWarp, largest, distance));
    }
    if (threadIdx.x % kWarp == 0) {
      atomicMin(low + k, least);
      atomicMax(high + k, largest);
    }
  }
}

// Bit b of masks[i]: whether point i is near box b. Counts are by box, then by
// block of the grid.
__global__ void __launch_bounds__(kThreads)
    NearKernel(const double* rows, int64_t count, int32_t dimensions, Norm norm,
               const double* boxes, int num_boxes, const double* limits,
               double limit, const uint8_t* asked, uint8_t* masks,
               int32_t* counts) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  unsigned mask = 0;
  if (i < count) {
    const double most = asked != nullptr && asked[i] == 0 ? -1
                        : limits != nullptr               ? limits[i]
                                                          : limit;
    for (int b = 0; b < num_boxes; ++b) {
      if (LeastKeyToBox(norm, boxes + 2 * b * dimensions, rows + i * dimensions,
                        dimensions) <= most) {
        mask |= 1u << b;
      }
    }
    masks[i] = static_cast<uint8_t>(mask);
  }
  for (int b = 0; b < num_boxes; ++b) {
    const int near = __syncthreads_count(static_cast<int>(mask >> b & 1u));
    if (threadIdx.x == 0) counts[int64_t{b} * gridDim.x + blockIdx.x] = near;
  }
}

// A grid of as many blocks; offsets are the sums of its counts.
__global__ void __launch_bounds__(kThreads)
    ListKernel(const uint8_t* masks, int64_t count, int num_boxes,
               const int64_t* offsets, int32_t* places) {
  __shared__ int of_warp[kThreads / kWarp];
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const unsigned before = (1u << threadIdx.x % kWarp) - 1;
  const unsigned mask = i < count ? masks[i] : 0u;
  for (int b = 0; b < num_boxes; ++b) {
    const int64_t* const begin = offsets + int64_t{b} * gridDim.x + blockIdx.x;
    // Nearly always. The same for all threads of the block.
    if (begin[0] == begin[1]) continue;
    const bool is_near = (mask >> b & 1u) != 0;
    const unsigned near = __ballot_sync(kFullWarp, is_near);
    if (threadIdx.x % kWarp == 0) of_warp[warp] = __popc(near);
    __syncthreads();
    if (is_near) {
      int64_t at = begin[0] + __popc(near & before);
      for (int w = 0; w < warp; ++w) at += of_warp[w];
      places[at] = static_cast<int32_t>(i);
    }
    __syncthreads();
  }
}

// One thread per coordinate.
__global__ void __launch_bounds__(kThreads)
    RowsKernel(const double* rows, const int32_t* places, int64_t count,
               int32_t dimensions, double* found) {
  const int64_t at = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t row = at / dimensions;
  if (row >= count) return;
  const int64_t place = places[row];
  found[at] = rows[place * dimensions + (at - row * dimensions)];
}

}  // namespace

absl::Status OwnersCuda(const DevicePoints& points,
                        absl::Span<const BisectionNode> nodes, int32_t first,
                        absl::Span<uint16_t> owners) {
  const int64_t n = points.num_points;
  if (n == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const auto device_nodes,
                   DeviceBuffer<BisectionNode>::FromHost(nodes));
  DeviceBuffer<uint16_t> found;
  RETURN_IF_ERROR(AllocateInto(n, found));
  OwnersKernel<<<BlocksFor(n, kThreads), kThreads>>>(
      points.values.data(), n, points.num_dimensions, device_nodes.data(),
      first, found.data());
  RETURN_IF_ERROR(CudaLaunchStatus("owners of points"));
  return found.CopyToHost(owners);
}

absl::StatusOr<std::vector<double>> BoxCuda(const DevicePoints& points) {
  const int32_t d = points.num_dimensions;
  std::vector<double> box(2 * static_cast<size_t>(d), -HUGE_VAL);
  std::fill_n(box.begin(), d, HUGE_VAL);
  if (points.num_points == 0) return box;
  DeviceBuffer<Ordered> low, high;
  RETURN_IF_ERROR(AllocateInto(d, low));
  RETURN_IF_ERROR(AllocateInto(d, high));
  RETURN_IF_ERROR(low.FillBytes(0xff));
  RETURN_IF_ERROR(high.FillBytes(0));
  const dim3 grid(BlocksFor(points.num_points, kThreads, kMostBoxBlocks),
                  static_cast<unsigned>(std::min(d, kMostGridRows)));
  BoxKernel<<<grid, kThreads>>>(points.values.data(), points.num_points, d,
                                low.data(), high.data());
  RETURN_IF_ERROR(CudaLaunchStatus("box of points"));
  ASSIGN_OR_RETURN(const std::vector<Ordered> lows, low.ToHost());
  ASSIGN_OR_RETURN(const std::vector<Ordered> highs, high.ToHost());
  for (int32_t k = 0; k < d; ++k) {
    box[k] = DoubleOf(lows[k]);
    box[d + k] = DoubleOf(highs[k]);
  }
  return box;
}

absl::StatusOr<std::vector<std::vector<int32_t>>> NearBoxesCuda(
    const DevicePoints& points, absl::Span<const double> boxes,
    const KeyLimits& limits) {
  const int64_t n = points.num_points;
  const int32_t d = points.num_dimensions;
  const int num_boxes = static_cast<int>(boxes.size()) / (2 * d);
  std::vector<std::vector<int32_t>> lists(num_boxes);
  if (n == 0 || num_boxes == 0) return lists;
  ASSIGN_OR_RETURN(const auto device_boxes,
                   DeviceBuffer<double>::FromHost(boxes));
  ASSIGN_OR_RETURN(const auto device_limits,
                   DeviceBuffer<double>::FromHost(limits.by_point));
  ASSIGN_OR_RETURN(const auto copied_asked,
                   DeviceBuffer<uint8_t>::FromHost(absl::MakeConstSpan(
                       limits.asked, limits.asked == nullptr ? 0 : n)));
  const int64_t blocks = BlocksFor(n, kThreads);
  DeviceBuffer<uint8_t> masks;
  DeviceBuffer<int32_t> counts;
  DeviceBuffer<int64_t> offsets;
  RETURN_IF_ERROR(AllocateInto(n, masks));
  RETURN_IF_ERROR(AllocateInto(num_boxes * blocks, counts));
  RETURN_IF_ERROR(AllocateInto(num_boxes * blocks + 1, offsets));
  NearKernel<<<static_cast<unsigned>(blocks), kThreads>>>(
      points.values.data(), n, d, points.norm, device_boxes.data(), num_boxes,
      device_limits.data(), limits.same,
      limits.asked != nullptr ? copied_asked.data() : limits.asked_on_device,
      masks.data(), counts.data());
  RETURN_IF_ERROR(CudaLaunchStatus("points near boxes"));
  TemporaryStorage storage;
  RETURN_IF_ERROR(OffsetsFromCounts(counts.data(), offsets.data(),
                                    num_boxes * blocks, storage, nullptr));
  std::vector<int64_t> ends(num_boxes);
  for (int b = 0; b < num_boxes; ++b) {
    RETURN_IF_ERROR(
        offsets.CopyToHost(absl::MakeSpan(&ends[b], 1), (b + 1) * blocks));
  }
  DeviceBuffer<int32_t> places;
  RETURN_IF_ERROR(AllocateInto(ends.back(), places));
  ListKernel<<<static_cast<unsigned>(blocks), kThreads>>>(
      masks.data(), n, num_boxes, offsets.data(), places.data());
  RETURN_IF_ERROR(CudaLaunchStatus("lists of points near boxes"));
  int64_t begin = 0;
  for (int b = 0; b < num_boxes; ++b) {
    lists[b].resize(ends[b] - begin);
    RETURN_IF_ERROR(places.CopyToHost(absl::MakeSpan(lists[b]), begin));
    begin = ends[b];
  }
  return lists;
}

absl::StatusOr<std::vector<double>> RowsCuda(const DevicePoints& points,
                                             absl::Span<const int32_t> places) {
  const int32_t d = points.num_dimensions;
  const auto count = static_cast<int64_t>(places.size());
  if (count == 0) return std::vector<double>();
  ASSIGN_OR_RETURN(const auto device_places,
                   DeviceBuffer<int32_t>::FromHost(places));
  DeviceBuffer<double> found;
  RETURN_IF_ERROR(AllocateInto(count * d, found));
  RowsKernel<<<BlocksFor(count * d, kThreads), kThreads>>>(
      points.values.data(), device_places.data(), count, d, found.data());
  RETURN_IF_ERROR(CudaLaunchStatus("rows of points"));
  return found.ToHost();
}

absl::Status CopyRowsCuda(const DevicePoints& points, absl::Span<double> rows) {
  return points.values.CopyToHost(rows);
}

}  // namespace warpclust
