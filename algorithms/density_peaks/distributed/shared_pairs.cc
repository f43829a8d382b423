// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/shared_pairs.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "algorithms/density_peaks/peaks/cuda/basins_cuda.h"
#include "algorithms/density_peaks/peaks/judged_clusters.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// Sets the graph; `kept` gets what searches for saddles need.
absl::Status FindGraph(BegunIndex all, const DensityPeaksOptions& options,
                       std::shared_ptr<DeviceSearches>* kept,
                       DensityPeaksResult* result) {
  const double cutoff = result->graph.cutoff_distance;
  ASSIGN_OR_RETURN(DecisionGraphRun run,
                   DecisionGraphByBruteForce(
                       std::move(all.points), std::move(all.brute_force),
                       options.metric, cutoff, options.num_threads, kept));
  result->index = run.index;
  result->seconds.density += run.density_seconds;
  result->seconds.dependent += run.dependent_seconds;
  const PhaseTimer timer(&result->seconds.dependent, "dependent");
  // Its points are not asked for: the run has the largest distance.
  result->graph = FinishDecisionGraph(PointMatrix(), options.metric, cutoff,
                                      options.num_threads, std::move(run));
  return absl::OkStatus();
}

}  // namespace

absl::Status ClusterOnSharedPairs(BegunIndex all,
                                  const DensityPeaksOptions& options,
                                  int32_t num_dimensions,
                                  DensityPeaksResult* result) {
  const PeakSelection& peaks = options.peaks;
  const bool by_significance = peaks.rule == PeakSelection::Rule::kSignificance;
  std::shared_ptr<DeviceSearches> searches;
  RETURN_IF_ERROR(FindGraph(std::move(all), options,
                            by_significance ? &searches : nullptr, result));
  if (!by_significance) {
    const PhaseTimer timer(&result->seconds.assignment, "assignment");
    ASSIGN_OR_RETURN(const std::vector<int32_t> selected,
                     SelectPeaks(result->graph, peaks, options.num_threads));
    ASSIGN_OR_RETURN(
        result->clusters,
        AssignClustersCuda(result->graph, selected, peaks.density_min,
                           options.num_threads));
    return absl::OkStatus();
  }
  Basins basins;
  {
    const PhaseTimer timer(&result->seconds.saddles, "saddles");
    ASSIGN_OR_RETURN(
        basins,
        FindBasinsCuda(
            result->graph, *searches,
            internal::RadiusKey(options.metric, result->graph.cutoff_distance),
            options.num_threads));
  }
  const PhaseTimer timer(&result->seconds.assignment, "assignment");
  JudgedClusters judged = ClusterBySignificance(
      result->graph, basins,
      internal::SignificanceDimensions(options.metric, num_dimensions),
      peaks.density_min, options.num_threads);
  result->clusters = std::move(judged.clusters);
  result->significance = std::move(judged.significance);
  return absl::OkStatus();
}

}  // namespace warpclust
