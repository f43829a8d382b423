// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/machine/aligned_buffer.h"
#include "base/status/status_macros.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/device_relevances.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/stars/cuda/row_reduce.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_exchange.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// What one neighbor is asked for, in one aligned load.
struct alignas(16) Star {
  uint64_t weight_sum;
  int64_t degree;
};

// The largest weight, by its bits: see LargestWeight in relevance_cpu.cc.
__global__ void LargestWeightKernel(const float* __restrict__ weights,
                                    int64_t count, uint32_t* largest_bits) {
  uint32_t largest = 0;
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < count; i += stride) {
    // -0 becomes 0.
    largest = max(largest, __float_as_uint(weights[i] + 0.0f));
  }
  for (int step = 16; step > 0; step /= 2) {
    largest = max(largest, __shfl_xor_sync(kFullWarp, largest, step));
  }
  if (threadIdx.x % 32 == 0) atomicMax(largest_bits, largest);
}

// Each vertex's degree and sum of weights in fixed point.
struct SumOperation {
  FixedPointScale scale;
  const float* __restrict__ weights;
  Star* __restrict__ stars;

  __device__ uint64_t Begin(int32_t) const { return 0; }
  __device__ uint64_t Map(int32_t, int64_t entry) const {
    return scale.ToInteger(weights[entry]);
  }
  __device__ uint64_t Combine(uint64_t a, uint64_t b) const { return a + b; }
  __device__ void End(int32_t v, int64_t degree, uint64_t sum) const {
    stars[v] = Star{sum, degree};
  }
};

// Each vertex's relevance over 2 · degree.
struct CountOperation {
  const int32_t* __restrict__ neighbors;
  const Star* __restrict__ stars;
  int32_t first_vertex;  // Of the rows.
  uint32_t* __restrict__ counts;

  __device__ uint64_t Begin(int32_t) const { return 0; }
  __device__ uint64_t Map(int32_t v, int64_t entry) const {
    const Star star = Load(first_vertex + v);
    const Star other = Load(neighbors[entry]);
    return static_cast<uint64_t>(star.degree >= other.degree) +
           static_cast<uint64_t>(AverageAtLeast(
               star.weight_sum, star.degree, other.weight_sum, other.degree));
  }
  __device__ uint64_t Combine(uint64_t a, uint64_t b) const { return a + b; }
  __device__ void End(int32_t v, int64_t, uint64_t count) const {
    counts[v] = static_cast<uint32_t>(count);
  }

 private:
  __device__ Star Load(int32_t v) const {
    const ulonglong2 words =
        __ldg(reinterpret_cast<const ulonglong2*>(stars) + v);
    return Star{words.x, static_cast<int64_t>(words.y)};
  }
};

absl::StatusOr<float> LargestWeight(const DeviceGraph& graph,
                                    const Stream& stream) {
  ASSIGN_OR_RETURN(DeviceBuffer<uint32_t> bits,
                   DeviceBuffer<uint32_t>::Allocate(1));
  RETURN_IF_ERROR(bits.FillBytes(0));
  if (graph.num_entries > 0) {
    const unsigned blocks = BlocksFor(graph.num_entries, kThreads, 2112);
    LargestWeightKernel<<<blocks, kThreads, 0, stream.get()>>>(
        graph.weights.data(), graph.num_entries, bits.data());
    RETURN_IF_ERROR(CudaLaunchStatus("largest weight"));
  }
  ASSIGN_OR_RETURN(const std::vector<uint32_t> host, bits.ToHost());
  float largest;
  std::memcpy(&largest, host.data(), sizeof(largest));
  if (!(largest >= 0.0f && largest <= std::numeric_limits<float>::max())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "graph: expected finite weights of at least 0, found ", largest));
  }
  return largest;
}

// A thread per star.
__global__ void __launch_bounds__(kThreads)
    SplitStarsKernel(const Star* __restrict__ stars, int32_t n,
                     int32_t* __restrict__ degrees,
                     uint64_t* __restrict__ weight_sums) {
  const int64_t v = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (v >= n) return;
  degrees[v] = static_cast<int32_t>(stars[v].degree);
  weight_sums[v] = stars[v].weight_sum;
}

// Sets the values of the vertices of other ranks. Null: there are none.
template <typename T>
absl::Status GetOthers(Communicator& ranks, absl::Span<const int32_t> begins,
                       const Stream& stream, DeviceExchange* exchange,
                       DeviceBuffer<T>& values) {
  if (exchange == nullptr) return absl::OkStatus();
  // Exchanges wait neither for kernels nor for allocations.
  RETURN_IF_ERROR(stream.Synchronize());
  RETURN_IF_ERROR(
      CudaStatus(cudaStreamSynchronize(nullptr), "values of own vertices"));
  const int rank = ranks.rank();
  const auto count_of = [&](int r) { return begins[r + 1] - begins[r]; };
  for (int step = 1; step < ranks.size(); ++step) {
    const int from = ranks.Before(step);
    RETURN_IF_ERROR(exchange->SendReceive(
        values.data() + begins[rank], count_of(rank), ranks.After(step),
        values.data() + begins[from], count_of(from), from));
  }
  return absl::OkStatus();
}

