// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/recombination.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/shared_candidates.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/communicator/communicator.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int kMostPasses = 4;
// In a large graph, the third pass gains a tenth of what the first two gain.
constexpr int kMostLargePasses = 2;
constexpr int64_t kLeastSweeps = 200;
constexpr int64_t kMostSweeps = 1 << 20;
// Of a chain by table: the time of a GPU block, in that of a CPU thread; and
// how many blocks run side by side.
constexpr int64_t kSlowdownOfBlock = 8;
constexpr int64_t kBlocks = 128;
// Of a chain by rows, a block and a thread visit a position in about the same
// time, in graphs that fit in caches. What a block needs for the barriers of a
// sweep is the time of this many visits.
constexpr int64_t kPositionsOfBarriers = 3300;
constexpr int64_t kMostHostPositions = 1 << 16;
// Chain i starts this many times as hot as the coldest.
constexpr double kHeat[] = {1, 2, 4};

int64_t Best(const std::vector<Candidate>& candidates) {
  return std::min_element(candidates.begin(), candidates.end(), IsBetter)
      ->imbalance;
}

// The labels of groups, from labels of vertices that keep groups together.
Labels LabelsOfGroups(absl::Span<const int32_t> group, int32_t num_groups,
                      const Labels& labels) {
  // A cluster is named by the group of a member, which is in range.
  Labels first(labels.size(), -1);
  Labels result(num_groups);
  for (size_t v = 0; v < labels.size(); ++v) {
    int32_t& name = first[labels[v]];
    if (name < 0) name = group[v];
    result[group[v]] = name;
  }
  return result;
}

// The sweeps of each chain. With many small clusters, what candidates disagree
// on is a graph of few vertices with long rows: by visits alone, a chain there
// would take a hundred times as long as one in the whole graph.
int32_t SweepsOf(const AnnealingPlan& plan,
                 const RecombinationOptions& options) {
  int64_t sweeps = options.visits / plan.num_positions();
  if (!internal::PrefersTable(plan)) {
    sweeps = std::min(sweeps, options.entries / plan.offsets.back());
  }
  return static_cast<int32_t>(std::clamp(sweeps, kLeastSweeps, kMostSweeps));
}

absl::Status RecombineOnce(const SignedGraph& graph,
                           const RecombinationOptions& options, uint64_t key,
                           SearchControl& control,
                           std::vector<Candidate>* candidates) {
  Labels group = (*candidates)[0].labels;
  int32_t num_groups = 0;
  for (const Candidate& candidate : *candidates) {
    num_groups = Intersect(candidate.labels, &group);
  }
  const int threads = ResolveThreads(options.num_threads);
  const StepOptions step = {&control, threads, options.large_entries};
  const SignedGraph contracted = Contract(graph, group, num_groups, step);
  const AnnealingPlan plan = MakeAnnealingPlan(contracted, step);
  ASSIGN_OR_RETURN(const bool stop,
                   ShouldStopOnAnyRank(*options.ranks, control));
  if (stop) return absl::OkStatus();
  if (plan.num_positions() == 0) return absl::OkStatus();

  const ItemRange mine =
      ItemsOfRank(*options.ranks, static_cast<int64_t>(candidates->size()));
  const int32_t num_sweeps = SweepsOf(plan, options);
  std::vector<AnnealingChain> chains(mine.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t i = mine.begin; i < mine.end; ++i) {
    AnnealingChain& chain = chains[i - mine.begin];
    chain.key = internal::MixBits(key + i);
    chain.num_sweeps = num_sweeps;
    chain.first_temperature = options.first_temperature * kHeat[i % 3];
    chain.last_temperature = options.last_temperature;
    chain.labels = LabelsOfGroups(group, num_groups, (*candidates)[i].labels);
  }
  RETURN_IF_ERROR(RunAnnealingChains(plan, options.device, options.num_threads,
                                     control, absl::MakeSpan(chains)));

  std::vector<Candidate> children(chains.size());
  for (int64_t i = mine.begin; i < mine.end; ++i) {
    AnnealingChain& chain = chains[i - mine.begin];
    children[i - mine.begin] = {std::move(chain.labels),
                                (*candidates)[i].imbalance + chain.change};
  }
  PolishAll(contracted, step, absl::MakeSpan(children));
  // Only what has become better is expanded to the vertices of the graph.
  std::vector<int64_t> parents;
  std::vector<Candidate> better;
  for (int64_t i = mine.begin; i < mine.end; ++i) {
    Candidate& child = children[i - mine.begin];
    if (child.imbalance >= (*candidates)[i].imbalance) continue;
    child.labels = Expand(group, child.labels);
    better.push_back(std::move(child));
    parents.push_back(i);
  }
  // No join of two clusters gained in the contracted graph.
  PolishAll(graph, step, absl::MakeSpan(better), /*are_joined=*/true);
  ASSIGN_OR_RETURN(better, GatherCandidates(*options.ranks, std::move(better)));
  ASSIGN_OR_RETURN(const RankLists<int64_t> all_parents,
                   options.ranks->AllGather(absl::MakeConstSpan(parents)));
  for (size_t i = 0; i < better.size(); ++i) {
    (*candidates)[all_parents.values[i]] = std::move(better[i]);
  }
  return absl::OkStatus();
}

