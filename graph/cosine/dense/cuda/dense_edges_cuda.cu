// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>

#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "graph/cosine/dense/cuda/dense_edges_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

constexpr int kDecideWarps = 4;
constexpr int kDecideThreads = 32 * kDecideWarps;

struct Decisions {
  int32_t num_dimensions;
  const float* values;
  const double* squared_norms;
  CosineDecision decision;
  int64_t count;
  const uint64_t* candidates;
  int bits;
  uint64_t* keys;
  float* cosines;
  unsigned long long* num_entries;
};

// Of 32 pairs and 32 dimensions. The padding spreads rows over the banks.
using Products = double[32][33];

// The dot product of each lane's pair of rows, added in ascending order of the
// dimensions, as specified. The warp reads the rows together, kWidth pairs at a
// time: by itself each lane would fetch sectors of its own rows again and
// again. kWidth is 4 if rows begin at multiples of 16 bytes, so that more bytes
// are on their way, else 1.
template <int kWidth>
__device__ double Dot(const float* values, int32_t dimensions, uint32_t row,
                      uint32_t column, Products& products) {
  using Piece = std::conditional_t<kWidth == 4, float4, float>;
  constexpr int kLanes = 32 / kWidth;  // Of a row.
  const int lane = static_cast<int>(threadIdx.x & 31);
  const int first = lane % kLanes * kWidth;
  double dot = 0;
  for (int32_t begin = 0; begin < dimensions; begin += 32) {
    const int width = min(32, dimensions - begin);
    __syncwarp();
#pragma unroll 8
    for (int pairs = 0; pairs < 32; pairs += kWidth) {
      const int pair = pairs + lane / kLanes;
      const int64_t a = __shfl_sync(kFullWarp, row, pair);
      const int64_t b = __shfl_sync(kFullWarp, column, pair);
      if (first < width) {
        const float* const from = values + begin + first;
        const Piece x =
            __ldg(reinterpret_cast<const Piece*>(from + a * dimensions));
        const Piece y =
            __ldg(reinterpret_cast<const Piece*>(from + b * dimensions));
#pragma unroll
        for (int k = 0; k < kWidth; ++k) {
          products[pair][first + k] =
              static_cast<double>(reinterpret_cast<const float*>(&x)[k]) *
              static_cast<double>(reinterpret_cast<const float*>(&y)[k]);
        }
      }
    }
    __syncwarp();
    for (int k = 0; k < width; ++k) dot += products[lane][k];
  }
  return dot;
}

// A lane per candidate. Lanes without a candidate compute row 0 with itself;
// the result is not used.
template <int kWidth>
__global__ void __launch_bounds__(kDecideThreads)
    DecideKernel(const Decisions d) {
  __shared__ Products products[kDecideWarps];
  const int64_t i = int64_t{blockIdx.x} * kDecideThreads + threadIdx.x;
  const uint64_t candidate = i < d.count ? d.candidates[i] : 0;
  const auto row = static_cast<uint32_t>(candidate >> 32);
  const auto column = static_cast<uint32_t>(candidate);
  const double dot = Dot<kWidth>(d.values, d.num_dimensions, row, column,
                                 products[threadIdx.x / 32]);
  float cosine = -1;
  if (i < d.count && dot > 0) {
    const double a = d.squared_norms[row];
    const double b = d.squared_norms[column];
    if (d.decision.Reaches(dot, a, b)) {
      cosine = CosineDecision::Cosine(dot, a, b);
    }
  }
  // The places of the warp's edges.
  const unsigned edges = __ballot_sync(kFullWarp, cosine >= 0);
  if (edges == 0) return;
  const int lane = threadIdx.x & 31;
  unsigned long long at = 0;
  if (lane == 0) at = atomicAdd(d.num_entries, 2ull * __popc(edges));
  at = __shfl_sync(kFullWarp, at, 0) + 2 * __popc(edges & ((1u << lane) - 1));
  if (cosine < 0) return;
  d.keys[at] = static_cast<uint64_t>(row) << d.bits | column;
  d.keys[at + 1] = static_cast<uint64_t>(column) << d.bits | row;
  d.cosines[at] = cosine;
  d.cosines[at + 1] = cosine;
}

