// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/reduction.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"

namespace warpclust {
namespace {

// Whether entry i, of the row of v, stays: negative edges between components
// are dropped, and no positive edge is between components.
bool IsInside(const SignedGraph& graph, absl::Span<const int32_t> components,
              int32_t v, int64_t i) {
  return graph.weights[i] > 0 ||
         components[graph.neighbors[i]] == components[v];
}

// Sets the edge counts and weights to those of the rows.
void CountEdges(int threads, SignedGraph* graph) {
  const auto entries = static_cast<int64_t>(graph->weights.size());
  int64_t num_positive = 0;
  int64_t positive = 0;
  int64_t magnitudes = 0;
#pragma omp parallel for num_threads(threads) \
    reduction(+ : num_positive, positive, magnitudes)
  for (int64_t i = 0; i < entries; ++i) {
    const int64_t weight = graph->weights[i];
    num_positive += weight > 0;
    positive += std::max<int64_t>(weight, 0);
    magnitudes += std::abs(weight);
  }
  // Each edge was met at both ends.
  graph->num_positive_edges = num_positive / 2;
  graph->num_negative_edges = (entries - num_positive) / 2;
  graph->positive_weight = positive / 2;
  graph->negative_weight = (magnitudes - positive) / 2;
}

// Drops the edges that are not inside components.
void KeepInside(absl::Span<const int32_t> components, int threads,
                SignedGraph* graph) {
  int64_t kept = 0;
  int64_t begin = 0;
  for (int32_t v = 0; v < graph->num_vertices(); ++v) {
    const int64_t end = graph->offsets[v + 1];
    for (int64_t i = begin; i < end; ++i) {
      if (!IsInside(*graph, components, v, i)) continue;
      graph->neighbors[kept] = graph->neighbors[i];
      graph->weights[kept] = graph->weights[i];
      ++kept;
    }
    graph->offsets[v + 1] = kept;
    begin = end;
  }
  graph->neighbors.resize(kept);
  graph->weights.resize(kept);
  CountEdges(threads, graph);
}

// The same for a copy of the graph, on all threads: most of the time is that of
// its fresh memory. Unspecified if stopped.
SignedGraph CopyInside(const SignedGraph& graph,
                       absl::Span<const int32_t> components,
                       const StepOptions& step) {
  const int threads = ResolveThreads(step.num_threads);
  const int32_t n = graph.num_vertices();
  SignedGraph copy;
  copy.units_per_one = graph.units_per_one;
  copy.constant_cost = graph.constant_cost;
  copy.offsets.resize(n + 1);
#pragma omp parallel num_threads(threads)
  {
    StopCheck check(step.control);
#pragma omp for schedule(dynamic, 1024)
    for (int32_t v = 0; v < n; ++v) {
      if (check.After(graph.Degree(v))) continue;
      int64_t kept = 0;
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        kept += IsInside(graph, components, v, i);
      }
      copy.offsets[v + 1] = kept;
    }
  }
  std::partial_sum(copy.offsets.begin(), copy.offsets.end(),
                   copy.offsets.begin());
  if (step.IsStopped()) return copy;
  ResizeVector(copy.offsets.back(), threads, &copy.neighbors);
  if (step.IsStopped()) return copy;
  ResizeVector(copy.offsets.back(), threads, &copy.weights);
  if (step.IsStopped()) return copy;
#pragma omp parallel num_threads(threads)
  {
    StopCheck check(step.control);
#pragma omp for schedule(dynamic, 1024)
    for (int32_t v = 0; v < n; ++v) {
      if (check.After(graph.Degree(v))) continue;
      int64_t next = copy.offsets[v];
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        if (!IsInside(graph, components, v, i)) continue;
        copy.neighbors[next] = graph.neighbors[i];
        copy.weights[next] = graph.weights[i];
        ++next;
      }
    }
  }
  if (step.IsStopped()) return copy;
  CountEdges(threads, &copy);
  return copy;
}

// Sets of vertices, each named by its smallest one. Many threads unite sets at
// the same time; a set is a tree whose parents are smaller than their children.
class VertexSets {
 public:
  explicit VertexSets(int32_t n) : parents_(n) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  int32_t Root(int32_t v) {
    while (true) {
      const int32_t parent = Get(v);
      if (parent == v) return v;
      // Any ancestor is a good parent.
      const int32_t grandparent = Get(parent);
      if (grandparent == parent) return parent;
      Parent(v).store(grandparent, std::memory_order_relaxed);
      v = grandparent;
    }
  }

  // Returns a vertex of the united set, most likely its root.
  int32_t Unite(int32_t u, int32_t v) {
    while (true) {
      u = Root(u);
      v = Root(v);
      if (u == v) return u;
      if (u > v) std::swap(u, v);
      int32_t expected = v;
      if (Parent(v).compare_exchange_strong(expected, u,
                                            std::memory_order_relaxed)) {
        return u;
      }
    }
  }

 private:
  std::atomic_ref<int32_t> Parent(int32_t v) {
    return std::atomic_ref<int32_t>(parents_[v]);
  }
  int32_t Get(int32_t v) { return Parent(v).load(std::memory_order_relaxed); }

  std::vector<int32_t> parents_;
};

}  // namespace

Labels PositiveComponents(const SignedGraph& graph, const StepOptions& step) {
  const TraceSpan span("components");
  const int32_t n = graph.num_vertices();
  const int threads = ResolveThreads(step.num_threads);
  VertexSets sets(n);
  Labels labels(n);
#pragma omp parallel num_threads(threads)
  {
    StopCheck check(step.control);
#pragma omp for schedule(dynamic, 1024)
    for (int32_t v = 0; v < n; ++v) {
      if (check.After(graph.Degree(v))) continue;
      int32_t root = v;
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        if (graph.neighbors[i] > v) break;
        if (graph.weights[i] < 0) continue;
        root = sets.Unite(root, graph.neighbors[i]);
      }
    }
#pragma omp for schedule(static)
    for (int32_t v = 0; v < n; ++v) labels[v] = sets.Root(v);
  }
  MakeCanonical(&labels);
  return labels;
}

ReducedGraph Reduce(const SignedGraph& graph, const StepOptions& step) {
  const TraceSpan span("reduce");
  const int threads = ResolveThreads(step.num_threads);
  ReducedGraph reduced;
  reduced.group.resize(graph.num_vertices());
  std::iota(reduced.group.begin(), reduced.group.end(), 0);
  reduced.representative = reduced.group;
  // Rule 1 looks at the graph through its components, without a copy of it.
  Labels components = PositiveComponents(graph, step);
  // A contraction may turn positive edges into negative ones and so split a
  // component, which starts a new round.
  for (bool is_first = true; !step.IsStopped(); is_first = false) {
    const SignedGraph& whole = is_first ? graph : reduced.graph;
    Labels group = ContractDominantEdges(whole, components, step);
    const Labels root = group;
    const int32_t num_groups = MakeCanonical(&group);
    if (num_groups == whole.num_vertices()) {
      if (is_first) reduced.graph = CopyInside(graph, components, step);
      return reduced;
    }
    // One vertex after another joined the cluster of the root.
    Labels representative(num_groups);
    for (size_t v = 0; v < group.size(); ++v) {
      representative[group[v]] = reduced.representative[root[v]];
    }
    reduced.representative = std::move(representative);
    reduced.group = Expand(reduced.group, group);
    reduced.graph = Contract(whole, group, num_groups, step);
    if (step.IsStopped()) break;
    KeepInside(PositiveComponents(reduced.graph, step), threads,
               &reduced.graph);
    components.clear();
  }
  return reduced;
}

}  // namespace warpclust
