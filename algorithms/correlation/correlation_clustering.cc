// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/correlation_clustering.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/constraints/constrained_graph.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/grasp_ils/multi_start.h"
#include "algorithms/correlation/local_search/one_opt.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/annealing_recombination.h"
#include "base/machine/trace.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/gpu_ranks.h"
#include "kernels/device/rank_device.h"

namespace warpclust {
namespace {

absl::Status CheckInitial(const Labels& initial, int32_t num_vertices) {
  if (initial.empty()) return absl::OkStatus();
  if (initial.size() != static_cast<size_t>(num_vertices)) {
    return absl::InvalidArgumentError(
        absl::StrCat("initial: expected a label for each of the ", num_vertices,
                     " vertices, found ", initial.size()));
  }
  for (const int32_t label : initial) {
    if (label >= 0 && label < num_vertices) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "initial: expected labels in [0, ", num_vertices, "), found ", label));
  }
  return absl::OkStatus();
}

absl::StatusOr<CorrelationResult> Unconstrained(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control, Communicator* ranks) {
  switch (options.method) {
    case CorrelationMethod::kSeqGrasp:
    case CorrelationMethod::kGraspCudaVnd:
      return Grasp(graph, options, control, ranks);
    case CorrelationMethod::kSeqIls:
    case CorrelationMethod::kIlsCudaVnd:
      return Ils(graph, options, control, ranks);
    case CorrelationMethod::kAuto:
      break;
  }
  return AnnealAndRecombine(graph, options, control, ranks);
}

}  // namespace

absl::StatusOr<CorrelationResult> CorrelationClustering(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control, Communicator* ranks) {
  RETURN_IF_ERROR(options.Validate());
  {
    const TraceSpan span("validate");
    RETURN_IF_ERROR(ValidateSignedGraph(graph, options.num_threads));
  }
  RETURN_IF_ERROR(CheckInitial(options.initial, graph.num_vertices()));
  if (ranks != nullptr) UseDeviceOfRank(*ranks);
  if (options.constraints.empty()) {
    return Unconstrained(graph, options, control, ranks);
  }
  ASSIGN_OR_RETURN(const ConstrainedGraph constrained,
                   Constrain(graph, options.initial, options.constraints));
  CorrelationOptions inner = options;
  inner.constraints = CorrelationConstraints();
  if (!options.initial.empty()) {
    inner.initial = LabelsOfGroups(constrained, options.initial);
  }
  ASSIGN_OR_RETURN(CorrelationResult result,
                   Unconstrained(constrained.graph, inner, control, ranks));
  // A search that ends in no local optimum of its own, for example since it was
  // stopped, may leave groups together that may not be. This parts them.
  if (!KeepsApart(constrained, result.labels)) {
    OneOpt(constrained.graph).Descend(0, &result.labels);
  }
  result.labels = Expand(constrained.group, result.labels);
  result.num_clusters = MakeCanonical(&result.labels);
  result.imbalance = Imbalance(graph, result.labels);
  std::vector<CorrelationResult::Alternative> alternatives;
  for (CorrelationResult::Alternative& alternative : result.alternatives) {
    if (!KeepsApart(constrained, alternative.labels)) continue;
    alternative.labels = Expand(constrained.group, alternative.labels);
    MakeCanonical(&alternative.labels);
    // What parts the best may turn it into another.
    if (alternative.labels == result.labels) continue;
    alternatives.push_back(std::move(alternative));
  }
  result.alternatives = std::move(alternatives);
  return result;
}

absl::StatusOr<CorrelationResult> CorrelationClusteringOnGpus(
    const SignedGraph& graph, const CorrelationOptions& options, int num_gpus,
    SearchControl* control) {
  RETURN_IF_ERROR(options.Validate());
  CorrelationOptions used = options;
  used.device = Device::kCuda;
  used.num_threads = ThreadsOfRank(options.num_threads, num_gpus);
  CorrelationResult result;
  RETURN_IF_ERROR(RunOnGpus(num_gpus, [&](Communicator& ranks) -> absl::Status {
    ASSIGN_OR_RETURN(CorrelationResult found,
                     CorrelationClustering(graph, used, control, &ranks));
    if (ranks.rank() == 0) result = std::move(found);
    return absl::OkStatus();
  }));
  return result;
}

}  // namespace warpclust
