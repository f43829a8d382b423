// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/benchmarks/paper_relevance_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

// R = C of Algorithm 2: the largest square that a block of 1024 threads holds.
constexpr int kSide = 32;

// Algorithm 2.
__global__ void __launch_bounds__(kSide* kSide)
    RelevanceKernel(int32_t num_vertices, const int64_t* offsets,
                    const int32_t* neighbors, const float* ais,
                    float* relevances) {
  __shared__ float smm[kSide][kSide];
  const int64_t v = int64_t{blockIdx.x} * kSide + threadIdx.x;
  const bool is_vertex = v < num_vertices;
  const int64_t begin = is_vertex ? offsets[v] : 0;
  const int64_t degree = is_vertex ? offsets[v + 1] - begin : 0;
  float sum = 0;
  // Tiling: each row takes every kSide-th neighbor of v.
  for (int64_t i = threadIdx.y; i < degree; i += kSide) {
    const int32_t u = neighbors[begin + i];
    if (offsets[u + 1] - offsets[u] <= degree) sum += 1;
    if (ais[u] <= ais[v]) sum += 1;
  }
  smm[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int i = kSide / 2; i != 0; i /= 2) {
    if (threadIdx.y < i) {
      smm[threadIdx.y][threadIdx.x] += smm[threadIdx.y + i][threadIdx.x];
    }
    __syncthreads();
  }
  if (threadIdx.y == 0 && is_vertex) {
    relevances[v] = degree > 0
                        ? smm[0][threadIdx.x] / static_cast<float>(2 * degree)
                        : 0.0f;
  }
}

absl::StatusOr<std::vector<float>> Relevances(const DeviceGraph& graph,
                                              const std::vector<float>& ais) {
  ASSIGN_OR_RETURN(const DeviceBuffer<float> device_ais,
                   DeviceBuffer<float>::FromHost(ais));
  ASSIGN_OR_RETURN(DeviceBuffer<float> relevances,
                   DeviceBuffer<float>::Allocate(graph.num_vertices));
  // k = n / t + 1 blocks.
  RelevanceKernel<<<graph.num_vertices / kSide + 1, dim3(kSide, kSide)>>>(
      graph.num_vertices, graph.offsets.data(), graph.neighbors.data(),
      device_ais.data(), relevances.data());
  RETURN_IF_ERROR(CudaLaunchStatus("relevances by the paper's kernel"));
  return relevances.ToHost();
}

}  // namespace

std::vector<float> PaperAis(const CsrGraph& graph) {
  std::vector<float> ais;
  ais.reserve(graph.num_vertices());
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    float sum = 0;
    for (const float weight : graph.WeightsOf(v)) sum += weight;
    const int64_t degree = graph.Degree(v);
    ais.push_back(degree > 0 ? sum / static_cast<float>(degree) : 0.0f);
  }
  return ais;
}

absl::StatusOr<std::vector<float>> PaperRelevances(
    const DeviceGraph& graph, const std::vector<float>& ais) {
  if (graph.num_vertices == 0) return std::vector<float>();
  absl::StatusOr<std::vector<float>> relevances = Relevances(graph, ais);
  if (relevances.ok()) return relevances;
  return NameWhatDidNotFit(relevances.status(),
                           absl::StrCat("relevances of ", graph.num_vertices,
                                        " vertices on the GPU"));
}

}  // namespace warpclust
