// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of density peaks.

#include "algorithms/density_peaks/density_peaks.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_gpus.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "base/status/status_macros.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/density_peaks_arguments.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"

struct warpclust_incremental_density_peaks {
  warpclust::IncrementalDensityPeaks peaks;
};

namespace warpclust {
namespace {

void Return(DensityPeaksResult result, warpclust_density_peaks_result* to) {
  auto* stored = StoreResult(std::move(result));
  const DecisionGraph& graph = stored->value.graph;
  const Clusters& clusters = stored->value.clusters;
  const Significance& significance = stored->value.significance;
  const bool significant = !significance.sigmas.empty();
  *to = {.num_points = graph.num_points(),
         .num_clusters = clusters.num_clusters(),
         .cutoff_distance = graph.cutoff_distance,
         .neighbors = stored->value.neighbors,
         .cutoff_sampled = stored->value.cutoff_sampled,
         .cutoff_replaced = stored->value.cutoff_replaced,
         .densities = graph.densities.data(),
         .dependent_points = graph.dependent_points.data(),
         .dependent_distances = graph.dependent_distances.data(),
         .labels = clusters.labels.data(),
         .noise = clusters.noise.data(),
         .halo = clusters.halo.empty() ? nullptr : clusters.halo.data(),
         .peaks = clusters.peaks.data(),
         .saddles = significant ? significance.saddles.data() : nullptr,
         .sigmas = significant ? significance.sigmas.data() : nullptr,
         .least_sigma = significance.least_sigma,
         .num_candidates = significance.num_candidates,
         .storage = static_cast<ResultStorage*>(stored)};
}

absl::Status ReturnClusters(DecisionGraph graph,
                            const warpclust_peaks* selection,
                            warpclust_density_peaks_result* to) {
  DensityPeaksResult result;
  result.graph = std::move(graph);
  ASSIGN_OR_RETURN(result.clusters,
                   ClusterByPeaks(result.graph, selection == nullptr
                                                    ? PeakSelection()
                                                    : ToSelection(*selection)));
  Return(std::move(result), to);
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

using warpclust::Call;
using warpclust::CallOptions;
using warpclust::CallWithGpus;

void warpclust_density_peaks_options_init(
    warpclust_density_peaks_options* options) {
  const warpclust::DensityPeaksOptions defaults;
  *options = warpclust_density_peaks_options();
  options->seed = defaults.seed;
  options->peaks.significance = 1;
}

warpclust_status warpclust_density_peaks(
    const warpclust_points* points,
    const warpclust_density_peaks_options* options, const warpclust_run* run,
    warpclust_density_peaks_result* result) {
  return CallWithGpus(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto search, warpclust::ToOptions(options, call));
    ASSIGN_OR_RETURN(auto matrix,
                     warpclust::ToPoints(*points, call.num_threads));
    ASSIGN_OR_RETURN(
        auto clustered,
        call.num_gpus > 1
            ? warpclust::DensityPeaksOnGpus(matrix, search, call.num_gpus)
            : warpclust::DensityPeaks(std::move(matrix), search));
    warpclust::Return(std::move(clustered), result);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_cluster_by_peaks(
    const warpclust_density_peaks_result* graph, const warpclust_peaks* peaks,
    warpclust_density_peaks_result* result) {
  return Call([&]() -> absl::Status {
    const int32_t n = std::max(0, graph->num_points);
    warpclust::DecisionGraph decision;
    decision.cutoff_distance = graph->cutoff_distance;
    decision.densities.assign(graph->densities, graph->densities + n);
    decision.dependent_points.assign(graph->dependent_points,
                                     graph->dependent_points + n);
    decision.dependent_distances.assign(graph->dependent_distances,
                                        graph->dependent_distances + n);
    return warpclust::ReturnClusters(std::move(decision), peaks, result);
  });
}

warpclust_status warpclust_incremental_density_peaks_create(
    int32_t num_dimensions,
    const warpclust_incremental_density_peaks_options* options,
    const warpclust_run* run, warpclust_incremental_density_peaks** peaks) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto chosen, warpclust::ToOptions(*options, call));
    ASSIGN_OR_RETURN(auto created, warpclust::IncrementalDensityPeaks::Create(
                                       num_dimensions, chosen));
    *peaks = new warpclust_incremental_density_peaks{std::move(created)};
    return absl::OkStatus();
  });
}

void warpclust_incremental_density_peaks_destroy(
    warpclust_incremental_density_peaks* peaks) {
  delete peaks;
}

warpclust_status warpclust_incremental_density_peaks_insert(
    warpclust_incremental_density_peaks* peaks, const warpclust_points* points,
    const warpclust_run* run) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(auto batch,
                     warpclust::ToPoints(*points, call.num_threads));
    return peaks->peaks.Insert(std::move(batch));
  });
}

warpclust_status warpclust_incremental_density_peaks_remove(
    warpclust_incremental_density_peaks* peaks, int32_t num_ids,
    const int32_t* ids, const warpclust_run* run) {
  return Call(run, [&](const CallOptions&) {
    return peaks->peaks.Remove(absl::MakeConstSpan(ids, std::max(0, num_ids)));
  });
}

int32_t warpclust_incremental_density_peaks_num_ids(
    const warpclust_incremental_density_peaks* peaks) {
  return peaks->peaks.num_ids();
}

int32_t warpclust_incremental_density_peaks_num_points(
    const warpclust_incremental_density_peaks* peaks) {
  return peaks->peaks.num_points();
}

warpclust_status warpclust_incremental_density_peaks_live_ids(
    const warpclust_incremental_density_peaks* peaks, int32_t* ids) {
  return Call([&] {
    const std::vector<int32_t> live = peaks->peaks.LiveIds();
    std::copy(live.begin(), live.end(), ids);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_incremental_density_peaks_cluster(
    const warpclust_incremental_density_peaks* peaks,
    const warpclust_peaks* selection, warpclust_density_peaks_result* result) {
  return Call([&]() -> absl::Status {
    ASSIGN_OR_RETURN(auto graph, peaks->peaks.Graph());
    return warpclust::ReturnClusters(std::move(graph), selection, result);
  });
}
