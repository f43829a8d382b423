// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/relevance_cpu.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Below this many edges one thread is faster than waking the others.
constexpr int64_t kParallelEdges = 1 << 14;

// What is read of a neighbor, in one word: the degree in the low half, half of
// the average's integer part in the high half, both below 2^31. The top bits of
// the halves are free, so one subtraction compares both: a top bit that is set
// in the minuend only stays set if its half is at least the other's, and
// nothing is borrowed across halves.
using Star = uint64_t;
constexpr Star kGuards = 0x8000000080000000;
constexpr Star kLowOfHalves = 0x0000000100000001;

Star MakeStar(uint64_t weight_sum, int32_t degree) {
  const uint64_t half_average = AverageFloor(weight_sum, degree) >> 1;
  return half_average << 32 | static_cast<uint32_t>(degree);
}

// Neighbors of v whose half averages are v's but whose averages are above it.
uint32_t CountAboveByFraction(const CsrGraph& graph,
                              const RelevanceTable& table,
                              const std::vector<Star>& stars, int32_t v) {
  uint32_t count = 0;
  for (const int32_t u : graph.NeighborsOf(v)) {
    count += stars[u] >> 32 == stars[v] >> 32 &&
             !AverageAtLeast(table.weight_sums[v], table.degrees[v],
                             table.weight_sums[u], table.degrees[u]);
  }
  return count;
}

// Relevance of v over 2 · degree.
uint32_t CountRelevance(const CsrGraph& graph, const RelevanceTable& table,
                        const std::vector<Star>& stars, int32_t v) {
  const Star at_least = stars[v] | kGuards;
  const Star above = at_least - (Star{1} << 32);
  uint64_t num_at_least = 0;  // in each half
  uint64_t num_above = 0;
  for (const int32_t u : graph.NeighborsOf(v)) {
    const Star other = stars[u];
    num_at_least += (at_least - other) >> 31 & kLowOfHalves;
    num_above += (above - other) >> 63;
  }
  const uint32_t num_degrees = static_cast<uint32_t>(num_at_least);
  const uint32_t num_averages = static_cast<uint32_t>(num_at_least >> 32);
  uint32_t count = num_degrees + num_averages;
  // Equal half averages are rare where weights differ.
  if (num_averages != num_above) {
    count -= CountAboveByFraction(graph, table, stars, v);
  }
  return count;
}

int ThreadsFor(const CsrGraph& graph, int num_threads) {
  return graph.num_edges() < kParallelEdges ? 1 : ResolveThreads(num_threads);
}

}  // namespace

absl::StatusOr<float> internal::SumWeights(const CsrGraph& graph,
                                           int num_threads,
                                           RelevanceTable* table) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  RETURN_IF_ERROR(CheckGraphArrays(graph));
  num_threads = ThreadsFor(graph, num_threads);
  const int32_t n = graph.num_vertices();
  table->degrees.resize(n);
  table->weight_sums.resize(n);
  const FixedPointScale scale = table->scale;
  // Floats of at least 0 order as their bits, and negative weights, infinities
  // and NaN have larger bits than any finite one (the sums are then unused).
  uint32_t largest_bits = 0;
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 256) \
    reduction(max                                                        \
              : largest_bits)
  for (int32_t v = 0; v < n; ++v) {
    uint64_t sum = 0;
    for (const float stored : graph.WeightsOf(v)) {
      const float weight = stored + 0.0f;  // -0 becomes 0
      uint32_t bits;
      std::memcpy(&bits, &weight, sizeof(bits));
      largest_bits = std::max(largest_bits, bits);
      sum += scale.ToInteger(weight);
    }
    table->degrees[v] = static_cast<int32_t>(graph.Degree(v));
    table->weight_sums[v] = sum;
  }
  float largest;
  std::memcpy(&largest, &largest_bits, sizeof(largest));
  if (!(largest >= 0.0f && largest <= std::numeric_limits<float>::max())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "graph: expected finite weights of at least 0, found ", largest));
  }
  return largest;
}

void internal::CountRelevances(const CsrGraph& graph, int num_threads,
                               RelevanceTable* table) {
  num_threads = ThreadsFor(graph, num_threads);
  const int32_t n = graph.num_vertices();
  std::vector<Star> stars(n);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int32_t v = 0; v < n; ++v) {
    stars[v] = MakeStar(table->weight_sums[v], table->degrees[v]);
  }
  table->counts.resize(n);
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 256)
  for (int32_t v = 0; v < n; ++v) {
    table->counts[v] = CountRelevance(graph, *table, stars, v);
  }
}

absl::StatusOr<RelevanceTable> RelevancesCpu(const CsrGraph& graph,
                                             int num_threads) {
  RelevanceTable table;
  // The default scale fits every cosine graph, so one pass suffices.
  ASSIGN_OR_RETURN(const float largest,
                   internal::SumWeights(graph, num_threads, &table));
  if (const FixedPointScale scale = MakeFixedPointScale(largest);
      scale.factor != table.scale.factor) {
    table.scale = scale;
    RETURN_IF_ERROR(internal::SumWeights(graph, num_threads, &table).status());
  }
  internal::CountRelevances(graph, num_threads, &table);
  return table;
}

}  // namespace warpclust
