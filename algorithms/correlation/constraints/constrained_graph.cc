// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/constraints/constrained_graph.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

using Pairs = std::vector<std::pair<int32_t, int32_t>>;

constexpr size_t kMostFixedPairs = size_t{1} << 24;

// Which vertices must share a cluster.
struct Together {
  Pairs links;   // Must-links, and those between fixed vertices of a cluster.
  Labels group;  // The components of `links`, canonical.
  int32_t num_groups = 0;
  // The first fixed vertex of each cluster of `initial` that has one.
  std::vector<int32_t> fixed;
};

Together FindTogether(int32_t num_vertices, absl::Span<const int32_t> initial,
                      const CorrelationConstraints& constraints) {
  Together together;
  together.links = constraints.must_link;
  std::vector<int32_t> first(num_vertices, -1);
  for (const int32_t v : constraints.fixed) {
    int32_t& other = first[initial[v]];
    if (other < 0) {
      other = v;
      together.fixed.push_back(v);
    } else if (other != v) {
      together.links.push_back({other, v});
    }
  }
  Labels& parent = together.group;
  parent.resize(num_vertices);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [u, v] : together.links) parent[root(u)] = root(v);
  for (int32_t v = 0; v < num_vertices; ++v) parent[v] = root(v);
  together.num_groups = MakeCanonical(&parent);
  return together;
}

// The shortest path of links from u to v, which must be connected by them.
std::vector<int32_t> PathOfLinks(int32_t num_vertices, const Pairs& links,
                                 int32_t u, int32_t v) {
  std::vector<std::vector<int32_t>> rows(num_vertices);
  for (const auto& [a, b] : links) {
    rows[a].push_back(b);
    rows[b].push_back(a);
  }
  // From the end, so that the path is read forwards.
  std::vector<int32_t> next(num_vertices, -1);
  std::vector<int32_t> queue = {v};
  next[v] = v;
  for (size_t i = 0; next[u] < 0; ++i) {
    for (const int32_t w : rows[queue[i]]) {
      if (next[w] >= 0) continue;
      next[w] = queue[i];
      queue.push_back(w);
    }
  }
  std::vector<int32_t> path = {u};
  while (path.back() != v) path.push_back(next[path.back()]);
  return path;
}

absl::Status Contradiction(absl::Span<const int32_t> path, bool fixed,
                           absl::FunctionRef<std::string(int32_t)> name) {
  std::string text = absl::StrCat(
      "constraints: expected a partition that meets all of them, found none: ",
      name(path.front()), " and ", name(path.back()),
      fixed ? " are fixed in different clusters" : " may not share a cluster",
      ", but must share one: ");
  for (size_t i = 0; i < path.size(); ++i) {
    absl::StrAppend(&text, i > 0 ? " - " : "", name(path[i]));
  }
  return absl::InvalidArgumentError(text);
}

absl::Status CheckVertices(int32_t num_vertices,
                           absl::Span<const int32_t> initial,
                           const CorrelationConstraints& constraints) {
  const auto check = [&](int32_t v) {
    if (v >= 0 && v < num_vertices) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("constraints: expected vertices in [0, ", num_vertices,
                     "), found ", v));
  };
  for (const Pairs* pairs :
       {&constraints.must_link, &constraints.cannot_link}) {
    for (const auto& [u, v] : *pairs) {
      RETURN_IF_ERROR(check(u));
      RETURN_IF_ERROR(check(v));
    }
  }
  for (const int32_t v : constraints.fixed) RETURN_IF_ERROR(check(v));
  if (!constraints.fixed.empty() &&
      initial.size() != static_cast<size_t>(num_vertices)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "constraints: expected an initial partition of ", num_vertices,
        " vertices for the fixed ones, found ", initial.size(), " labels"));
  }
  return absl::OkStatus();
}

// Fails if two vertices must be together and apart.
absl::Status CheckTogether(const Together& together,
                           const CorrelationConstraints& constraints,
                           absl::FunctionRef<std::string(int32_t)> name) {
  const auto n = static_cast<int32_t>(together.group.size());
  for (const auto& [u, v] : constraints.cannot_link) {
    if (together.group[u] != together.group[v]) continue;
    return Contradiction(PathOfLinks(n, together.links, u, v), false, name);
  }
  std::vector<int32_t> fixed_in(together.num_groups, -1);
  for (const int32_t v : together.fixed) {
    int32_t& other = fixed_in[together.group[v]];
    if (other >= 0) {
      return Contradiction(PathOfLinks(n, together.links, other, v), true,
                           name);
    }
    other = v;
  }
  return absl::OkStatus();
}

