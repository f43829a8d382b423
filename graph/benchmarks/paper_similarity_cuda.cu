// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/benchmarks/paper_similarity_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/pinned_buffer.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

// R = C of Algorithm 1: the largest square that a block of 1024 threads holds.
constexpr int kSide = 32;

// Writes the weights of a document into its vector P_v, or zeros again.
__global__ void FillVectorKernel(int32_t count, const int32_t* terms,
                                 const float* weights, bool clear,
                                 float* vector) {
  const int32_t e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < count) vector[terms[e]] = clear ? 0.0f : weights[e];
}

// Algorithm 1. `offsets` and `norms` are those of the first document of Suc_v.
__global__ void SimilarityKernel(int32_t num_successors, const int64_t* offsets,
                                 const int32_t* terms, const float* weights,
                                 const float* vector, float norm,
                                 const float* norms, float* similarities) {
  __shared__ float smm[kSide][kSide];
  const int32_t u = threadIdx.x + kSide * blockIdx.x;
  smm[threadIdx.y][threadIdx.x] = 0;
  if (u < num_successors) {
    float sum = 0;
    // Tiling: each row takes every kSide-th term of u.
    for (int64_t e = offsets[u] + threadIdx.y; e < offsets[u + 1]; e += kSide) {
      sum += weights[e] * vector[terms[e]];
    }
    smm[threadIdx.y][threadIdx.x] = sum;
  }
  __syncthreads();
  for (int i = kSide / 2; i != 0; i /= 2) {
    if (threadIdx.y < i) {
      smm[threadIdx.y][threadIdx.x] += smm[threadIdx.y + i][threadIdx.x];
    }
    __syncthreads();
  }
  if (threadIdx.y == 0 && u < num_successors) {
    similarities[u] = norm > 0 && norms[u] > 0
                          ? smm[0][threadIdx.x] / (norm * norms[u])
                          : 0.0f;
  }
}

struct OnDevice {
  DeviceBuffer<int64_t> offsets;
  DeviceBuffer<int32_t> terms;
  DeviceBuffer<float> weights;
  DeviceBuffer<float> norms;
  DeviceBuffer<float> vector;        // P_v
  DeviceBuffer<float> similarities;  // of v and Suc_v
};

absl::StatusOr<OnDevice> UploadAll(const DocumentMatrix& documents,
                                   const std::vector<float>& norms) {
  OnDevice device;
  ASSIGN_OR_RETURN(device.offsets,
                   DeviceBuffer<int64_t>::FromHost(documents.offsets));
  ASSIGN_OR_RETURN(device.terms,
                   DeviceBuffer<int32_t>::FromHost(documents.terms));
  ASSIGN_OR_RETURN(device.weights,
                   DeviceBuffer<float>::FromHost(documents.weights));
  ASSIGN_OR_RETURN(device.norms, DeviceBuffer<float>::FromHost(norms));
  ASSIGN_OR_RETURN(device.vector,
                   DeviceBuffer<float>::Allocate(documents.num_terms));
  ASSIGN_OR_RETURN(device.similarities,
                   DeviceBuffer<float>::Allocate(documents.num_documents()));
  RETURN_IF_ERROR(device.vector.FillBytes(0));
  return device;
}

// Similarities of document v with all after it, into `host`.
absl::Status Similarities(const DocumentMatrix& documents, int32_t v,
                          float norm, OnDevice& device, cudaStream_t stream,
                          float* host) {
  constexpr int kThreads = 128;
  const int64_t begin = documents.offsets[v];
  const auto count = static_cast<int32_t>(documents.offsets[v + 1] - begin);
  const int32_t successors = documents.num_documents() - v - 1;
  const int fill_blocks = count / kThreads + 1;
  FillVectorKernel<<<fill_blocks, kThreads, 0, stream>>>(
      count, device.terms.data() + begin, device.weights.data() + begin, false,
      device.vector.data());
  // k = n / t + 1 blocks.
  SimilarityKernel<<<successors / kSide + 1, dim3(kSide, kSide), 0, stream>>>(
      successors, device.offsets.data() + v + 1, device.terms.data(),
      device.weights.data(), device.vector.data(), norm,
      device.norms.data() + v + 1, device.similarities.data());
  FillVectorKernel<<<fill_blocks, kThreads, 0, stream>>>(
      count, device.terms.data() + begin, device.weights.data() + begin, true,
      device.vector.data());
  RETURN_IF_ERROR(CudaLaunchStatus("similarities of a document"));
  return CudaStatus(
      cudaMemcpyAsync(host, device.similarities.data(),
                      static_cast<size_t>(successors) * sizeof(float),
                      cudaMemcpyDeviceToHost, stream),
      "copy similarities to the host");
}

}  // namespace

absl::StatusOr<PaperSimilarityResult> PaperSimilarityGraph(
    const DocumentMatrix& documents, const PaperSimilarityOptions& options) {
  PaperSimilarityResult result;
  const int32_t n = documents.num_documents();
  result.ais.assign(n, 0.0f);
  if (documents.num_entries() == 0) return result;
  std::vector<float> norms;
  for (const double squared : SquaredNorms(documents)) {
    norms.push_back(static_cast<float>(std::sqrt(squared)));
  }
  absl::StatusOr<OnDevice> device = UploadAll(documents, norms);
  if (!device.ok()) {
    return NameWhatDidNotFit(device.status(),
                             absl::StrCat(n, " documents on the GPU"));
  }
  ASSIGN_OR_RETURN(const Stream stream, Stream::Create());
  ASSIGN_OR_RETURN(PinnedBuffer<float> host, PinnedBuffer<float>::Allocate(n));
  // Loads the kernels.
  RETURN_IF_ERROR(Similarities(documents, n - 1, norms[n - 1], *device,
                               stream.get(), host.data()));
  RETURN_IF_ERROR(stream.Synchronize());

  const auto start = std::chrono::steady_clock::now();
  std::vector<int32_t> degrees(n, 0);
  for (int32_t v = 0; v + 1 < n; v += std::max(options.stride, 1)) {
    RETURN_IF_ERROR(Similarities(documents, v, norms[v], *device, stream.get(),
                                 host.data()));
    RETURN_IF_ERROR(stream.Synchronize());
    const float* similarities = host.data();
    for (int32_t u = v + 1; u < n; ++u) {
      const float similarity = similarities[u - v - 1];
      if (similarity < options.beta) continue;
      result.edges.push_back({v, u, similarity});
      ++degrees[v];
      ++degrees[u];
      result.ais[v] += similarity;
      result.ais[u] += similarity;
    }
  }
  for (int32_t v = 0; v < n; ++v) {
    if (degrees[v] > 0) result.ais[v] /= static_cast<float>(degrees[v]);
  }
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

}  // namespace warpclust
