// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/regions.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/recombination/shared_candidates.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Of a chain in a region: as many as in a round of a search.
constexpr int32_t kSweeps = 100;
// A vertex adjacent to more than 1 / kHubShare of all others is a hub.
constexpr int64_t kHubShare = 16;

bool IsHub(const SignedGraph& graph, int32_t v) {
  return graph.Degree(v) * kHubShare > graph.num_vertices();
}

// Anneals one region of the candidate, whose labels are canonical.
void ImproveRegion(const SignedGraph& graph, const RegionOptions& options,
                   uint64_t key, const SearchControl& control,
                   Candidate* candidate) {
  const std::vector<int32_t> region =
      DrawRegion(graph, candidate->labels, internal::MixBits(key));
  if (region.empty()) return;
  // The vertices of the region come first, then what remains of clusters.
  constexpr int32_t kNone = -1;
  const size_t n = candidate->labels.size();
  Labels group(n, kNone);
  Labels group_of_cluster(n, kNone);
  Labels cluster_of_group;
  for (const int32_t v : region) {
    group[v] = static_cast<int32_t>(cluster_of_group.size());
    cluster_of_group.push_back(candidate->labels[v]);
  }
  for (size_t v = 0; v < n; ++v) {
    if (group[v] != kNone) continue;
    int32_t& of_cluster = group_of_cluster[candidate->labels[v]];
    if (of_cluster == kNone) {
      of_cluster = static_cast<int32_t>(cluster_of_group.size());
      cluster_of_group.push_back(candidate->labels[v]);
    }
    group[v] = of_cluster;
  }
  const StepOptions step = {&control, /*num_threads=*/1, options.large_entries};
  const SignedGraph contracted = Contract(
      graph, group, static_cast<int32_t>(cluster_of_group.size()), step);
  const AnnealingPlan plan = MakeAnnealingPlan(contracted, step);
  if (plan.num_positions() == 0 || control.ShouldStop()) return;
  MakeCanonical(&cluster_of_group);
  AnnealingChain chain;
  chain.key = key;
  chain.num_sweeps = kSweeps;
  chain.first_temperature = options.first_temperature;
  chain.last_temperature = options.last_temperature;
  chain.labels = std::move(cluster_of_group);
  internal::RunAnnealingChainsCpu(plan, internal::AnnealingEngine::kAuto,
                                  step.num_threads, control,
                                  absl::MakeSpan(&chain, 1));
  const int64_t change = chain.change + Polish(contracted, &chain.labels, step);
  if (change > 0) return;
  candidate->labels = Expand(group, chain.labels);
  candidate->imbalance += change;
  MakeCanonical(&candidate->labels);
}

}  // namespace

std::vector<int32_t> DrawRegion(const SignedGraph& graph, const Labels& labels,
                                uint64_t key) {
  const auto n = static_cast<int32_t>(labels.size());
  std::vector<int32_t> region;
  if (graph.neighbors.empty()) return region;
  // The members of cluster c are members[begin[c], begin[c + 1]).
  std::vector<int32_t> begin(n + 1);
  for (const int32_t label : labels) ++begin[label + 1];
  for (int32_t c = 0; c < n; ++c) begin[c + 1] += begin[c];
  std::vector<int32_t> members(n);
  std::vector<int32_t> end = begin;
  for (int32_t v = 0; v < n; ++v) members[end[labels[v]]++] = v;

  std::vector<char> is_inside(n);
  const auto add = [&](int32_t v) {
    if (is_inside[v] || IsHub(graph, v)) return;
    is_inside[v] = true;
    region.push_back(v);
  };
  const auto add_cluster = [&](int32_t c) {
    for (int32_t i = begin[c]; i < begin[c + 1]; ++i) add(members[i]);
  };
  const auto draw = [n](uint64_t random) {
    return static_cast<int32_t>(random % static_cast<uint64_t>(n));
  };
  int32_t first = draw(key);
  // Most vertices of a core are isolated.
  for (uint64_t i = 1; graph.Degree(first) == 0; ++i) {
    first = draw(internal::MixBits(key + i));
  }
  if (IsHub(graph, first)) return region;
  add_cluster(labels[first]);
  for (size_t i = 0; i < region.size() && region.size() < kRegionVertices;
       ++i) {
    // From a random neighbor on, so that a long row does not always give the
    // same ones.
    const int32_t v = region[i];
    const int64_t degree = graph.Degree(v);
    int64_t next = degree == 0
                       ? 0
                       : static_cast<int64_t>(internal::MixBits(key + i) %
                                              static_cast<uint64_t>(degree));
    for (int64_t j = 0; j < degree && region.size() < kRegionVertices; ++j) {
      const int32_t neighbor = graph.neighbors[graph.offsets[v] + next];
      const int32_t c = labels[neighbor];
      if (static_cast<size_t>(begin[c + 1] - begin[c]) > kRegionVertices) {
        add(neighbor);
      } else if (!is_inside[neighbor] && !IsHub(graph, neighbor)) {
        add_cluster(c);
      }
      if (++next == degree) next = 0;
    }
  }
  return region;
}

absl::Status ImproveRegions(const SignedGraph& graph,
                            const RegionOptions& options,
                            SearchControl& control,
                            std::vector<Candidate>* candidates) {
  const ItemRange mine =
      ItemsOfRank(*options.ranks, static_cast<int64_t>(candidates->size()));
  std::vector<Candidate> improved(candidates->begin() + mine.begin,
                                  candidates->begin() + mine.end);
#pragma omp parallel for num_threads(ResolveThreads(options.num_threads)) \
    schedule(dynamic, 1)
  for (int64_t i = mine.begin; i < mine.end; ++i) {
    Candidate& candidate = improved[i - mine.begin];
    const uint64_t key = internal::MixBits(options.key + i);
    for (int64_t r = 0; r < options.num_regions && !control.ShouldStop(); ++r) {
      ImproveRegion(graph, options, internal::MixBits(key + r), control,
                    &candidate);
      control.Report(candidate.imbalance);
    }
  }
  ASSIGN_OR_RETURN(*candidates,
                   GatherCandidates(*options.ranks, std::move(improved)));
  return absl::OkStatus();
}

}  // namespace warpclust