// The graph's neighbors, and where each row begins, from sorted keys: a thread
// per entry, and per row, many of which may be empty.
__global__ void __launch_bounds__(kThreads)
    RowsKernel(int32_t num_documents, int bits, int64_t count,
               const uint64_t* keys, int64_t* offsets, int32_t* neighbors) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) {
    neighbors[i] = static_cast<int32_t>(keys[i] & ((uint64_t{1} << bits) - 1));
  }
  if (i <= num_documents) {
    offsets[i] =
        LowerBound(keys, int64_t{0}, count, static_cast<uint64_t>(i) << bits);
  }
}

}  // namespace

DenseEdges::DenseEdges(int32_t num_documents)
    : num_documents_(num_documents),
      bits_(std::max(
          1, SignificantBits(std::max<int32_t>(num_documents - 1, 1)))) {}

absl::Status DenseEdges::Add(const DeviceDenseDocuments& documents,
                             const CosineDecision& decision,
                             const uint64_t* candidates, int64_t count,
                             const std::function<void()>& launched) {
  if (count == 0) return absl::OkStatus();
  RETURN_IF_ERROR(ReserveInto(num_entries_ + 2 * count, keys_, num_entries_));
  RETURN_IF_ERROR(
      ReserveInto(num_entries_ + 2 * count, cosines_, num_entries_));
  ASSIGN_OR_RETURN(DeviceBuffer<unsigned long long> found,
                   DeviceBuffer<unsigned long long>::Allocate(1));
  RETURN_IF_ERROR(found.FillBytes(0));
  Decisions decisions = {};
  decisions.num_dimensions = documents.num_dimensions;
  decisions.values = documents.values.data();
  decisions.squared_norms = documents.squared_norms.data();
  decisions.decision = decision;
  decisions.count = count;
  decisions.candidates = candidates;
  decisions.bits = bits_;
  decisions.keys = keys_.data() + num_entries_;
  decisions.cosines = cosines_.data() + num_entries_;
  decisions.num_entries = found.data();
  const auto kernel =
      documents.num_dimensions % 4 == 0 ? DecideKernel<4> : DecideKernel<1>;
  kernel<<<BlocksFor(count, kDecideThreads), kDecideThreads>>>(decisions);
  RETURN_IF_ERROR(CudaLaunchStatus("exact cosines of dense documents"));
  launched();
  unsigned long long entries = 0;
  RETURN_IF_ERROR(found.CopyToHost(absl::MakeSpan(&entries, 1)));
  num_entries_ += static_cast<int64_t>(entries);
  return absl::OkStatus();
}

absl::StatusOr<DeviceGraph> DenseEdges::TakeGraph() {
  DeviceGraph graph;
  graph.num_vertices = num_documents_;
  graph.num_entries = num_entries_;
  TemporaryStorage storage;
  DeviceBuffer<uint64_t> sorted;
  RETURN_IF_ERROR(AllocateInto(num_entries_, sorted));
  RETURN_IF_ERROR(AllocateInto(num_entries_, graph.weights));
  RETURN_IF_ERROR(SortPairs(keys_.data(), sorted.data(), cosines_.data(),
                            graph.weights.data(), num_entries_, 0, 2 * bits_,
                            storage, nullptr));
  keys_ = DeviceBuffer<uint64_t>();
  cosines_ = DeviceBuffer<float>();
  RETURN_IF_ERROR(AllocateInto(int64_t{num_documents_} + 1, graph.offsets));
  RETURN_IF_ERROR(AllocateInto(num_entries_, graph.neighbors));
  const int64_t threads = std::max(num_entries_, int64_t{num_documents_} + 1);
  RowsKernel<<<BlocksFor(threads, kThreads), kThreads>>>(
      num_documents_, bits_, num_entries_, sorted.data(), graph.offsets.data(),
      graph.neighbors.data());
  RETURN_IF_ERROR(CudaLaunchStatus("rows of the dense graph"));
  num_entries_ = 0;
  return graph;
}

}  // namespace warpclust
