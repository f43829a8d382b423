// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/multi_start.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/correlation/grasp_ils/starts/ranked_starts.h"
#include "algorithms/correlation/grasp_ils/starts/starts.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

absl::StatusOr<std::unique_ptr<StartRunner>> NewStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options,
    Communicator& ranks) {
  ASSIGN_OR_RETURN(const Device device, ResolveDevice(options.device));
  std::unique_ptr<StartRunner> runner;
  if (device == Device::kCuda) {
    ASSIGN_OR_RETURN(runner, NewCudaStartRunner(graph, options));
  } else {
    runner = NewCpuStartRunner(graph, options);
  }
  if (ranks.size() == 1) return runner;
  return NewRankedStartRunner(std::move(runner), ranks);
}

// The best partition: least I(P), then least number of its start. Ends after
// `most_starts` starts, or `patience` starts in a row, not counting the first
// one, that are no better than the best before them.
absl::StatusOr<CorrelationResult> TakeStarts(const SignedGraph& graph,
                                             const CorrelationOptions& options,
                                             int64_t most_starts,
                                             int64_t patience,
                                             SearchControl& control,
                                             Communicator& ranks) {
  CorrelationResult result;
  result.imbalance = graph.constant_cost;
  result.proven_optimal = graph.num_vertices() == 0;
  if (result.proven_optimal) return result;
  ASSIGN_OR_RETURN(const std::unique_ptr<StartRunner> runner,
                   NewStartRunner(graph, options, ranks));
  int64_t failures = 0;
  const auto is_enough = [&] {
    return result.starts >= most_starts || failures >= patience ||
           (result.starts > 0 && result.imbalance <= graph.constant_cost);
  };
  while (!is_enough() && !result.stopped) {
    const int64_t begin = result.starts;
    const int64_t batch = std::min(runner->batch(), most_starts - begin);
    ASSIGN_OR_RETURN(std::vector<StartResult> made,
                     runner->Run(begin, begin + batch, control));
    for (StartResult& start : made) {
      if (is_enough()) break;
      result.stopped |= start.aborted;
      if (start.aborted && start.labels.empty()) continue;
      control.CountStart();
      if (result.starts++ > 0 && start.imbalance >= result.imbalance) {
        ++failures;
        continue;
      }
      failures = 0;
      result.imbalance = start.imbalance;
      result.labels = std::move(start.labels);
      control.Report(result.imbalance);
    }
    if (is_enough()) break;
    ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks, control));
    result.stopped |= stop;
  }
  result.num_clusters = MakeCanonical(&result.labels);
  result.proven_optimal = result.imbalance == graph.constant_cost;
  return result;
}

}  // namespace

absl::StatusOr<CorrelationResult> Grasp(const SignedGraph& graph,
                                        const CorrelationOptions& options,
                                        SearchControl* control,
                                        Communicator* ranks) {
  CorrelationOptions grasp = options;
  grasp.method = IsCudaVnd(options.method) ? CorrelationMethod::kGraspCudaVnd
                                           : CorrelationMethod::kSeqGrasp;
  const int64_t most_starts =
      options.iterations > 0 ? options.iterations : kNoLimit;
  const int64_t patience =
      options.no_improvement > 0 ? options.no_improvement : 400;
  SearchControl no_limit;
  SingleRank single;
  return TakeStarts(graph, grasp, most_starts, patience,
                    control != nullptr ? *control : no_limit,
                    ranks != nullptr ? *ranks : single);
}

absl::StatusOr<CorrelationResult> Ils(const SignedGraph& graph,
                                      const CorrelationOptions& options,
                                      SearchControl* control,
                                      Communicator* ranks) {
  CorrelationOptions ils = options;
  ils.method = IsCudaVnd(options.method) ? CorrelationMethod::kIlsCudaVnd
                                         : CorrelationMethod::kSeqIls;
  const int64_t most_starts = options.iterations > 0 ? options.iterations : 10;
  SearchControl no_limit;
  SingleRank single;
  return TakeStarts(graph, ils, most_starts, kNoLimit,
                    control != nullptr ? *control : no_limit,
                    ranks != nullptr ? *ranks : single);
}

}  // namespace warpclust
