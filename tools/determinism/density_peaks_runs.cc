// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "tools/determinism/metrics_and_indexes.h"
#include "tools/determinism/result_digests.h"
#include "tools/determinism/runs.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

absl::StatusOr<uint64_t> DigestOf(const PointsInput& input,
                                  DensityPeaksOptions options, Device device,
                                  int threads) {
  options.device = device;
  options.num_threads = threads;
  ASSIGN_OR_RETURN(const DensityPeaksResult result,
                   DensityPeaks(input.points, options));
  return PeaksDigest(result.graph, result.clusters, result.significance);
}

absl::Status RunIndexes(const PointsInput& input, const RunGroup& group,
                        const DensityPeaksOptions& options,
                        DeterminismRunner* runner) {
  for (const auto& [name, index] : kDensityPeaksIndexes) {
    DensityPeaksOptions with_index = options;
    with_index.index = index;
    RETURN_IF_ERROR(
        runner->Run(group, {.method = name}, [&](Device device, int threads) {
          return DigestOf(input, with_index, device, threads);
        }));
  }
  return absl::OkStatus();
}

// On ranks, which do not find the halo.
absl::StatusOr<uint64_t> DigestOnRanks(const PointsInput& input,
                                       DensityPeaksOptions options,
                                       Device device, Communicator& ranks) {
  options.device = device;
  options.num_threads = 1;
  ASSIGN_OR_RETURN(
      DensityPeaksResult result,
      DensityPeaksOnRanks(
          SelectRows(input.points, OwnRows(input.points.num_points, ranks)),
          options, ranks));
  const auto gather = [&ranks](auto* values) -> absl::Status {
    using Value = std::decay_t<decltype((*values)[0])>;
    ASSIGN_OR_RETURN(RankLists<Value> all,
                     ranks.Gather(absl::MakeConstSpan(*values), 0));
    *values = std::move(all.values);
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(gather(&result.graph.densities));
  RETURN_IF_ERROR(gather(&result.graph.dependent_points));
  RETURN_IF_ERROR(gather(&result.graph.dependent_distances));
  RETURN_IF_ERROR(gather(&result.clusters.labels));
  RETURN_IF_ERROR(gather(&result.clusters.noise));
  return PeaksDigest(result.graph, result.clusters, result.significance);
}

absl::Status RunRanks(const PointsInput& input,
                      const DensityPeaksOptions& options,
                      DeterminismRunner* runner) {
  DensityPeaksOptions no_halo = options;
  no_halo.halo = false;
  const RunGroup group = {
      "density peaks", input.name,
      absl::StrCat(MetricName(options.metric), ", significant peaks")};
  RETURN_IF_ERROR(
      runner->Run(group, {.method = "auto"}, [&](Device device, int threads) {
        return DigestOf(input, no_halo, device, threads);
      }));
  return runner->RunOnRanks(group, {.method = "shares of points"},
                            [&](Device device, Communicator& ranks) {
                              return DigestOnRanks(input, no_halo, device,
                                                   ranks);
                            });
}

// Densities beside the count, from neighbors and counts that either device
// finds.
absl::Status RunDensities(const PointsInput& input,
                          const DensityPeaksOptions& options,
                          DeterminismRunner* runner) {
  const std::pair<const char*, PointDensity> densities[] = {
      {"k-NN density", PointDensity::kNeighbors},
      {"Gaussian density", PointDensity::kGaussian},
      {"adaptive k-NN density", PointDensity::kAdaptive},
  };
  for (const auto& [name, density] : densities) {
    DensityPeaksOptions with_density = options;
    with_density.density = density;
    with_density.halo = false;
    RETURN_IF_ERROR(
        runner->Run({"density peaks", input.name,
                     absl::StrCat(MetricName(options.metric), ", ", name)},
                    {.method = "auto"}, [&](Device device, int threads) {
                      return DigestOf(input, with_density, device, threads);
                    }));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunDensityPeaks(const DeterminismInputs& inputs,
                             DeterminismRunner* runner) {
  const PointsInput& input = inputs.points;
  const auto run = [&](Metric metric,
                       const PointMatrix& prepared) -> absl::Status {
    DensityPeaksOptions options;
    options.metric = metric;
    options.seed = inputs.seed;
    options.halo = true;
    options.peaks = PeakSelection();
    const RunGroup group = {
        "density peaks", input.name,
        absl::StrCat(MetricName(metric), ", cutoff at 0.02, halo")};
    RETURN_IF_ERROR(RunIndexes(input, group, options, runner));
    DensityPeaksOptions by_significance = options;
    by_significance.peaks.rule = PeakSelection::Rule::kSignificance;
    RETURN_IF_ERROR(RunIndexes(
        input,
        {"density peaks", input.name,
         absl::StrCat(MetricName(metric), ", significant peaks, halo")},
        by_significance, runner));
    RETURN_IF_ERROR(RunRanks(input, by_significance, runner));
    RETURN_IF_ERROR(RunDensities(input, by_significance, runner));
    RETURN_IF_ERROR(RunDensityPeaksSweeps(input, by_significance, runner));
    ASSIGN_OR_RETURN(
        const CutoffDistance cutoff,
        ChooseCutoffDistance(prepared, metric,
                             CutoffQuantile(options, prepared.num_points,
                                            prepared.num_dimensions),
                             inputs.seed,
                             /*num_threads=*/0));
    options.cutoff_distance = cutoff.distance;
    return RunIncremental(input, group, options, runner);
  };
  return ForEachMetric(input, *runner, run);
}

}  // namespace warpclust