// The pairs of groups that may not share a cluster.
absl::StatusOr<Pairs> PairsApart(const Together& together,
                                 const CorrelationConstraints& constraints) {
  Pairs apart;
  for (const auto& [u, v] : constraints.cannot_link) {
    apart.push_back(std::minmax(together.group[u], together.group[v]));
  }
  const size_t num_fixed = together.fixed.size();
  if (num_fixed > 1 && num_fixed - 1 > 2 * kMostFixedPairs / num_fixed) {
    return absl::InvalidArgumentError(absl::StrCat(
        "constraints: expected fixed vertices in clusters of which at most ",
        kMostFixedPairs, " pairs exist, found ", num_fixed,
        " clusters; fix fewer vertices"));
  }
  for (size_t i = 0; i < num_fixed; ++i) {
    for (size_t k = 0; k < i; ++k) {
      apart.push_back(std::minmax(together.group[together.fixed[i]],
                                  together.group[together.fixed[k]]));
    }
  }
  std::sort(apart.begin(), apart.end());
  apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
  return apart;
}

// `graph` with each of these pairs as a negative edge, see the header.
absl::StatusOr<SignedGraph> KeepApart(const SignedGraph& graph,
                                      const Pairs& apart) {
  const int32_t n = graph.num_vertices();
  std::vector<int64_t> attraction(n);
  int64_t constant_cost = graph.constant_cost;
  std::vector<SignedEdge> edges;
  auto pair = apart.begin();
  std::vector<int64_t> repulsion(apart.size());
  for (int32_t u = 0; u < n; ++u) {
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      const int32_t v = graph.neighbors[i];
      const int64_t weight = graph.weights[i];
      if (weight > 0) attraction[u] += weight;
      if (v < u) continue;
      while (pair != apart.end() && *pair < std::make_pair(u, v)) ++pair;
      if (pair == apart.end() || *pair != std::make_pair(u, v)) {
        edges.push_back({u, v, weight});
      } else if (weight > 0) {
        constant_cost += weight;
      } else {
        repulsion[pair - apart.begin()] = -weight;
      }
    }
  }
  for (size_t i = 0; i < apart.size(); ++i) {
    const auto [a, b] = apart[i];
    edges.push_back(
        {a, b,
         -std::max(repulsion[i], 1 + std::min(attraction[a], attraction[b]))});
  }
  ASSIGN_OR_RETURN(SignedGraph result,
                   BuildSignedGraph(n, edges, graph.units_per_one));
  result.constant_cost = constant_cost;
  return result;
}

}  // namespace

absl::StatusOr<ConstrainedGraph> Constrain(
    const SignedGraph& graph, absl::Span<const int32_t> initial,
    const CorrelationConstraints& constraints) {
  const int32_t n = graph.num_vertices();
  RETURN_IF_ERROR(CheckVertices(n, initial, constraints));
  Together together = FindTogether(n, initial, constraints);
  RETURN_IF_ERROR(CheckTogether(together, constraints,
                                [](int32_t v) { return absl::StrCat(v); }));
  ConstrainedGraph result;
  ASSIGN_OR_RETURN(result.apart, PairsApart(together, constraints));
  result.graph = Contract(graph, together.group, together.num_groups);
  result.group = std::move(together.group);
  if (!result.apart.empty()) {
    ASSIGN_OR_RETURN(result.graph, KeepApart(result.graph, result.apart));
  }
  return result;
}

absl::Status CheckConstraints(int32_t num_vertices,
                              absl::Span<const int32_t> initial,
                              const CorrelationConstraints& constraints,
                              absl::FunctionRef<std::string(int32_t)> name) {
  RETURN_IF_ERROR(CheckVertices(num_vertices, initial, constraints));
  return CheckTogether(FindTogether(num_vertices, initial, constraints),
                       constraints, name);
}

Labels LabelsOfGroups(const ConstrainedGraph& constrained,
                      absl::Span<const int32_t> labels) {
  const int32_t num_groups = constrained.graph.num_vertices();
  // A cluster is named by its first group, which is in range.
  std::vector<int32_t> name(labels.size(), -1);
  Labels result(num_groups, -1);
  for (size_t v = 0; v < labels.size(); ++v) {
    const int32_t group = constrained.group[v];
    if (result[group] >= 0) continue;
    if (name[labels[v]] < 0) name[labels[v]] = group;
    result[group] = name[labels[v]];
  }
  MakeCanonical(&result);
  return result;
}

bool KeepsApart(const ConstrainedGraph& constrained,
                absl::Span<const int32_t> group_labels) {
  return std::none_of(constrained.apart.begin(), constrained.apart.end(),
                      [&](const std::pair<int32_t, int32_t>& pair) {
                        return group_labels[pair.first] ==
                               group_labels[pair.second];
                      });
}

}  // namespace warpclust