absl::Status MakeRoom(int32_t n, int32_t num_own, DeviceBuffer<Star>& stars,
                      DeviceBuffer<int32_t>& hubs, DeviceRelevances& result) {
  RETURN_IF_ERROR(AllocateInto(n, stars));
  RETURN_IF_ERROR(AllocateInto(int64_t{num_own} + 1, hubs));
  RETURN_IF_ERROR(AllocateInto(n, result.counts));
  RETURN_IF_ERROR(AllocateInto(n, result.degrees));
  return AllocateInto(n, result.weight_sums);
}

absl::StatusOr<DeviceRelevances> Relevances(Communicator& ranks,
                                            absl::Span<const int32_t> begins,
                                            const DeviceGraph& rows,
                                            DeviceExchange* exchange) {
  const int32_t n = begins.back();
  const int32_t first = begins[ranks.rank()];
  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  const absl::StatusOr<float> largest = LargestWeight(rows, stream);
  RETURN_IF_ERROR(ranks.Agree(largest.status()));
  ASSIGN_OR_RETURN(const double largest_of_all,
                   ranks.AllReduceLargest(*largest));
  DeviceRelevances result;
  result.scale = MakeFixedPointScale(static_cast<float>(largest_of_all));
  DeviceBuffer<Star> stars;
  DeviceBuffer<int32_t> hubs;
  // Before the others wait for what this rank computes.
  RETURN_IF_ERROR(
      ranks.Agree(MakeRoom(n, rows.num_vertices, stars, hubs, result)));

  const SumOperation sums{result.scale, rows.weights.data(),
                          stars.data() + first};
  RETURN_IF_ERROR(ReduceRows(rows, sums, hubs, stream));
  RETURN_IF_ERROR(GetOthers(ranks, begins, stream, exchange, stars));
  const CountOperation relevances{rows.neighbors.data(), stars.data(), first,
                                  result.counts.data() + first};
  RETURN_IF_ERROR(ReduceRows(rows, relevances, hubs, stream));
  RETURN_IF_ERROR(GetOthers(ranks, begins, stream, exchange, result.counts));
  if (n > 0) {
    SplitStarsKernel<<<BlocksFor(n, kThreads), kThreads, 0, stream.get()>>>(
        stars.data(), n, result.degrees.data(), result.weight_sums.data());
    RETURN_IF_ERROR(CudaLaunchStatus("split stars"));
  }
  return result;
}

absl::StatusOr<DeviceRelevances> NamedRelevances(
    Communicator& ranks, absl::Span<const int32_t> begins,
    const DeviceGraph& rows, DeviceExchange* exchange) {
  absl::StatusOr<DeviceRelevances> result =
      Relevances(ranks, begins, rows, exchange);
  if (result.ok()) return result;
  return NameWhatDidNotFit(result.status(),
                           absl::StrCat("relevances of ", rows.num_vertices,
                                        " vertices on the GPU"));
}

// Fresh memory costs more than what is copied there, unless pages are large.
template <typename T>
absl::Status Download(const DeviceBuffer<T>& values, std::vector<T>* host) {
  ResizeInHugePages(values.size(), host);
  return values.CopyToHost(absl::MakeSpan(*host));
}

}  // namespace

absl::StatusOr<DeviceRelevances> RelevancesOnDevice(const DeviceGraph& graph) {
  SingleRank alone;
  return NamedRelevances(alone, {0, graph.num_vertices}, graph, nullptr);
}

absl::StatusOr<DeviceRelevances> RelevancesOnDevice(
    Communicator& ranks, absl::Span<const int32_t> begins,
    const DeviceGraph& rows, DeviceExchange& exchange) {
  return NamedRelevances(ranks, begins, rows, &exchange);
}

absl::StatusOr<RelevanceTable> DownloadRelevances(
    const DeviceRelevances& relevances) {
  RelevanceTable table;
  table.scale = relevances.scale;
  RETURN_IF_ERROR(Download(relevances.degrees, &table.degrees));
  RETURN_IF_ERROR(Download(relevances.weight_sums, &table.weight_sums));
  RETURN_IF_ERROR(Download(relevances.counts, &table.counts));
  return table;
}

absl::StatusOr<RelevanceTable> RelevancesCuda(const DeviceGraph& graph) {
  ASSIGN_OR_RETURN(const DeviceRelevances relevances,
                   RelevancesOnDevice(graph));
  return DownloadRelevances(relevances);
}

absl::StatusOr<RelevanceTable> RelevancesCuda(const CsrGraph& graph) {
  ASSIGN_OR_RETURN(const DeviceGraph device_graph, UploadGraph(graph));
  return RelevancesCuda(device_graph);
}

}  // namespace warpclust