// Whether the threads are expected to end these chains sooner than a GPU.
bool IsFasterOnHost(const AnnealingPlan& plan, int num_threads,
                    absl::Span<const AnnealingChain> chains) {
  const int64_t threads = ResolveThreads(num_threads);
  if (!internal::PrefersTable(plan)) {
    if (plan.offsets.back() >= internal::kSharedEntriesCuda) return false;
    const auto count = static_cast<int64_t>(chains.size());
    const int64_t batches = (count + threads - 1) / threads;
    return plan.num_positions() <= kMostHostPositions &&
           plan.num_positions() * (batches - 1) < kPositionsOfBarriers;
  }
  int64_t sum = 0;
  int64_t longest = 0;
  for (const AnnealingChain& chain : chains) {
    sum += chain.num_sweeps;
    longest = std::max<int64_t>(longest, chain.num_sweeps);
  }
  return std::max(longest, sum / threads) <
         kSlowdownOfBlock * std::max(longest, sum / kBlocks);
}

}  // namespace

absl::Status RunAnnealingChains(const AnnealingPlan& plan, Device device,
                                int num_threads, const SearchControl& control,
                                absl::Span<AnnealingChain> chains) {
  const TraceSpan span("anneal");
  if (control.ShouldStop()) return absl::OkStatus();
  if (device == Device::kCuda && !IsFasterOnHost(plan, num_threads, chains)) {
    return internal::RunAnnealingChainsCuda(plan, num_threads, control, chains);
  }
  internal::RunAnnealingChainsCpu(plan, internal::AnnealingEngine::kAuto,
                                  num_threads, control, chains);
  return absl::OkStatus();
}

absl::Status Recombine(const SignedGraph& graph,
                       const RecombinationOptions& options,
                       SearchControl& control,
                       std::vector<Candidate>* candidates) {
  const TraceSpan span("recombine");
  const int most_passes = ExceedsCaches(graph, options.large_entries)
                              ? kMostLargePasses
                              : kMostPasses;
  for (int pass = 0; pass < most_passes; ++pass) {
    const int64_t before = Best(*candidates);
    const uint64_t key = internal::MixBits(options.key + pass);
    RETURN_IF_ERROR(RecombineOnce(graph, options, key, control, candidates));
    if (Best(*candidates) == before) break;
    ASSIGN_OR_RETURN(const bool stop,
                     ShouldStopOnAnyRank(*options.ranks, control));
    if (stop) break;
    control.Report(Best(*candidates));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
