// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// Rounds of jumping between two checks whether anything still moves.
constexpr int kRounds = 4;

// One thread per root: makes it its own parent and stores its number.
__global__ void RootsKernel(const int32_t* roots, int32_t count,
                            int32_t* parents, int32_t* numbers) {
  const auto k = static_cast<int32_t>(blockIdx.x * kThreads + threadIdx.x);
  if (k >= count) return;
  parents[roots[k]] = roots[k];
  numbers[roots[k]] = k;
}

// Parents only move up, so a round may read what the same round wrote.
__global__ void JumpKernel(int32_t* parents, int64_t count, int32_t* moved) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const int32_t parent = parents[i];
  const int32_t above = parents[parent];
  if (above == parent) return;
  parents[i] = above;
  *moved = 1;
}

__global__ void LabelsKernel(const int32_t* parents, const int32_t* numbers,
                             int64_t count, int32_t* labels) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) labels[i] = numbers[parents[i]];
}

// Makes the root above every point its parent.
absl::Status JumpToRoots(DeviceBuffer<int32_t>& parents) {
  DeviceBuffer<int32_t> moved;
  RETURN_IF_ERROR(AllocateInto(1, moved));
  int32_t host_moved = 1;
  while (host_moved != 0) {
    RETURN_IF_ERROR(moved.FillBytes(0));
    for (int round = 0; round < kRounds; ++round) {
      JumpKernel<<<BlocksFor(parents.size(), kThreads), kThreads>>>(
          parents.data(), parents.size(), moved.data());
    }
    RETURN_IF_ERROR(CudaLaunchStatus("jump to roots"));
    RETURN_IF_ERROR(moved.CopyToHost(absl::MakeSpan(&host_moved, 1)));
  }
  return absl::OkStatus();
}

absl::StatusOr<Clusters> Assign(const DecisionGraph& graph,
                                absl::Span<const int32_t> peaks,
                                int32_t density_min, int num_threads) {
  if (graph.num_points() == 0) return Clusters();
  ASSIGN_OR_RETURN(
      std::vector<int32_t> labels,
      NearestRootsCuda(graph.dependent_points, peaks, num_threads));
  return NumberClusters(std::move(labels), peaks, graph, density_min,
                        num_threads);
}

}  // namespace

absl::StatusOr<Clusters> AssignClustersCuda(const DecisionGraph& graph,
                                            absl::Span<const int32_t> peaks,
                                            int32_t density_min,
                                            int num_threads) {
  absl::StatusOr<Clusters> clusters =
      Assign(graph, peaks, density_min, num_threads);
  if (clusters.ok()) return clusters;
  return NameWhatDidNotFit(
      clusters.status(),
      absl::StrCat("clusters of ", graph.num_points(), " points on the GPU"));
}

absl::StatusOr<std::vector<int32_t>> NearestRootsCuda(
    absl::Span<const int32_t> dependents, absl::Span<const int32_t> roots,
    int num_threads) {
  const auto n = static_cast<int64_t>(dependents.size());
  const auto num_roots = static_cast<int32_t>(roots.size());
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> parents,
                   DeviceBuffer<int32_t>::FromHost(dependents));
  ASSIGN_OR_RETURN(const DeviceBuffer<int32_t> device_roots,
                   DeviceBuffer<int32_t>::FromHost(roots));
  DeviceBuffer<int32_t> numbers;
  RETURN_IF_ERROR(AllocateInto(n, numbers));
  RootsKernel<<<BlocksFor(num_roots, kThreads), kThreads>>>(
      device_roots.data(), num_roots, parents.data(), numbers.data());
  RETURN_IF_ERROR(CudaLaunchStatus("roots"));
  RETURN_IF_ERROR(JumpToRoots(parents));
  DeviceBuffer<int32_t> labels;
  RETURN_IF_ERROR(AllocateInto(n, labels));
  LabelsKernel<<<BlocksFor(n, kThreads), kThreads>>>(
      parents.data(), numbers.data(), n, labels.data());
  RETURN_IF_ERROR(CudaLaunchStatus("labels"));
  return labels.ToHost(num_threads);
}

absl::Status FindChainEndsCuda(absl::Span<int32_t> next) {
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> parents,
                   DeviceBuffer<int32_t>::FromHost(next));
  RETURN_IF_ERROR(JumpToRoots(parents));
  return parents.CopyToHost(next);
}

}  // namespace warpclust
