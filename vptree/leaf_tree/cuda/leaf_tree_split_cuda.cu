// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cfloat>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_split_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/vp_tree/triangle_bounds.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// The positions that a warp takes when it bounds a node.
constexpr int kSlice = 512;
// Above this many dimensions a warp computes a distance.
constexpr int kWarpDimensions = 16;

// Doubles as integers in the same order, so that atomics can compare them.
__device__ unsigned long long OrderedBits(double value) {
  const auto bits =
      static_cast<unsigned long long>(__double_as_longlong(value));
  return (bits >> 63) != 0 ? ~bits : bits | (1ull << 63);
}
__device__ double FromOrderedBits(unsigned long long ordered) {
  const unsigned long long bits =
      (ordered >> 63) != 0 ? ordered & ~(1ull << 63) : ~ordered;
  return __longlong_as_double(static_cast<long long>(bits));
}

// --- Boxes -------------------------------------------------------------------

__global__ void ClearBoundsKernel(unsigned long long* bounds, int64_t nodes,
                                  int32_t d) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= nodes * 2 * d) return;
  bounds[i] = i / d % 2 == 0 ? ~0ull : 0ull;
}

// One warp per slice of a node.
__global__ void BoundsKernel(OrderedRows points, NodeRanges nodes,
                             int32_t slices, unsigned long long* bounds) {
  const int32_t d = points.num_dimensions;
  const int64_t warp = (int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t node = warp / slices;
  if (node >= nodes.NumNodes()) return;
  const int32_t begin =
      nodes.Begin(node) + static_cast<int32_t>(warp % slices) * kSlice;
  const int32_t node_end = nodes.Begin(node + 1);
  const int32_t end = node_end - begin > kSlice ? begin + kSlice : node_end;
  if (begin >= end) return;
  for (int32_t k = 0; k < d; ++k) {
    unsigned long long least = ~0ull;
    unsigned long long most = 0;
    for (int32_t p = begin + lane; p < end; p += 32) {
      const unsigned long long value = OrderedBits(points.Row(p)[k]);
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    for (int step = 16; step > 0; step /= 2) {
      const unsigned long long other_least =
          __shfl_xor_sync(kFullWarp, least, step);
      const unsigned long long other_most =
          __shfl_xor_sync(kFullWarp, most, step);
      least = other_least < least ? other_least : least;
      most = other_most > most ? other_most : most;
    }
    if (lane == 0) {
      unsigned long long* box = bounds + node * 2 * d;
      if (slices == 1) {
        box[k] = least;
        box[d + k] = most;
      } else {
        atomicMin(&box[k], least);
        atomicMax(&box[d + k], most);
      }
    }
  }
}

// One thread per node: its box as doubles, and its split.
__global__ void WidestKernel(const unsigned long long* bounds, int64_t nodes,
                             int32_t d, double* boxes, int32_t* dimension,
                             double* low, double* scale) {
  const int64_t node = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (node >= nodes) return;
  const unsigned long long* bound = bounds + node * 2 * d;
  double* box = boxes + node * 2 * d;
  double widest = -1;
  dimension[node] = 0;
  low[node] = 0;
  for (int32_t k = 0; k < d; ++k) {
    const bool empty = bound[k] > bound[d + k];
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double least = empty ? kInfinity : FromOrderedBits(bound[k]);
    const double most = empty ? -kInfinity : FromOrderedBits(bound[d + k]);
    box[k] = least;
    box[d + k] = most;
    if (most - least > widest) {
      widest = most - least;
      dimension[node] = k;
      low[node] = least;
    }
  }
  constexpr double kCells = (1 << BoxSplitter::kKeyBits) - 1;
  scale[node] = widest > 0 ? kCells / widest : 0;
}

__global__ void BoxKeysKernel(OrderedRows points, NodeRanges nodes,
                              const int32_t* dimension, const double* low,
                              const double* scale, uint64_t* keys) {
  const int64_t p = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (p >= nodes.num_points) return;
  const int64_t node = nodes.NodeOf(static_cast<int32_t>(p));
  const double x = points.Row(p)[dimension[node]];
  // Saturates: an infinite scale gives a NaN or infinity, converted to some
  // cell.
  const auto cell =
      static_cast<uint32_t>(__double2uint_rd((x - low[node]) * scale[node]));
  constexpr uint32_t kLast = (1u << BoxSplitter::kKeyBits) - 1;
  keys[p] = static_cast<uint64_t>(node) << BoxSplitter::kKeyBits |
            (cell < kLast ? cell : kLast);
}

// --- Vantage points ----------------------------------------------------------

// Returns the distance of a point to a vantage point's coordinates, by a thread
// or, in any order of the sum, by a warp. Only the tree's shape and its bounds,
// which have slack for it, depend on its last digits.
template <Norm kNorm>
__device__ double DistanceByThread(const double* x, const double* y,
                                   int32_t d) {
  return DistanceOfNormKey<kNorm>(DistanceKey<kNorm>(x, 1, y, 1, d));
}
template <Norm kNorm>
__device__ double DistanceByWarp(const double* x, const double* y, int32_t d,
                                 int lane) {
  double key = 0;
  for (int32_t k = lane; k < d; k += 32) {
    key = AddToKey<kNorm>(key, x[k] - y[k]);
  }
  for (int step = 16; step > 0; step /= 2) {
    const double other = __shfl_xor_sync(kFullWarp, key, step);
    if constexpr (kNorm == Norm::kLInf) {
      key = other > key ? other : key;
    } else {
      key += other;
    }
  }
  return DistanceOfNormKey<kNorm>(key);
}

// Keys are the distances as floats; the bits of nonnegative floats are in
// order. The vantage point of node j is at vantages + j * d, or (kFirst) the
// first point.
template <Norm kNorm, bool kByWarp>
__global__ void VantageKeysKernel(const double* points, const uint32_t* order,
                                  NodeRanges nodes, int32_t d,
                                  const double* vantages, uint64_t* keys) {
  const int64_t thread = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t p = kByWarp ? thread / 32 : thread;
  if (p >= nodes.num_points) return;
  const int64_t node = nodes.NodeOf(static_cast<int32_t>(p));
  const double* x = points + int64_t{order[p]} * d;
  const double* y = vantages + node * d;
  const int lane = static_cast<int>(thread % 32);
  const double distance = kByWarp ? DistanceByWarp<kNorm>(x, y, d, lane)
                                  : DistanceByThread<kNorm>(x, y, d);
  if (kByWarp && lane != 0) return;
  keys[p] = static_cast<uint64_t>(node) << VantageSplitter::kKeyBits |
            __float_as_uint(static_cast<float>(distance));
}

absl::Status LaunchVantageKeys(const DevicePoints& points,
                               const uint32_t* order, NodeRanges nodes,
                               const double* vantages, uint64_t* keys) {
  const int32_t d = points.num_dimensions;
  const bool by_warp = d > kWarpDimensions;
  const unsigned blocks =
      BlocksFor(int64_t{points.num_points} * (by_warp ? 32 : 1), kThreads);
  const auto launch = [&]<Norm kNorm>() {
    if (by_warp) {
      VantageKeysKernel<kNorm, true><<<blocks, kThreads>>>(
          points.values.data(), order, nodes, d, vantages, keys);
    } else {
      VantageKeysKernel<kNorm, false><<<blocks, kThreads>>>(
          points.values.data(), order, nodes, d, vantages, keys);
    }
  };
  switch (points.norm) {
    case Norm::kL2:
      launch.template operator()<Norm::kL2>();
      break;
    case Norm::kL1:
      launch.template operator()<Norm::kL1>();
      break;
    case Norm::kLInf:
      launch.template operator()<Norm::kLInf>();
      break;
  }
  return CudaLaunchStatus("distances to vantage points");
}

// Copies a point's coordinates; a warp.
__device__ void CopyPoint(const double* points, int64_t id, int32_t d, int lane,
                          double* to) {
  for (int32_t k = lane; k < d; k += 32) to[k] = points[id * d + k];
}

__global__ void RootKernel(const double* points, const uint32_t* order,
                           int32_t n, int32_t d, double* vantages) {
  CopyPoint(points, order[n - 1], d, static_cast<int>(threadIdx.x), vantages);
}

// One warp per node: the interval of distances to the parent's vantage point,
// from its first and last key, and its own vantage point (if it is not a leaf).
// The float of a distance is within 2^-24 of it, so 2^-23 outwards contains it.
// Below the smallest normal float and above the largest, these contain it
// themselves.
__global__ void ChildrenKernel(const double* points, const uint32_t* order,
                               const uint64_t* sorted_keys, NodeRanges nodes,
                               int32_t d, bool leaves, double* vantages,
                               double* intervals) {
  const int64_t node = (int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  if (node >= nodes.NumNodes()) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int32_t begin = nodes.Begin(node);
  const int32_t last = nodes.Begin(node + 1) - 1;
  const int64_t in_tree = nodes.NumNodes() - 1 + node;
  if (last < begin) {
    // Empty: no distance is in the interval. Any vantage point is correct.
    if (lane == 0) {
      intervals[2 * (in_tree - 1)] = std::numeric_limits<double>::infinity();
      intervals[2 * (in_tree - 1) + 1] = 0;
    }
    if (!leaves) CopyPoint(points, order[0], d, lane, vantages + in_tree * d);
    return;
  }
  if (lane == 0) {
    const double nearest =
        __uint_as_float(static_cast<uint32_t>(sorted_keys[begin]));
    const double farthest =
        __uint_as_float(static_cast<uint32_t>(sorted_keys[last]));
    constexpr double kUnit = 1.0 / (1 << 23);
    // Two of the parent's four.
    double* interval = intervals + 2 * (in_tree - 1);
    interval[0] = nearest < FLT_MIN   ? 0
                  : nearest > FLT_MAX ? FLT_MAX
                                      : nearest * (1 - kUnit);
    interval[1] = farthest < FLT_MIN ? FLT_MIN : farthest * (1 + kUnit);
  }
  if (!leaves) {
    CopyPoint(points, order[last], d, lane, vantages + in_tree * d);
  }
}

}  // namespace

absl::Status BoxSplitter::Begin(const CudaLeafTree::Arrays& arrays) {
  const int64_t leaves = arrays.num_leaves();
  RETURN_IF_ERROR(AllocateInto(leaves * 2 * arrays.num_dimensions, bounds_));
  RETURN_IF_ERROR(AllocateInto(leaves, dimension_));
  RETURN_IF_ERROR(AllocateInto(leaves, low_));
  return AllocateInto(leaves, scale_);
}

absl::Status BoxSplitter::FillBoxes(const OrderedRows& points, NodeRanges nodes,
                                    CudaLeafTree::Arrays& arrays) {
  const int32_t d = points.num_dimensions;
  const int64_t count = nodes.NumNodes();
  const int64_t largest = (nodes.num_points + count - 1) / count;
  const int32_t slices = static_cast<int32_t>((largest + kSlice - 1) / kSlice);
  auto* bounds = reinterpret_cast<unsigned long long*>(bounds_.data());
  // Slices meet by atomics; empty nodes are not visited at all.
  if (slices > 1 || nodes.num_points < count) {
    ClearBoundsKernel<<<BlocksFor(count * 2 * d, kThreads), kThreads>>>(
        bounds, count, d);
  }
  BoundsKernel<<<BlocksFor(count * slices * 32, kThreads), kThreads>>>(
      points, nodes, slices, bounds);
  WidestKernel<<<BlocksFor(count, kThreads), kThreads>>>(
      bounds, count, d, arrays.boxes.data() + (count - 1) * 2 * d,
      dimension_.data(), low_.data(), scale_.data());
  return CudaLaunchStatus("boxes of nodes");
}

absl::Status BoxSplitter::FillKeys(const OrderedRows& points, NodeRanges nodes,
                                   uint64_t* keys) {
  BoxKeysKernel<<<BlocksFor(nodes.num_points, kThreads), kThreads>>>(
      points, nodes, dimension_.data(), low_.data(), scale_.data(), keys);
  return CudaLaunchStatus("split keys of boxes");
}

absl::Status VantageSplitter::FillFirstKeys(const DevicePoints& points,
                                            const uint32_t* order,
                                            uint64_t* keys) {
  return LaunchVantageKeys(points, order, {points.num_points, 0},
                           points.values.data(), keys);
}

absl::Status VantageSplitter::ChooseRoot(const DevicePoints& points,
                                         const uint32_t* order,
                                         CudaLeafTree::Arrays& arrays) {
  RootKernel<<<1, 32>>>(points.values.data(), order, points.num_points,
                        points.num_dimensions, arrays.vantages.data());
  return CudaLaunchStatus("vantage point of the root");
}

absl::Status VantageSplitter::FillKeys(const DevicePoints& points,
                                       const uint32_t* order, NodeRanges nodes,
                                       const CudaLeafTree::Arrays& arrays,
                                       uint64_t* keys) {
  return LaunchVantageKeys(
      points, order, nodes,
      arrays.vantages.data() + (nodes.NumNodes() - 1) * points.num_dimensions,
      keys);
}

absl::Status VantageSplitter::FillChildren(const DevicePoints& points,
                                           const uint32_t* order,
                                           const uint64_t* sorted_keys,
                                           NodeRanges children,
                                           CudaLeafTree::Arrays& arrays) {
  ChildrenKernel<<<BlocksFor(children.NumNodes() * 32, kThreads), kThreads>>>(
      points.values.data(), order, sorted_keys, children, points.num_dimensions,
      children.level == arrays.height, arrays.vantages.data(),
      arrays.intervals.data());
  return CudaLaunchStatus("intervals of children");
}

}  // namespace warpclust
