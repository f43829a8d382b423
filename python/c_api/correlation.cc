// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of correlation clustering.

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/status/status_macros.h"
#include "graph/signed/signed_graph.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"

namespace warpclust {
namespace {

absl::StatusOr<SignedGraph> ToSignedGraph(const warpclust_signed_edges& from) {
  if (from.num_vertices < 0 || from.num_edges < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected numbers of vertices and edges of at least 0, "
                     "found ",
                     from.num_vertices, " and ", from.num_edges));
  }
  std::vector<SignedEdge> edges(from.num_edges);
  for (int64_t e = 0; e < from.num_edges; ++e) {
    edges[e] = {from.u[e], from.v[e], from.weights[e]};
  }
  return BuildSignedGraph(from.num_vertices, edges, from.units_per_one);
}

absl::StatusOr<CorrelationOptions> ToOptions(
    const warpclust_correlation_options& from, const CallOptions& call) {
  CorrelationOptions options;
  ASSIGN_OR_RETURN(options.method,
                   ParseCorrelationMethod(TextOr(from.method, "auto")));
  options.seed = from.seed;
  options.iterations = from.iterations;
  options.no_improvement = from.no_improvement;
  options.alpha = from.alpha;
  options.neighborhood = from.neighborhood;
  options.ils_iterations = from.ils_iterations;
  options.perturbation_max = from.perturbation_max;
  options.device = call.device;
  options.num_threads = call.num_threads;
  return options;
}

void Return(CorrelationResult result, warpclust_correlation_result* to) {
  auto* stored = StoreResult(std::move(result));
  const CorrelationResult& value = stored->value;
  *to = {.labels = value.labels.data(),
         .num_clusters = value.num_clusters,
         .imbalance = value.imbalance,
         .proven_optimal = value.proven_optimal,
         .starts = value.starts,
         .stopped = value.stopped,
         .storage = static_cast<ResultStorage*>(stored)};
}

}  // namespace
}  // namespace warpclust

void warpclust_correlation_options_init(
    warpclust_correlation_options* options) {
  const warpclust::CorrelationOptions defaults;
  *options = {.method = nullptr,
              .seed = defaults.seed,
              .time_limit = 0,
              .iterations = defaults.iterations,
              .no_improvement = defaults.no_improvement,
              .alpha = defaults.alpha,
              .neighborhood = defaults.neighborhood,
              .ils_iterations = defaults.ils_iterations,
              .perturbation_max = defaults.perturbation_max};
}

warpclust_status warpclust_correlation(
    const warpclust_signed_edges* edges,
    const warpclust_correlation_options* options, const warpclust_run* run,
    warpclust_correlation_result* result) {
  warpclust_correlation_options chosen;
  warpclust_correlation_options_init(&chosen);
  if (options != nullptr) chosen = *options;
  warpclust::SearchControl control(chosen.time_limit);
  warpclust::CallHooks hooks;
  hooks.stop = [&control] { control.RequestStop(); };
  hooks.several_gpus = true;
  hooks.share = [&] {
    return control.HasTimeLimit() ? control.seconds() / chosen.time_limit : -1;
  };
  return warpclust::Call(
      run,
      [&](const warpclust::CallOptions& call) -> absl::Status {
        ASSIGN_OR_RETURN(const auto search, warpclust::ToOptions(chosen, call));
        ASSIGN_OR_RETURN(const auto graph, warpclust::ToSignedGraph(*edges));
        ASSIGN_OR_RETURN(
            auto found,
            call.num_gpus > 1
                ? warpclust::CorrelationClusteringOnGpus(
                      graph, search, call.num_gpus, &control)
                : warpclust::CorrelationClustering(graph, search, &control));
        warpclust::Return(std::move(found), result);
        return absl::OkStatus();
      },
      hooks);
}
