// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/kernighan_lin.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/local_search/border_chain.h"
#include "algorithms/correlation/local_search/cluster_slots.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// The clusters to which one has a positive edge, and the edges to them.
struct Attraction {
  std::vector<int32_t> clusters;  // Ascending.
  // If all were listed: those to clusters[i] are [offsets[i], offsets[i + 1]).
  std::vector<CrossEdge> edges;
  std::vector<size_t> offsets;
};

class Chains {
 public:
  Chains(const SignedGraph& graph, int patience, Labels* labels,
         const StepOptions& step)
      : graph_(graph),
        check_(step.control),
        labels_(*labels),
        members_(graph.num_vertices()),
        slots_(graph.num_vertices()),
        degrees_(graph.num_vertices()),
        is_changed_(graph.num_vertices(), true),
        vertices_(graph.num_vertices()),
        number_(graph.num_vertices(), -1),
        chain_(graph, vertices_, patience) {
    MakeCanonical(labels);
    for (int32_t v = 0; v < graph.num_vertices(); ++v) Enter(v, labels_[v]);
    const int threads = ResolveThreads(step.num_threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        if (labels_[graph.neighbors[i]] == labels_[v]) {
          vertices_[v].own += graph.weights[i];
        }
      }
    }
  }

  // Tries all pairs with a cluster that changed in the last round, in order of
  // label, unless stopped. Returns the gain.
  int64_t Round() {
    const std::vector<char> was_changed = is_changed_;
    std::fill(is_changed_.begin(), is_changed_.end(), false);
    int64_t gained = 0;
    for (int32_t a = 0; a < graph_.num_vertices(); ++a) {
      if (!was_changed[a]) continue;
      if (check_.After(degrees_[a])) break;
      ListAttracted(a);
      // The pairs with a smaller one were tried from the other side.
      std::erase_if(attraction_.clusters,
                    [&](int32_t b) { return b < a && was_changed[b]; });
      bool has_edges = false;
      for (size_t i = 0; i < attraction_.clusters.size(); ++i) {
        if (check_.After(0)) break;
        if (!has_edges) has_edges = ListEdgesIfCheap(a, i);
        const int64_t gain = Exchange(a, i, has_edges);
        gained += gain;
        has_edges = has_edges && gain == 0;
      }
      gained += Split(a);
    }
    return gained;
  }

 private:
  bool IsEmpty(int32_t cluster) const { return members_[cluster].empty(); }

  // A vertex that gains by going to any other cluster could as well go to an
  // empty one.
  void ListAttracted(int32_t a) {
    std::vector<int32_t>& clusters = attraction_.clusters;
    clusters.clear();
    for (const int32_t v : members_[a]) {
      for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
        const int32_t b = labels_[graph_.neighbors[i]];
        if (b == a || graph_.weights[i] < 0 || number_[b] >= 0) continue;
        number_[b] = 0;
        clusters.push_back(b);
      }
    }
    for (const int32_t b : clusters) number_[b] = -1;
    std::sort(clusters.begin(), clusters.end());
  }

  // Lists the edges of a to attracted clusters from number `first` on, if that
  // is less work than reading, for each of them, the rows of the cluster with
  // fewer edges. Returns whether it did.
  bool ListEdgesIfCheap(int32_t a, size_t first) {
    const std::vector<int32_t>& clusters = attraction_.clusters;
    int64_t work = 0;
    for (size_t k = first; k < clusters.size(); ++k) {
      work += std::min(degrees_[clusters[k]], degrees_[a]);
    }
    if (work <= 2 * degrees_[a]) return false;
    check_.After(2 * degrees_[a]);
    std::vector<size_t>& offsets = attraction_.offsets;
    offsets.assign(clusters.size() + 1, 0);
    for (size_t k = first; k < clusters.size(); ++k) {
      number_[clusters[k]] = static_cast<int32_t>(k);
    }
    const auto for_all = [&](const auto& visit) {
      for (const int32_t v : members_[a]) {
        for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
          const int32_t number = number_[labels_[graph_.neighbors[i]]];
          if (number >= 0) visit(number, v, i);
        }
      }
    };
    for_all([&](int32_t number, int32_t, int64_t) { ++offsets[number]; });
    for (size_t k = 1; k < offsets.size(); ++k) offsets[k] += offsets[k - 1];
    attraction_.edges.resize(offsets.back());
    // From the ends of the clusters to their beginnings.
    for_all([&](int32_t number, int32_t v, int64_t i) {
      attraction_.edges[--offsets[number]] = {v, graph_.neighbors[i],
                                              graph_.weights[i]};
    });
    for (const int32_t b : clusters) number_[b] = -1;
    return true;
  }

  // The edges between a and b, from the rows of b.
  absl::Span<const CrossEdge> EdgesOfRows(int32_t a, int32_t b) {
    edges_.clear();
    check_.After(degrees_[b]);
    for (const int32_t v : members_[b]) {
      for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
        const int32_t u = graph_.neighbors[i];
        if (labels_[u] == a) edges_.push_back({v, u, graph_.weights[i]});
      }
    }
    return edges_;
  }

  // Tries a chain between a and attracted cluster `number`, and their join.
  // Returns the gain.
  int64_t Exchange(int32_t a, size_t number, bool has_edges) {
    int32_t b = attraction_.clusters[number];
    if (IsEmpty(a) || IsEmpty(b)) return 0;
    // The members of b suffice: vertices of a without an edge to b do not
    // matter.
    if (degrees_[a] < degrees_[b] || (degrees_[a] == degrees_[b] && a > b)) {
      std::swap(a, b);
    }
    const absl::Span<const CrossEdge> edges =
        has_edges ? absl::MakeConstSpan(attraction_.edges)
                        .subspan(attraction_.offsets[number],
                                 attraction_.offsets[number + 1] -
                                     attraction_.offsets[number])
                  : EdgesOfRows(a, b);
    const int64_t best = chain_.Run(a, b, members_[b], edges);
    check_.After(chain_.work());
    int64_t between = 0;
    for (const CrossEdge& edge : edges) between += edge.weight;
    if (between > best) {
      Commit(std::vector<int32_t>(members_[b]), a, b);
      return between;
    }
    Commit(chain_.moves(), a, b);
    return best;
  }

  // Tries a chain from a cluster to an empty one. Returns the gain.
  int64_t Split(int32_t a) {
    if (members_[a].size() < 2) return 0;
    // There is an unused label: two vertices are together.
    const int32_t b = slots_.SmallestUnused();
    const int64_t gain = chain_.Run(a, b, members_[a], {});
    check_.After(chain_.work());
    Commit(chain_.moves(), a, b);
    return gain;
  }

  void Enter(int32_t v, int32_t cluster) {
    labels_[v] = cluster;
    vertices_[v].label = cluster;
    vertices_[v].place = static_cast<int32_t>(members_[cluster].size());
    members_[cluster].push_back(v);
    slots_.Add(cluster);
    degrees_[cluster] += graph_.Degree(v);
  }

  void Leave(int32_t v) {
    const int32_t cluster = labels_[v];
    std::vector<int32_t>& members = members_[cluster];
    const int32_t last = members.back();
    members[vertices_[v].place] = last;
    vertices_[last].place = vertices_[v].place;
    members.pop_back();
    slots_.Remove(cluster);
    degrees_[cluster] -= graph_.Degree(v);
  }

  // Moves each vertex to the other of a and b.
  void Commit(absl::Span<const int32_t> moves, int32_t a, int32_t b) {
    for (const int32_t v : moves) Move(v, labels_[v] == a ? b : a);
  }

  void Move(int32_t v, int32_t to) {
    const int32_t from = labels_[v];
    vertices_[v].own = 0;
    for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
      const int32_t u = graph_.neighbors[i];
      if (labels_[u] == from) vertices_[u].own -= graph_.weights[i];
      if (labels_[u] != to) continue;
      vertices_[u].own += graph_.weights[i];
      vertices_[v].own += graph_.weights[i];
    }
    Leave(v);
    Enter(v, to);
    is_changed_[from] = true;
    is_changed_[to] = true;
  }

  const SignedGraph& graph_;
  StopCheck check_;
  // Also in vertices_; for loops that need nothing else.
  Labels& labels_;
  std::vector<std::vector<int32_t>> members_;
  ClusterSlots slots_;
  // The sum of the degrees of each cluster.
  std::vector<int64_t> degrees_;
  // By cluster, in this round.
  std::vector<char> is_changed_;
  std::vector<ClusteredVertex> vertices_;

  Attraction attraction_;
  std::vector<int32_t> number_;  // By cluster; -1 between calls.
  std::vector<CrossEdge> edges_;
  BorderChain chain_;
};

}  // namespace

int64_t KernighanLin(const SignedGraph& graph,
                     const KernighanLinOptions& options, Labels* labels,
                     const StepOptions& step) {
  Chains chains(graph, options.patience, labels, step);
  int64_t gained = 0;
  for (int round = 0; round < options.rounds; ++round) {
    const int64_t gain = chains.Round();
    gained += gain;
    if (gain == 0 || step.IsStopped()) break;
  }
  MakeCanonical(labels);
  return -gained;
}

}  // namespace warpclust
