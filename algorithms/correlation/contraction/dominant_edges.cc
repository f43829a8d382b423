// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"

namespace warpclust {
namespace {

// A graph that shrinks. Its vertices are groups, each known by one of its
// vertices, the root. The row of a group is scattered over its parts, with
// neighbors that may have joined groups since, until ReadRow makes it one part.
class ShrinkingGraph {
 public:
  ShrinkingGraph(const SignedGraph& graph, absl::Span<const int32_t> components,
                 const StepOptions& step)
      : graph_(graph),
        components_(components),
        check_(step.control),
        parents_(graph.num_vertices()),
        next_part_(graph.num_vertices()),
        has_own_row_(graph.num_vertices()),
        own_rows_(graph.num_vertices()),
        least_total_(graph.num_vertices()),
        most_(graph.num_vertices()),
        is_queued_(graph.num_vertices()),
        sums_(graph.num_vertices()),
        is_touched_(graph.num_vertices()) {
    const int threads = ResolveThreads(step.num_threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      parents_[v] = v;
      next_part_[v] = v;
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        const int64_t weight = graph.weights[i];
        if (IsDropped(v, graph.neighbors[i], weight)) continue;
        least_total_[v] += std::abs(weight);
        most_[v] = std::max(most_[v], weight);
      }
      is_queued_[v] = IsHopeful(v);
    }
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      if (is_queued_[v]) queue_.push_back(v);
    }
  }

  Labels Contract() {
    std::vector<int32_t> batch;
    while (!queue_.empty()) {
      batch.clear();
      batch.swap(queue_);
      for (const int32_t v : batch) {
        is_queued_[v] = false;
        if (parents_[v] == v) ContractIfDominated(v);
        if (check_.After(static_cast<int64_t>(row_.size()) + 1)) break;
      }
      if (check_.After(0)) break;
    }
    Labels labels(parents_.size());
    for (size_t v = 0; v < labels.size(); ++v) {
      labels[v] = Root(static_cast<int32_t>(v));
    }
    return labels;
  }

 private:
  struct Entry {
    int32_t neighbor;
    int64_t weight;
  };

  int32_t Root(int32_t v) {
    while (parents_[v] != v) v = parents_[v] = parents_[parents_[v]];
    return v;
  }

  // Whether rule 1 drops this edge.
  bool IsDropped(int32_t v, int32_t u, int64_t weight) const {
    return weight < 0 && !components_.empty() &&
           components_[u] != components_[v];
  }

  bool IsHopeful(int32_t v) const {
    return most_[v] > 0 && 2 * most_[v] >= least_total_[v];
  }

  void Add(int32_t root, int32_t neighbor, int64_t weight) {
    neighbor = Root(neighbor);
    if (neighbor == root) return;
    if (!is_touched_[neighbor]) {
      is_touched_[neighbor] = true;
      touched_.push_back(neighbor);
    }
    sums_[neighbor] += weight;
  }

  // Reads the row of a root into row_ and makes it one part.
  void ReadRow(int32_t root) {
    touched_.clear();
    int32_t part = root;
    do {
      if (has_own_row_[part]) {
        for (const Entry& entry : own_rows_[part]) {
          Add(root, entry.neighbor, entry.weight);
        }
      } else {
        const int64_t end = graph_.offsets[part + 1];
        for (int64_t i = graph_.offsets[part]; i < end; ++i) {
          const int32_t neighbor = graph_.neighbors[i];
          if (IsDropped(part, neighbor, graph_.weights[i])) continue;
          Add(root, neighbor, graph_.weights[i]);
        }
      }
      part = next_part_[part];
    } while (part != root);

    row_.clear();
    for (const int32_t neighbor : touched_) {
      if (sums_[neighbor] != 0) row_.push_back({neighbor, sums_[neighbor]});
      sums_[neighbor] = 0;
      is_touched_[neighbor] = false;
    }
    if (next_part_[root] == root) return;
    for (part = next_part_[root]; part != root; part = next_part_[part]) {
      std::vector<Entry>().swap(own_rows_[part]);
    }
    next_part_[root] = root;
    has_own_row_[root] = true;
    own_rows_[root] = row_;
  }

  void ContractIfDominated(int32_t u) {
    ReadRow(u);
    Entry best = {-1, 0};
    int64_t total = 0;
    for (const Entry& entry : row_) {
      total += std::abs(entry.weight);
      if (entry.weight > best.weight ||
          (entry.weight == best.weight && entry.neighbor < best.neighbor)) {
        best = entry;
      }
    }
    least_total_[u] = total;
    most_[u] = best.weight;
    if (best.weight > 0 && 2 * best.weight >= total) Join(u, best.neighbor);
  }

  // Makes group u a part of group v. row_ is the row of u, whose bounds are
  // exact.
  void Join(int32_t u, int32_t v) {
    parents_[u] = v;
    std::swap(next_part_[u], next_part_[v]);
    int64_t most = 0;
    for (const Entry& entry : row_) {
      if (entry.neighbor == v) continue;
      most = std::max(most, entry.weight);
      // Two weights of the neighbor become one. Their signs may differ.
      Loosen(entry.neighbor, 2 * std::abs(entry.weight), entry.weight);
    }
    // The other weights of u may cancel as much of v's, and the edge between
    // them is gone from both rows: together the total of u.
    Loosen(v, least_total_[u], most);
  }

  // Loosens the bounds of v: its total may have fallen by `fall`, and its
  // largest weight risen by `rise`, at most.
  void Loosen(int32_t v, int64_t fall, int64_t rise) {
    least_total_[v] = std::max<int64_t>(least_total_[v] - fall, 0);
    // No weight exceeds kMaxSignedWeight, whatever the bound says.
    if (rise > 0) most_[v] = std::min(most_[v] + rise, kMaxSignedWeight);
    if (is_queued_[v] || !IsHopeful(v)) return;
    is_queued_[v] = true;
    queue_.push_back(v);
  }

  const SignedGraph& graph_;
  const absl::Span<const int32_t> components_;
  StopCheck check_;
  std::vector<int32_t> parents_;
  // The parts of a group, as a ring.
  std::vector<int32_t> next_part_;
  // The row of a part, where it differs from the row of the vertex in graph_.
  std::vector<char> has_own_row_;
  std::vector<std::vector<Entry>> own_rows_;
  // Bounds, exact right after ReadRow: the magnitudes of a root's row sum to at
  // least least_total_, and no weight exceeds most_.
  std::vector<int64_t> least_total_;
  std::vector<int64_t> most_;

  std::vector<int32_t> queue_;
  std::vector<char> is_queued_;

  // Scratch of ReadRow; sums_ and is_touched_ are zero between calls.
  std::vector<int64_t> sums_;
  std::vector<char> is_touched_;
  std::vector<int32_t> touched_;
  std::vector<Entry> row_;
};

}  // namespace

Labels ContractDominantEdges(const SignedGraph& graph,
                             absl::Span<const int32_t> components,
                             const StepOptions& step) {
  const TraceSpan span("dominant edges");
  return ShrinkingGraph(graph, components, step).Contract();
}

}  // namespace warpclust
