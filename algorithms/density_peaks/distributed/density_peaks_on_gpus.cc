// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/density_peaks_on_gpus.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "base/communicator/communicator.h"
#include "base/io/row_share.h"
#include "base/machine/resize_vector.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/gpu_ranks.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

// Writes the part of a rank, which begins at point `begin`.
template <typename T>
void CopyPart(const std::vector<T>& part, int64_t begin, int num_threads,
              std::vector<T>* all) {
  const auto count = static_cast<int64_t>(part.size());
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t i = 0; i < count; ++i) (*all)[begin + i] = part[i];
}

PointMatrix CopyBlock(const PointMatrix& points, int64_t begin, int64_t end,
                      int num_threads) {
  PointMatrix block;
  block.num_points = static_cast<int32_t>(end - begin);
  block.num_dimensions = points.num_dimensions;
  const auto size = int64_t{block.num_points} * block.num_dimensions;
  AssignVector(points.Row(static_cast<int32_t>(begin)), size, num_threads,
               &block.values);
  return block;
}

// The work of one rank. Rank 0 sets `result`.
absl::Status Cluster(const PointMatrix& points,
                     const DensityPeaksOptions& options, Communicator& ranks,
                     DensityPeaksResult* result) {
  const int32_t n = points.num_points;
  const RowShare own = {ranks.rank(), ranks.size()};
  const int64_t begin = own.Begin(n);
  ASSIGN_OR_RETURN(DensityPeaksResult part,
                   DensityPeaksOnRanks(CopyBlock(points, begin, own.End(n),
                                                 options.num_threads),
                                       options, ranks));
  ASSIGN_OR_RETURN(part.distance_evaluations,
                   ranks.AllReduce(Reduction::kSum, part.distance_evaluations));
  const int threads = options.num_threads;
  DecisionGraph& graph = result->graph;
  Clusters& clusters = result->clusters;
  if (ranks.rank() == 0) {
    // What is not by point is the same on all ranks.
    *result = std::move(part);
    ResizeVector(n, threads, &graph.densities);
    ResizeVector(n, threads, &graph.dependent_points);
    ResizeVector(n, threads, &graph.dependent_distances);
    ResizeVector(n, threads, &clusters.labels);
    ResizeVector(n, threads, &clusters.noise);
  }
  RETURN_IF_ERROR(ranks.Barrier());
  if (ranks.rank() == 0) return absl::OkStatus();
  CopyPart(part.graph.densities, begin, threads, &graph.densities);
  CopyPart(part.graph.dependent_points, begin, threads,
           &graph.dependent_points);
  CopyPart(part.graph.dependent_distances, begin, threads,
           &graph.dependent_distances);
  CopyPart(part.clusters.labels, begin, threads, &clusters.labels);
  CopyPart(part.clusters.noise, begin, threads, &clusters.noise);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DensityPeaksResult> DensityPeaksOnGpus(
    const PointMatrix& points, const DensityPeaksOptions& options,
    int num_gpus) {
  RETURN_IF_ERROR(options.Validate());
  if (options.halo || options.density != PointDensity::kCount) {
    return absl::UnimplementedError(
        "density peaks by several GPUs: expected density kCount without a "
        "halo");
  }
  RETURN_IF_ERROR(points.ValidateSizes());
  DensityPeaksOptions used = options;
  used.device = Device::kCuda;
  used.work = nullptr;
  used.upload = nullptr;
  used.num_threads = ThreadsOfRank(options.num_threads, num_gpus);
  DensityPeaksResult result;
  const absl::Status status = RunOnGpus(num_gpus, [&](Communicator& ranks) {
    return Cluster(points, used, ranks, &result);
  });
  if (absl::IsInvalidArgument(status)) {
    // A rank counts bad points from its first one.
    PointMatrix copy = points;
    RETURN_IF_ERROR(
        PrepareForMetric(options.metric, &copy, options.num_threads));
  }
  RETURN_IF_ERROR(status);
  return result;
}

}  // namespace warpclust
