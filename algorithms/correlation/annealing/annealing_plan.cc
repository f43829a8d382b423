// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"
#include "base/numbers/sort_by_bits.h"

namespace warpclust {
namespace {

// The vertices that have edges, by descending degree, then ascending id. With
// `by_width`, only the bit widths of degrees count: in a large graph, vertices
// beside each other, which have neighbors in common, are then visited one after
// another.
std::vector<int32_t> ByDescendingDegree(const SignedGraph& graph,
                                        bool by_width) {
  constexpr int kVertexBits = 32;
  const auto degree_of = [&](int32_t v) -> int64_t {
    const int64_t degree = graph.Degree(v);
    return by_width ? std::bit_width(static_cast<uint64_t>(degree)) : degree;
  };
  int64_t largest = 0;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    largest = std::max(largest, degree_of(v));
  }
  std::vector<uint64_t> keys;  // The vertex is in the lower half.
  keys.reserve(graph.num_vertices());
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    const int64_t degree = degree_of(v);
    if (degree == 0) continue;
    keys.push_back(static_cast<uint64_t>(largest - degree) << kVertexBits | v);
  }
  std::vector<uint64_t> scratch;
  SortByBits(kVertexBits, std::bit_width(static_cast<uint64_t>(largest)),
             absl::MakeSpan(keys), &scratch);
  return std::vector<int32_t>(keys.begin(), keys.end());
}

// The smallest color that no neighbor has, vertex by vertex (Welsh and Powell
// 1967). Sets `colors` of those vertices; returns how many colors there are, or
// -1 if stopped.
int32_t Color(const SignedGraph& graph, const std::vector<int32_t>& vertices,
              const SearchControl* control, std::vector<int32_t>* colors) {
  StopCheck check(control);
  int32_t num_colors = 0;
  // taken_by[c] is the last vertex that saw color c at a neighbor.
  std::vector<int32_t> taken_by;
  for (int32_t v : vertices) {
    if (check.After(graph.Degree(v))) return -1;
    for (int32_t u : graph.NeighborsOf(v)) {
      if ((*colors)[u] >= 0) taken_by[(*colors)[u]] = v;
    }
    int32_t color = 0;
    while (color < num_colors && taken_by[color] == v) ++color;
    if (color == num_colors) {
      ++num_colors;
      taken_by.push_back(-1);
    }
    (*colors)[v] = color;
  }
  return num_colors;
}

// Sets the lengths of the rows, given the positions, and the sums over their
// weights.
void CountRows(const SignedGraph& graph, int threads, AnnealingPlan* plan) {
  const int32_t n = plan->num_positions();
  plan->offsets.resize(n + 1);
  plan->num_positive.resize(n);
  int64_t max_strength = 0;
  int64_t total = 0;
  int64_t positive_entries = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024) \
    reduction(max : max_strength) reduction(+ : total, positive_entries)
  for (int32_t p = 0; p < n; ++p) {
    int64_t strength = 0;
    int32_t num_positive = 0;
    for (const int64_t weight : graph.WeightsOf(plan->vertices[p])) {
      strength += std::abs(weight);
      num_positive += weight > 0;
    }
    plan->offsets[p + 1] = graph.Degree(plan->vertices[p]);
    plan->num_positive[p] = num_positive;
    max_strength = std::max(max_strength, strength);
    total += strength;
    positive_entries += num_positive;
  }
  std::partial_sum(plan->offsets.begin(), plan->offsets.end(),
                   plan->offsets.begin());
  plan->max_strength = max_strength;
  if (plan->offsets.back() == 0) return;
  const auto entries = static_cast<double>(plan->offsets.back());
  plan->mean_weight = static_cast<double>(total) / entries;
  plan->mean_degree = entries / static_cast<double>(n);
  plan->mean_positive_degree =
      static_cast<double>(positive_entries) / static_cast<double>(n);
}

// After a stop, the rows are not all filled.
void FillRows(const SignedGraph& graph, const SearchControl* control,
              int threads, AnnealingPlan* plan) {
  std::vector<int32_t> position(graph.num_vertices(), -1);
  for (int32_t p = 0; p < plan->num_positions(); ++p) {
    position[plan->vertices[p]] = p;
  }
  ResizeVector(plan->offsets.back(), threads, &plan->neighbors);
  ResizeVector(plan->offsets.back(), threads, &plan->weights);
  const int position_bits =
      std::bit_width(static_cast<uint32_t>(plan->num_positions()));
#pragma omp parallel num_threads(threads)
  {
    // Whether the weight is negative, the position of the neighbor, and its
    // place in the row of the graph.
    std::vector<uint64_t> keys;
    std::vector<uint64_t> scratch;
    constexpr int kPlaceBits = 31;
    constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;
    const uint64_t position_mask = (uint64_t{1} << position_bits) - 1;
    StopCheck check(control);
#pragma omp for schedule(dynamic, 256)
    for (int32_t p = 0; p < plan->num_positions(); ++p) {
      const auto neighbors = graph.NeighborsOf(plan->vertices[p]);
      if (check.After(graph.Degree(plan->vertices[p]))) continue;
      const auto weights = graph.WeightsOf(plan->vertices[p]);
      keys.resize(neighbors.size());
      for (size_t i = 0; i < neighbors.size(); ++i) {
        const auto q = static_cast<uint64_t>(position[neighbors[i]]);
        const auto negative = static_cast<uint64_t>(weights[i] < 0);
        keys[i] = (negative << position_bits | q) << kPlaceBits | i;
      }
      SortByBits(kPlaceBits, position_bits + 1, absl::MakeSpan(keys), &scratch);
      int64_t place = plan->offsets[p];
      for (const uint64_t key : keys) {
        plan->neighbors[place] =
            static_cast<int32_t>(key >> kPlaceBits & position_mask);
        plan->weights[place] = weights[key & kPlaceMask];
        ++place;
      }
    }
  }
}

}  // namespace

AnnealingPlan MakeAnnealingPlan(const SignedGraph& graph,
                                const StepOptions& step) {
  const TraceSpan span("annealing plan");
  AnnealingPlan plan;
  plan.num_vertices = graph.num_vertices();
  const std::vector<int32_t> vertices =
      ByDescendingDegree(graph, ExceedsCaches(graph, step.large_entries));
  std::vector<int32_t> colors(graph.num_vertices(), -1);
  const int32_t num_colors = Color(graph, vertices, step.control, &colors);
  if (num_colors < 0) return plan;

  plan.class_offsets.assign(num_colors + 1, 0);
  for (int32_t v : vertices) ++plan.class_offsets[colors[v] + 1];
  std::partial_sum(plan.class_offsets.begin(), plan.class_offsets.end(),
                   plan.class_offsets.begin());
  // By descending degree inside a class too: rows of similar length are side by
  // side.
  std::vector<int32_t> next(plan.class_offsets.begin(),
                            plan.class_offsets.end() - 1);
  plan.vertices.resize(vertices.size());
  for (int32_t v : vertices) plan.vertices[next[colors[v]]++] = v;
  const int threads = ResolveThreads(step.num_threads);
  CountRows(graph, threads, &plan);
  FillRows(graph, step.control, threads, &plan);
  if (step.IsStopped()) {
    plan = AnnealingPlan();
    plan.num_vertices = graph.num_vertices();
  }
  return plan;
}

bool internal::PrefersTable(const AnnealingPlan& plan) {
  return PrefersTable(plan.num_positions(), plan.offsets.back());
}

}  // namespace warpclust
