// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/take_starts.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/correlation/grasp_ils/starts/starts.h"
#include "algorithms/correlation/partition/partition.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"

namespace warpclust {
namespace {

absl::StatusOr<std::unique_ptr<StartRunner>> NewStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options) {
  ASSIGN_OR_RETURN(const Device device, ResolveDevice(options.device));
  return device == Device::kCuda ? NewCudaStartRunner(graph, options)
                                 : NewCpuStartRunner(graph, options);
}

}  // namespace

absl::StatusOr<CorrelationResult> TakeStarts(const SignedGraph& graph,
                                             const CorrelationOptions& options,
                                             const StartRule& rule,
                                             SearchControl& control) {
  CorrelationResult result;
  // What is better than nothing: all in one cluster.
  result.labels.assign(graph.num_vertices(), 0);
  result.imbalance = Imbalance(graph, result.labels);
  bool has_start = graph.num_vertices() == 0;
  if (!has_start) {
    ASSIGN_OR_RETURN(const std::unique_ptr<StartRunner> runner,
                     NewStartRunner(graph, options));
    int64_t failures = 0;
    const auto is_enough = [&] {
      return result.starts >= rule.most_starts ||
             failures >= rule.no_improvement ||
             (has_start && result.imbalance <= graph.constant_cost);
    };
    while (!is_enough() && !result.stopped) {
      const int64_t begin = result.starts;
      const int64_t batch = std::min(runner->batch(), rule.most_starts - begin);
      ASSIGN_OR_RETURN(std::vector<StartResult> made,
                       runner->Run(begin, begin + batch, control));
      for (StartResult& start : made) {
        if (is_enough()) break;
        result.stopped |= start.aborted;
        if (start.aborted && start.labels.empty()) continue;
        ++result.starts;
        control.CountStart();
        if (has_start && start.imbalance >= result.imbalance) {
          ++failures;
          continue;
        }
        has_start = true;
        failures = 0;
        result.imbalance = start.imbalance;
        result.labels = std::move(start.labels);
        control.Report(result.imbalance);
      }
      result.stopped |= !is_enough() && control.ShouldStop();
    }
  }
  result.num_clusters = MakeCanonical(&result.labels);
  result.proven_optimal = result.imbalance == graph.constant_cost;
  return result;
}

}  // namespace warpclust
