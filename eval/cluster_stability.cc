// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/cluster_stability.h"

#include <cstddef>

namespace warpclust {
namespace {

std::vector<int32_t> Sizes(absl::Span<const int32_t> labels) {
  std::vector<int32_t> sizes(labels.size());
  for (const int32_t label : labels) ++sizes[label];
  return sizes;
}

}  // namespace

std::vector<double> ClusterStability(
    absl::Span<const int32_t> labels,
    absl::Span<const absl::Span<const int32_t>> others) {
  const size_t n = labels.size();
  const std::vector<int32_t> sizes = Sizes(labels);
  // The items by cluster.
  std::vector<size_t> next(n + 1);
  for (size_t c = 0; c < n; ++c) next[c + 1] = next[c] + sizes[c];
  const std::vector<size_t> starts = next;
  std::vector<int32_t> members(n);
  for (size_t v = 0; v < n; ++v) {
    members[next[labels[v]]++] = static_cast<int32_t>(v);
  }
  std::vector<double> sums(n);
  std::vector<int32_t> shared(n);
  for (const absl::Span<const int32_t> other : others) {
    const std::vector<int32_t> other_sizes = Sizes(other);
    for (size_t c = 0; c < n; ++c) {
      const auto cluster =
          absl::MakeConstSpan(members).subspan(starts[c], sizes[c]);
      for (const int32_t v : cluster) ++shared[other[v]];
      for (const int32_t v : cluster) {
        const int64_t both = shared[other[v]];
        const int64_t either = int64_t{sizes[c]} + other_sizes[other[v]] - both;
        sums[v] += static_cast<double>(both) / static_cast<double>(either);
      }
      for (const int32_t v : cluster) shared[other[v]] = 0;
    }
  }
  for (double& sum : sums) sum /= static_cast<double>(others.size());
  return sums;
}

}  // namespace warpclust
