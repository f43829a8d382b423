// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>

#include "algorithms/dclustr/cover/cuda/relevance_counter.h"
#include "base/status/status_macros.h"
#include "graph/stars/fixed_point_weight.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// The kernel strides over the rows.
constexpr int kMostBlocks = 8192;
constexpr int32_t kNoStray = std::numeric_limits<int32_t>::max();

// What neighbor b adds to the relevance count of a: 0, 1 or 2.
__device__ uint32_t Contribution(const CountedStar& a, const CountedStar& b) {
  return (a.degree >= b.degree ? 1u : 0u) +
         (AverageAtLeast(a.weight_sum, static_cast<uint64_t>(a.degree),
                         b.weight_sum, static_cast<uint64_t>(b.degree))
              ? 1u
              : 0u);
}

__device__ CountedStar Load(const CountedStar* stars, int32_t v) {
  const ulonglong2 words =
      __ldg(reinterpret_cast<const ulonglong2*>(stars) + v);
  CountedStar star;
  star.weight_sum = words.x;
  star.degree = static_cast<int32_t>(static_cast<uint32_t>(words.y));
  star.is_changed = static_cast<int32_t>(words.y >> 32);
  return star;
}

// A block per row.
__global__ void __launch_bounds__(kThreads)
    CountRowsKernel(int64_t rows, const int32_t* __restrict__ vertices,
                    const int64_t* __restrict__ offsets,
                    const int32_t* __restrict__ neighbors,
                    const CountedStar* __restrict__ now,
                    const CountedStar* __restrict__ before, uint32_t* counts,
                    int32_t* stray) {
  constexpr int kWarps = kThreads / 32;
  __shared__ uint32_t partial[kWarps];
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const int32_t v = vertices[row];
    const CountedStar star = Load(now, v);
    const CountedStar old = Load(before, v);
    const int64_t end = offsets[row + 1];
    uint32_t count = 0;
    for (int64_t i = offsets[row] + threadIdx.x; i < end; i += kThreads) {
      const int32_t u = neighbors[i];
      const CountedStar other = Load(now, u);
      if (other.degree == CountedStar::kAbsent) {
        atomicMin(stray, v);
        continue;
      }
      count += Contribution(star, other);
      if (other.is_changed != 0) continue;
      // An unchanged neighbor has the same edges as before, so of its
      // comparisons only the one with v may change.
      const uint32_t change =
          Contribution(other, star) - Contribution(other, old);
      if (change != 0) atomicAdd(&counts[u], change);
    }
    for (int step = 16; step > 0; step /= 2) {
      count += __shfl_xor_sync(kFullWarp, count, step);
    }
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int warp = 1; warp < kWarps; ++warp) count += partial[warp];
      // v is changed, so nobody corrects it.
      counts[v] = count;
    }
    // The next row writes `partial` again.
    __syncthreads();
  }
}

}  // namespace

absl::StatusOr<RelevanceCounter> RelevanceCounter::Create(
    absl::Span<const CountedStar> now, absl::Span<const CountedStar> before,
    absl::Span<const uint32_t> counts, int64_t chunk_rows,
    int64_t chunk_entries) {
  RelevanceCounter counter;
  ASSIGN_OR_RETURN(counter.now_, DeviceBuffer<CountedStar>::FromHost(now));
  ASSIGN_OR_RETURN(counter.before_,
                   DeviceBuffer<CountedStar>::FromHost(before));
  ASSIGN_OR_RETURN(counter.counts_, DeviceBuffer<uint32_t>::FromHost(counts));
  ASSIGN_OR_RETURN(counter.stray_, DeviceBuffer<int32_t>::FromHost({kNoStray}));
  for (Chunk& chunk : counter.chunks_) {
    ASSIGN_OR_RETURN(chunk.device_vertices,
                     DeviceBuffer<int32_t>::Allocate(chunk_rows));
    ASSIGN_OR_RETURN(chunk.device_offsets,
                     DeviceBuffer<int64_t>::Allocate(chunk_rows + 1));
    ASSIGN_OR_RETURN(chunk.device_neighbors,
                     DeviceBuffer<int32_t>::Allocate(chunk_entries));
    ASSIGN_OR_RETURN(chunk.vertices,
                     PinnedBuffer<int32_t>::Allocate(chunk_rows));
    ASSIGN_OR_RETURN(chunk.offsets,
                     PinnedBuffer<int64_t>::Allocate(chunk_rows + 1));
    ASSIGN_OR_RETURN(chunk.neighbors,
                     PinnedBuffer<int32_t>::Allocate(chunk_entries));
    ASSIGN_OR_RETURN(Stream stream, Stream::Create());
    counter.streams_.push_back(std::move(stream));
  }
  return counter;
}

absl::Status RelevanceCounter::BeginChunk() {
  return streams_[next_].Synchronize();
}

absl::Status RelevanceCounter::CountChunk(int64_t rows) {
  Chunk& chunk = chunks_[next_];
  const cudaStream_t stream = streams_[next_].get();
  next_ = 1 - next_;
  if (rows == 0) return absl::OkStatus();
  const auto upload = [stream](const auto& from, auto& to, int64_t count) {
    // All rows may be empty.
    if (count == 0) return absl::OkStatus();
    return CudaStatus(
        cudaMemcpyAsync(to.data(), from.data(),
                        static_cast<size_t>(count) * sizeof(from.data()[0]),
                        cudaMemcpyHostToDevice, stream),
        "copy rows to the GPU");
  };
  RETURN_IF_ERROR(upload(chunk.vertices, chunk.device_vertices, rows));
  RETURN_IF_ERROR(upload(chunk.offsets, chunk.device_offsets, rows + 1));
  RETURN_IF_ERROR(
      upload(chunk.neighbors, chunk.device_neighbors, chunk.offsets[rows]));
  CountRowsKernel<<<BlocksFor(rows, 1, kMostBlocks), kThreads, 0, stream>>>(
      rows, chunk.device_vertices.data(), chunk.device_offsets.data(),
      chunk.device_neighbors.data(), now_.data(), before_.data(),
      counts_.data(), stray_.data());
  return CudaLaunchStatus("count relevances");
}

absl::Status RelevanceCounter::Wait() const {
  for (const Stream& stream : streams_) RETURN_IF_ERROR(stream.Synchronize());
  return absl::OkStatus();
}

absl::Status RelevanceCounter::Finish(std::vector<uint32_t>* counts,
                                      int32_t* stray) {
  RETURN_IF_ERROR(Wait());
  ASSIGN_OR_RETURN(*counts, counts_.ToHost());
  ASSIGN_OR_RETURN(const std::vector<int32_t> found, stray_.ToHost());
  *stray = found[0] == kNoStray ? -1 : found[0];
  return absl::OkStatus();
}

}  // namespace warpclust
