// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/neighbor_sweep.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/metrics_and_indexes.h"
#include "tools/determinism/result_digests.h"
#include "tools/determinism/runs.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Visit = absl::FunctionRef<absl::Status(const DensityPeaksResult&)>;

// Computes the results of all values, in order.
using Values =
    absl::FunctionRef<absl::Status(const DensityPeaksOptions&, Visit)>;

absl::Status RunValues(const RunGroup& group, const std::string& method,
                       const DensityPeaksOptions& options, Values values,
                       DeterminismRunner* runner) {
  return runner->Run(
      group, {.method = method},
      [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
        DensityPeaksOptions own = options;
        own.device = device;
        own.num_threads = threads;
        Digest digest;
        RETURN_IF_ERROR(values(own, [&](const DensityPeaksResult& result) {
          digest.Number(
              PeaksDigest(result.graph, result.clusters, result.significance));
          digest.Number(result.neighbors);
          return absl::OkStatus();
        }));
        return digest.value();
      });
}

// The sweep with every index, and a run of its own for each value, which is a
// field of the options.
template <typename Value>
absl::Status RunSweep(const PointsInput& input, const RunGroup& group,
                      const DensityPeaksOptions& options,
                      const std::vector<Value>& list,
                      absl::Status (*sweep)(PointMatrix,
                                            const DensityPeaksOptions&,
                                            absl::Span<const Value>, Visit),
                      Value DensityPeaksOptions::*field,
                      DeterminismRunner* runner) {
  RETURN_IF_ERROR(RunValues(
      group, "runs", options,
      [&](DensityPeaksOptions own, Visit visit) -> absl::Status {
        for (const Value value : list) {
          own.*field = value;
          ASSIGN_OR_RETURN(const DensityPeaksResult result,
                           DensityPeaks(input.points, own));
          RETURN_IF_ERROR(visit(result));
        }
        return absl::OkStatus();
      },
      runner));
  for (const auto& [name, index] : kDensityPeaksIndexes) {
    DensityPeaksOptions with_index = options;
    with_index.index = index;
    RETURN_IF_ERROR(RunValues(
        group, absl::StrCat("sweep, ", name), with_index,
        [&](const DensityPeaksOptions& own, Visit visit) {
          return sweep(input.points, own, list, visit);
        },
        runner));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunDensityPeaksSweeps(const PointsInput& input,
                                   const DensityPeaksOptions& options,
                                   DeterminismRunner* runner) {
  const auto group = [&](const char* what) -> RunGroup {
    return {"density peaks", input.name,
            absl::StrCat(MetricName(options.metric), ", ", what)};
  };
  // Values neither ascend nor descend.
  RETURN_IF_ERROR(RunSweep<double>(
      input, group("sweep of cutoffs"), options, {0.005, 0.02, 0.04, 0.01},
      SweepDensityPeaks, &DensityPeaksOptions::cutoff_quantile, runner));
  DensityPeaksOptions by_neighbors = options;
  by_neighbors.halo = false;  // These densities have none.
  by_neighbors.density = PointDensity::kNeighbors;
  RETURN_IF_ERROR(RunSweep<int32_t>(
      input, group("sweep of k-NN densities"), by_neighbors, {4, 16, 32, 8},
      SweepNeighbors, &DensityPeaksOptions::neighbors, runner));
  by_neighbors.density = PointDensity::kAdaptive;
  return RunSweep<int32_t>(input, group("sweep of adaptive k-NN densities"),
                           by_neighbors, {4, 16, 32, 8}, SweepNeighbors,
                           &DensityPeaksOptions::neighbors, runner);
}

}  // namespace warpclust
