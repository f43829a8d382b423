// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/relevance_cpu.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "kernels/threads.h"

namespace warpclust {
namespace {

// Below this many edges one thread is faster than waking the others.
constexpr int64_t kParallelEdges = 1 << 14;

// What one neighbor is asked for, side by side in one cache line.
struct Star {
  uint64_t weight_sum;
  int64_t degree;
};

// The largest weight. Floats of at least 0 order as their bits; a negative
// weight, an infinity and a NaN have larger bits than any finite one.
absl::StatusOr<float> LargestWeight(const CsrGraph& graph, int num_threads) {
  const int64_t n = static_cast<int64_t>(graph.weights.size());
  uint32_t largest_bits = 0;
#pragma omp parallel for num_threads(num_threads) reduction(max : largest_bits)
  for (int64_t i = 0; i < n; ++i) {
    const float weight = graph.weights[i] + 0.0f;  // -0 becomes 0
    uint32_t bits;
    std::memcpy(&bits, &weight, sizeof(bits));
    largest_bits = std::max(largest_bits, bits);
  }
  float largest;
  std::memcpy(&largest, &largest_bits, sizeof(largest));
  if (!(largest >= 0.0f && largest <= std::numeric_limits<float>::max())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "graph: expected finite weights of at least 0, found ", largest));
  }
  return largest;
}

}  // namespace

absl::StatusOr<RelevanceTable> RelevancesCpu(const CsrGraph& graph,
                                             int num_threads) {
  num_threads =
      graph.num_edges() < kParallelEdges ? 1 : ResolveThreads(num_threads);
  const absl::StatusOr<float> largest = LargestWeight(graph, num_threads);
  if (!largest.ok()) return largest.status();

  const int32_t n = graph.num_vertices();
  RelevanceTable table;
  table.scale = MakeFixedPointScale(*largest);
  table.degrees.resize(n);
  table.weight_sums.resize(n);
  table.counts.resize(n);
  std::vector<Star> stars(n);
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 256)
  for (int32_t v = 0; v < n; ++v) {
    uint64_t sum = 0;
    for (const float weight : graph.WeightsOf(v)) {
      sum += table.scale.ToInteger(weight);
    }
    table.degrees[v] = static_cast<int32_t>(graph.Degree(v));
    table.weight_sums[v] = sum;
    stars[v] = {sum, table.degrees[v]};
  }

#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 256)
  for (int32_t v = 0; v < n; ++v) {
    const Star star = stars[v];
    uint32_t count = 0;
    for (const int32_t u : graph.NeighborsOf(v)) {
      const Star other = stars[u];
      count += star.degree >= other.degree;
      count += AverageAtLeast(star.weight_sum, star.degree, other.weight_sum,
                              other.degree);
    }
    table.counts[v] = count;
  }
  return table;
}

}  // namespace warpclust
