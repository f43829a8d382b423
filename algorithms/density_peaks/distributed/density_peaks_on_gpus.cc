// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/density_peaks_on_gpus.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "base/communicator/communicator.h"
#include "base/machine/resize_vector.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/gpu_ranks.h"

namespace warpclust {
namespace {

// Writes the part of a rank, which begins at point `begin`.
template <typename ArrayOf>
void CopyPart(const ArrayOf& array_of, DensityPeaksResult& part, int32_t begin,
              int num_threads, DensityPeaksResult* all) {
  const auto& from = array_of(part);
  auto& to = array_of(*all);
  const auto count = static_cast<int64_t>(from.size());
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t i = 0; i < count; ++i) to[begin + i] = from[i];
}

// Calls `use` for the arrays by point.
template <typename Use>
void ForEachArray(const Use& use) {
  using Result = DensityPeaksResult;
  use([](Result & r) -> auto& { return r.graph.densities; });
  use([](Result & r) -> auto& { return r.graph.dependent_points; });
  use([](Result & r) -> auto& { return r.graph.dependent_distances; });
  use([](Result & r) -> auto& { return r.clusters.labels; });
  use([](Result & r) -> auto& { return r.clusters.noise; });
}

PointMatrix CopyBlock(const PointMatrix& points, int32_t begin, int32_t end,
                      int num_threads) {
  PointMatrix block;
  block.num_points = end - begin;
  block.num_dimensions = points.num_dimensions;
  const auto size = int64_t{block.num_points} * block.num_dimensions;
  ResizeVector(size, num_threads, &block.values);
  const double* const from = points.Row(begin);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t i = 0; i < size; ++i) block.values[i] = from[i];
  return block;
}

// The work of one rank. Rank 0 sets `result`.
absl::Status Cluster(const PointMatrix& points,
                     const DensityPeaksOptions& options, Communicator& ranks,
                     DensityPeaksResult* result) {
  const int32_t n = points.num_points;
  const auto begin_of = [&](int rank) {
    return static_cast<int32_t>(int64_t{n} * rank / ranks.size());
  };
  const int32_t begin = begin_of(ranks.rank());
  ASSIGN_OR_RETURN(
      DensityPeaksResult part,
      DensityPeaksOnRanks(CopyBlock(points, begin, begin_of(ranks.rank() + 1),
                                    options.num_threads),
                          options, ranks));
  ASSIGN_OR_RETURN(part.distance_evaluations,
                   ranks.AllReduce(Reduction::kSum, part.distance_evaluations));
  if (ranks.rank() == 0) {
    ForEachArray([&](const auto& array_of) {
      ResizeVector(n, options.num_threads, &array_of(*result));
    });
  }
  RETURN_IF_ERROR(ranks.Barrier());
  ForEachArray([&](const auto& array_of) {
    CopyPart(array_of, part, begin, options.num_threads, result);
  });
  RETURN_IF_ERROR(ranks.Barrier());
  if (ranks.rank() > 0) return absl::OkStatus();
  // What is not by point is the same on all ranks.
  ForEachArray([&](const auto& array_of) {
    array_of(part) = std::move(array_of(*result));
  });
  *result = std::move(part);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DensityPeaksResult> DensityPeaksOnGpus(
    const PointMatrix& points, const DensityPeaksOptions& options,
    int num_gpus) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(CheckNumGpus(num_gpus));
  RETURN_IF_ERROR(points.Validate(options.num_threads));
  DensityPeaksOptions used = options;
  used.device = Device::kCuda;
  used.work = nullptr;
  used.upload = nullptr;
  used.num_threads = ThreadsOfRank(options.num_threads, num_gpus);
  DensityPeaksResult result;
  RETURN_IF_ERROR(RunOnGpus(num_gpus, [&](Communicator& ranks) {
    return Cluster(points, used, ranks, &result);
  }));
  return result;
}

}  // namespace warpclust
