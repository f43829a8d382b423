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
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/stars/cuda/row_reduce.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
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

// Fresh memory costs more than what is copied there, unless pages are large.
template <typename T>
absl::Status Download(const DeviceBuffer<T>& values, int64_t first,
                      int64_t count, std::vector<T>* host) {
  ResizeInHugePages(count, host);
  return values.CopyToHost(absl::MakeSpan(*host), first);
}

// Sets the stars of the vertices of other ranks.
absl::Status ExchangeStars(Communicator& ranks, int32_t first, int32_t num_own,
                           DeviceBuffer<Star>& stars) {
  std::vector<Star> own;
  RETURN_IF_ERROR(Download(stars, first, num_own, &own));
  ASSIGN_OR_RETURN(const RankLists<Star> all,
                   ranks.AllGather(absl::MakeConstSpan(own)));
  return stars.CopyFromHost(all.values);
}

absl::StatusOr<RelevanceTable> Relevances(Communicator& ranks,
                                          absl::Span<const int32_t> begins,
                                          const DeviceGraph& rows) {
  const int32_t n = begins.back();
  const int32_t first = begins[ranks.rank()];
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  const absl::StatusOr<float> largest = LargestWeight(rows, stream);
  RETURN_IF_ERROR(ranks.Agree(largest.status()));
  ASSIGN_OR_RETURN(const double largest_of_all,
                   ranks.AllReduceLargest(*largest));
  RelevanceTable table;
  table.scale = MakeFixedPointScale(static_cast<float>(largest_of_all));
  stopwatch.Lap("largest weight");
  ASSIGN_OR_RETURN(DeviceBuffer<Star> stars, DeviceBuffer<Star>::Allocate(n));
  ASSIGN_OR_RETURN(DeviceBuffer<uint32_t> counts,
                   DeviceBuffer<uint32_t>::Allocate(rows.num_vertices));
  ASSIGN_OR_RETURN(
      DeviceBuffer<int32_t> hubs,
      DeviceBuffer<int32_t>::Allocate(int64_t{rows.num_vertices} + 1));

  const SumOperation sums{table.scale, rows.weights.data(),
                          stars.data() + first};
  RETURN_IF_ERROR(ReduceRows(rows, sums, hubs, stream));
  if (ranks.size() > 1) {
    RETURN_IF_ERROR(ExchangeStars(ranks, first, rows.num_vertices, stars));
    stopwatch.Lap("exchange sums");
  }
  const CountOperation relevances{rows.neighbors.data(), stars.data(), first,
                                  counts.data()};
  RETURN_IF_ERROR(ReduceRows(rows, relevances, hubs, stream));

  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> degrees,
                   DeviceBuffer<int32_t>::Allocate(n));
  ASSIGN_OR_RETURN(DeviceBuffer<uint64_t> weight_sums,
                   DeviceBuffer<uint64_t>::Allocate(n));
  SplitStarsKernel<<<BlocksFor(n, kThreads), kThreads, 0, stream.get()>>>(
      stars.data(), n, degrees.data(), weight_sums.data());
  RETURN_IF_ERROR(CudaLaunchStatus("split stars"));
  RETURN_IF_ERROR(Download(counts, 0, counts.size(), &table.counts));
  stopwatch.Lap("count relevances");
  if (ranks.size() > 1) {
    ASSIGN_OR_RETURN(RankLists<uint32_t> all,
                     ranks.AllGather(absl::MakeConstSpan(table.counts)));
    table.counts = std::move(all.values);
  }
  RETURN_IF_ERROR(Download(degrees, 0, n, &table.degrees));
  RETURN_IF_ERROR(Download(weight_sums, 0, n, &table.weight_sums));
  stopwatch.Lap("download relevances");
  return table;
}

}  // namespace

absl::StatusOr<RelevanceTable> RelevancesCuda(const DeviceGraph& graph) {
  SingleRank alone;
  return RelevancesCuda(alone, {0, graph.num_vertices}, graph);
}

absl::StatusOr<RelevanceTable> RelevancesCuda(Communicator& ranks,
                                              absl::Span<const int32_t> begins,
                                              const DeviceGraph& rows) {
  absl::StatusOr<RelevanceTable> table = Relevances(ranks, begins, rows);
  if (table.ok()) return table;
  return NameWhatDidNotFit(table.status(),
                           absl::StrCat("relevances of ", rows.num_vertices,
                                        " vertices on the GPU"));
}

absl::StatusOr<RelevanceTable> RelevancesCuda(const CsrGraph& graph) {
  ASSIGN_OR_RETURN(const DeviceGraph device_graph, UploadGraph(graph));
  return RelevancesCuda(device_graph);
}

}  // namespace warpclust
