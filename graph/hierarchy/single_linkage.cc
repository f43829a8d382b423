// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/hierarchy/single_linkage.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace warpclust {
namespace {

struct Edge {
  float weight;
  int32_t u;
  int32_t v;
};

struct ExactEdge {
  double cosine;
  int32_t u;
  int32_t v;
};

// The clusters so far, and the rows that made them.
class Joining {
 public:
  explicit Joining(int32_t n) : parents_(n), clusters_(n), sizes_(n, 1) {
    std::iota(parents_.begin(), parents_.end(), 0);
    std::iota(clusters_.begin(), clusters_.end(), 0);
    rows_.reserve(n > 0 ? 4 * (n - size_t{1}) : 0);
  }

  bool AreOne(const Edge& edge) { return Root(edge.u) == Root(edge.v); }

  void Join(int32_t u, int32_t v, double distance) {
    int32_t into = Root(u);
    int32_t from = Root(v);
    if (into == from) return;
    if (sizes_[into] < sizes_[from]) std::swap(into, from);
    const auto [a, b] = std::minmax(clusters_[into], clusters_[from]);
    sizes_[into] += sizes_[from];
    rows_.insert(rows_.end(), {static_cast<double>(a), static_cast<double>(b),
                               distance, static_cast<double>(sizes_[into])});
    parents_[from] = into;
    clusters_[into] = static_cast<int64_t>(parents_.size()) +
                      static_cast<int64_t>(rows_.size() / 4) - 1;
  }

  std::vector<double> TakeRows() { return std::move(rows_); }

 private:
  int32_t Root(int32_t v) {
    while (parents_[v] != v) {
      parents_[v] = parents_[parents_[v]];
      v = parents_[v];
    }
    return v;
  }

  std::vector<int32_t> parents_;
  // By root: SciPy's number of the cluster, and its vertices.
  std::vector<int64_t> clusters_;
  std::vector<int64_t> sizes_;
  std::vector<double> rows_;
};

// Edges from the heaviest on; among equal weights by vertices.
bool Precedes(const Edge& a, const Edge& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return a.u != b.u ? a.u < b.u : a.v < b.v;
}

// Joins by edges in their order. A larger float is a larger double, so only
// edges of equal floats that join different clusters need their doubles to be
// ordered.
void JoinByEdges(absl::Span<const Edge> edges, ExactEdgeWeights exact,
                 Joining* joining) {
  std::vector<ExactEdge> equal;
  std::vector<int32_t> others;
  std::vector<double> cosines;
  std::vector<double> scratch;
  for (size_t begin = 0; begin < edges.size();) {
    size_t end = begin;
    equal.clear();
    for (; end < edges.size() && edges[end].weight == edges[begin].weight;
         ++end) {
      if (joining->AreOne(edges[end])) continue;
      equal.push_back({0, edges[end].u, edges[end].v});
    }
    begin = end;
    for (size_t i = 0; i < equal.size();) {
      size_t j = i;
      others.clear();
      for (; j < equal.size() && equal[j].u == equal[i].u; ++j) {
        others.push_back(equal[j].v);
      }
      cosines.resize(others.size());
      exact(equal[i].u, others, &scratch, absl::MakeSpan(cosines));
      for (size_t k = i; k < j; ++k) equal[k].cosine = cosines[k - i];
      i = j;
    }
    // Stable: vertices ascend.
    std::stable_sort(equal.begin(), equal.end(),
                     [](const ExactEdge& a, const ExactEdge& b) {
                       return a.cosine > b.cosine;
                     });
    for (const ExactEdge& edge : equal) {
      joining->Join(edge.u, edge.v, 1 - edge.cosine);
    }
  }
}

}  // namespace

std::vector<double> SingleLinkage(const CsrGraph& graph,
                                  ExactEdgeWeights exact) {
  const int32_t n = graph.num_vertices();
  std::vector<Edge> edges;
  edges.reserve(graph.num_edges());
  for (int32_t u = 0; u < n; ++u) {
    for (int64_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e) {
      if (graph.neighbors[e] <= u) continue;
      edges.push_back({graph.weights[e], u, graph.neighbors[e]});
    }
  }
  Joining joining(n);
  // The heaviest first: they join so much that few others need to be sorted
  // (filter-Kruskal: Osipov, Sanders, Singler 2009).
  auto begin = edges.begin();
  auto end = edges.end();
  while (begin != end) {
    auto last = begin + std::min<int64_t>(end - begin, int64_t{4} * n) - 1;
    std::nth_element(begin, last, end, Precedes);
    const float least = last->weight;
    const auto middle = std::partition(
        last + 1, end, [least](const Edge& e) { return e.weight == least; });
    std::sort(begin, middle, Precedes);
    JoinByEdges({&*begin, static_cast<size_t>(middle - begin)}, exact,
                &joining);
    begin = middle;
    end = std::remove_if(begin, end,
                         [&](const Edge& e) { return joining.AreOne(e); });
  }
  for (int32_t v = 1; v < n; ++v) joining.Join(0, v, 1);
  return joining.TakeRows();
}

}  // namespace warpclust
