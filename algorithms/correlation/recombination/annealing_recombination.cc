// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/annealing_recombination.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/contraction/cluster_order.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/local_search/block_descent.h"
#include "algorithms/correlation/local_search/one_opt.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/annealing_search.h"
#include "algorithms/correlation/recombination/core.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/recombination/search_context.h"
#include "algorithms/correlation/recombination/shared_candidates.h"
#include "algorithms/correlation/recombination/simple_partitions.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/communicator/communicator.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"

namespace warpclust {
namespace {

// Graphs with fewer entries reach their first local optimum even after a stop.
constexpr size_t kSmallEntries = 1 << 16;

// The result if the search is stopped before the graph is reduced: the best of
// these partitions.
absl::StatusOr<CorrelationResult> FirstPartition(const SignedGraph& graph,
                                                 std::vector<Labels> partitions,
                                                 int threads,
                                                 SearchControl& control,
                                                 Communicator& ranks) {
  Candidate best;
  for (Labels& labels : partitions) {
    const int64_t imbalance = Imbalance(graph, labels, threads);
    if (best.labels.empty() || imbalance < best.imbalance) {
      best = {std::move(labels), imbalance};
    }
  }
  // Each rank stopped at another place: all take the partition of rank 0.
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&best.imbalance, 1), 0));
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(best.labels), 0));
  control.Report(best.imbalance);
  CorrelationResult result;
  result.labels = std::move(best.labels);
  result.num_clusters = MakeCanonical(&result.labels);
  result.imbalance = best.imbalance;
  result.proven_optimal = best.imbalance == graph.constant_cost;
  result.stopped = true;
  return result;
}

// If a network has changed a little, yesterday's clusters are a few moves from
// a good partition. Making these moves takes a fraction of the reduction.
absl::Status DescendFrom(const SignedGraph& graph, const StepOptions& step,
                         SearchControl& control, Communicator& ranks,
                         Labels* initial) {
  Candidate descended = {*initial,
                         Imbalance(graph, *initial, step.num_threads)};
  descended.imbalance += OneOpt(graph, step.num_threads)
                             .Descend(0, &descended.labels, step.control);
  RETURN_IF_ERROR(AgreeAfterStop(ranks, control, &descended).status());
  control.Report(descended.imbalance);
  *initial = std::move(descended.labels);
  return absl::OkStatus();
}

// Descends, if there is no start yet, and numbers the vertices by cluster,
// unless most neighbors are in one large cluster anyway.
absl::Status StartInOrder(const StepOptions& step, SearchControl& control,
                          Communicator& ranks, ReducedGraph* reduced,
                          Labels* start) {
  if (start->empty()) *start = DescendInBlocks(reduced->graph, step);
  // All ranks have the same clusters and numbers unless one of them stopped.
  ASSIGN_OR_RETURN(bool stop, ShouldStopOnAnyRank(ranks, control));
  if (stop || HasLargeGroup(*start)) return absl::OkStatus();
  Labels labels = *start;
  ReducedGraph numbered = NumberByClusters(*reduced, step, &labels);
  ASSIGN_OR_RETURN(stop, ShouldStopOnAnyRank(ranks, control));
  if (stop) return absl::OkStatus();
  *reduced = std::move(numbered);
  *start = std::move(labels);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CorrelationResult> AnnealAndRecombine(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control, Communicator* ranks, int64_t large_entries) {
  const SignedJob job = {graph.num_vertices(), graph.num_edges(),
                         options.iterations};
  ASSIGN_OR_RETURN(
      const Device device,
      ResolveDevice(options.device, Expect(job, options.num_threads)));
  SearchControl no_limit;
  SingleRank single;
  if (control == nullptr) control = &no_limit;
  if (ranks == nullptr) ranks = &single;
  // The steps up to a good partition take no time in a small graph, so they do
  // not stop.
  const bool is_small = graph.neighbors.size() < kSmallEntries;
  const StepOptions step = {is_small ? nullptr : control,
                            ResolveThreads(options.num_threads), large_entries};
  Labels initial = options.initial;
  if (!initial.empty()) {
    RETURN_IF_ERROR(DescendFrom(graph, step, *control, *ranks, &initial));
  }
  ReducedGraph reduced = Reduce(graph, step);
  ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(*ranks, *control));
  if (stop && !is_small) {
    std::vector<Labels> partitions = {
        reduced.group, Labels(graph.num_vertices(), 0),
        AlmostOneCluster(graph, step.num_threads)};
    if (!initial.empty()) partitions.push_back(std::move(initial));
    return FirstPartition(graph, std::move(partitions), step.num_threads,
                          *control, *ranks);
  }
  Labels start = ReducedInitial(reduced, initial, step.num_threads);
  if (ExceedsCaches(reduced.graph, large_entries)) {
    RETURN_IF_ERROR(StartInOrder(step, *control, *ranks, &reduced, &start));
  }
  const SearchContext context = {reduced.graph,
                                 /*is_core=*/false,
                                 /*improves_regions=*/false,
                                 PrefersTable(reduced.graph),
                                 options.seed,
                                 device,
                                 step.num_threads,
                                 large_entries,
                                 *control,
                                 *ranks};
  AnnealingSearch search(context, std::move(start),
                         /*start_is_good=*/!initial.empty(), options, step);
  RETURN_IF_ERROR(search.Run());

  CorrelationResult result;
  result.labels = Expand(reduced.group, search.best().labels);
  result.num_clusters = MakeCanonical(&result.labels);
  result.imbalance = search.best().imbalance;
  result.proven_optimal = search.optimal();
  result.starts = search.starts();
  result.stopped = search.stopped();
  for (size_t i = 1; i < search.elite().size(); ++i) {
    const Candidate& candidate = search.elite()[i];
    if (candidate.imbalance - result.imbalance > result.imbalance / 100) break;
    Labels labels = Expand(reduced.group, candidate.labels);
    MakeCanonical(&labels);
    // After a stop, labels of the elite that differ may be one partition.
    bool is_new = labels != result.labels;
    for (const auto& other : result.alternatives) {
      is_new = is_new && labels != other.labels;
    }
    if (is_new) {
      result.alternatives.push_back({std::move(labels), candidate.imbalance});
    }
  }
  return result;
}

}  // namespace warpclust
