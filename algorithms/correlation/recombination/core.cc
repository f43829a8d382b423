// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/core.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/correlation/contraction/contraction.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// A group is large if it has more than 1 / kLargeShare of the vertices.
constexpr size_t kLargeShare = 16;
// In mean magnitudes of a weight. From 2 on, the core of slashdot_10000 allows
// the best known partition; without it, searches ended with worse ones.
constexpr double kFirmness = 4;

std::vector<size_t> SizesOf(const Labels& agreed) {
  std::vector<size_t> sizes(agreed.size());
  for (const int32_t label : agreed) ++sizes[label];
  return sizes;
}

bool IsLarge(size_t size, const Labels& agreed) {
  return size * kLargeShare > agreed.size();
}

}  // namespace

bool HasLargeGroup(const Labels& agreed) {
  const std::vector<size_t> sizes = SizesOf(agreed);
  return !sizes.empty() &&
         IsLarge(*std::max_element(sizes.begin(), sizes.end()), agreed);
}

ReducedGraph MakeCore(const SignedGraph& graph, const Labels& agreed,
                      double mean_weight, const StepOptions& step) {
  const int32_t n = graph.num_vertices();
  const std::vector<size_t> sizes = SizesOf(agreed);
  const double firm = kFirmness * mean_weight;
  std::vector<char> stays(agreed.size());
#pragma omp parallel for num_threads(ResolveThreads(step.num_threads)) \
    schedule(dynamic, 1024)
  for (int32_t v = 0; v < n; ++v) {
    if (!IsLarge(sizes[agreed[v]], agreed)) continue;
    int64_t attachment = 0;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int64_t weight = graph.weights[i];
      if (agreed[graph.neighbors[i]] == agreed[v]) {
        attachment += weight;
      } else if (weight > 0) {
        attachment -= weight;
      }
    }
    stays[v] = static_cast<double>(attachment) > firm;
  }
  Labels group(agreed.size());
  Labels group_of_label(agreed.size(), -1);
  Labels members;  // The first member of each group.
  for (int32_t v = 0; v < n; ++v) {
    const auto next = static_cast<int32_t>(members.size());
    int32_t& of_label = group_of_label[agreed[v]];
    group[v] = stays[v] && of_label >= 0 ? of_label : next;
    if (stays[v] && of_label < 0) of_label = next;
    if (group[v] == next) members.push_back(v);
  }
  const auto num_groups = static_cast<int32_t>(members.size());
  const SignedGraph contracted = Contract(graph, group, num_groups, step);
  if (contracted.num_vertices() < num_groups) return {};  // stopped
  ReducedGraph core = Reduce(contracted, step);
  if (step.IsStopped()) return {};
  core.group = Expand(group, core.group);
  for (int32_t& vertex : core.representative) vertex = members[vertex];
  return core;
}

}  // namespace warpclust
