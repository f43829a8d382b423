// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/testing/dclustr_oracle.h"

#include <algorithm>
#include <cmath>

namespace warpclust {
namespace {

struct Rational {
  __int128 above = 0;
  __int128 below = 1;  // > 0
};

int Compare(const Rational& a, const Rational& b) {
  const __int128 left = a.above * b.below;
  const __int128 right = b.above * a.below;
  return left < right ? -1 : left > right;
}

// What section 2.1 defines of every vertex.
struct Values {
  std::map<int32_t, Rational> degree, ais, relevance;
};

Values ValuesOf(const NaiveGraph& graph) {
  Values values;
  for (const auto& [v, row] : graph) {
    const __int128 degree = row.size();
    __int128 sum = 0;
    for (const auto& [u, weight] : row) {
      sum += std::llrint(std::ldexp(weight, 31));
    }
    values.degree[v] = {degree, 1};
    values.ais[v] = {sum, std::max<__int128>(degree, 1)};
  }
  for (const auto& [v, row] : graph) {
    __int128 count = 0;
    for (const auto& [u, weight] : row) {
      count += Compare(values.degree[v], values.degree[u]) >= 0;
      count += Compare(values.ais[v], values.ais[u]) >= 0;
    }
    values.relevance[v] = {count, std::max<__int128>(2 * row.size(), 1)};
  }
  return values;
}

using Key = std::map<int32_t, Rational>;

// `vertices` by the keys, each descending, then by number.
std::vector<int32_t> Sorted(const std::set<int32_t>& vertices,
                            const std::vector<const Key*>& keys) {
  std::vector<int32_t> sorted(vertices.begin(), vertices.end());
  std::sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
    for (const Key* key : keys) {
      const int order = Compare(key->at(a), key->at(b));
      if (order != 0) return order > 0;
    }
    return a < b;
  });
  return sorted;
}

std::set<int32_t> Neighbors(const NaiveGraph& graph, int32_t v) {
  std::set<int32_t> neighbors;
  for (const auto& [u, weight] : graph.at(v)) neighbors.insert(u);
  return neighbors;
}

std::set<int32_t> Star(const NaiveGraph& graph, int32_t v) {
  std::set<int32_t> star = Neighbors(graph, v);
  star.insert(v);
  return star;
}

// Those of `centers` whose stars hold x.
std::set<int32_t> Covering(const NaiveGraph& graph,
                           const std::set<int32_t>& centers, int32_t x) {
  std::set<int32_t> covering;
  for (const int32_t c : centers) {
    if (c == x || graph.at(c).count(x)) covering.insert(c);
  }
  return covering;
}

bool IsCovered(const NaiveGraph& graph, const std::set<int32_t>& centers,
               int32_t x) {
  return !Covering(graph, centers, x).empty();
}

std::set<int32_t> Isolated(const NaiveGraph& graph) {
  std::set<int32_t> isolated;
  for (const auto& [v, row] : graph) {
    if (row.empty()) isolated.insert(v);
  }
  return isolated;
}

// Walks L and adds to `centers` who is needed.
void CompleteCover(const NaiveGraph& graph, const Values& values,
                   const std::set<int32_t>& candidates,
                   std::set<int32_t>* centers) {
  for (const int32_t v :
       Sorted(candidates, {&values.relevance, &values.degree, &values.ais})) {
    if (centers->count(v)) continue;
    for (const int32_t x : Star(graph, v)) {
      if (!IsCovered(graph, *centers, x)) {
        centers->insert(v);
        break;
      }
    }
  }
}

}  // namespace

NaiveGraph Changed(NaiveGraph graph, const NaiveChange& change) {
  for (const int32_t v : change.removed) {
    for (const int32_t u : Neighbors(graph, v)) graph[u].erase(v);
    graph.erase(v);
  }
  for (const int32_t v : change.added) graph[v];
  for (const WeightedEdge& edge : change.edges) {
    graph[edge.u][edge.v] = edge.weight;
    graph[edge.v][edge.u] = edge.weight;
  }
  return graph;
}

std::set<int32_t> NaiveInitialCenters(const NaiveGraph& graph) {
  const Values values = ValuesOf(graph);
  std::set<int32_t> candidates;
  for (const auto& [v, relevance] : values.relevance) {
    if (relevance.above > 0) candidates.insert(v);
  }
  std::set<int32_t> centers = Isolated(graph);
  CompleteCover(graph, values, candidates, &centers);
  return centers;
}

std::set<int32_t> NaiveUpdatedCenters(const NaiveGraph& graph,
                                      const std::set<int32_t>& old_centers) {
  const Values values = ValuesOf(graph);
  const auto more_relevant = [&](int32_t a, int32_t b) {
    return Compare(values.relevance.at(a), values.relevance.at(b)) > 0;
  };
  std::set<int32_t> candidates, activated;

  // V+.
  for (const auto& [v, row] : graph) {
    if (old_centers.count(v) || values.relevance.at(v).above == 0) continue;
    const bool a = !IsCovered(graph, old_centers, v);
    bool b = false, c = false;
    for (const int32_t u : Neighbors(graph, v)) {
      const std::set<int32_t> covering = Covering(graph, old_centers, u);
      if (covering.empty()) b = true;
      if (std::all_of(covering.begin(), covering.end(),
                      [&, v = v](int32_t center) {
                        return more_relevant(v, center);
                      })) {
        c = true;
        activated.insert(u);
      }
    }
    if (a || b || c) candidates.insert(v);
  }

  // C'.
  std::set<int32_t> leaving;
  for (const int32_t v : old_centers) {
    bool is_weak = false, has_active = false;
    for (const int32_t u : Neighbors(graph, v)) {
      if (more_relevant(u, v)) {
        candidates.insert(u);
        is_weak = true;
      }
      if (activated.count(u)) has_active = true;
    }
    const bool is_irrelevant =
        values.relevance.at(v).above == 0 && !graph.at(v).empty();
    if (is_weak || has_active || is_irrelevant) {
      leaving.insert(v);
      if (values.relevance.at(v).above > 0) candidates.insert(v);
    }
  }

  std::set<int32_t> centers = Isolated(graph);
  for (const int32_t v : old_centers) {
    if (!leaving.count(v)) centers.insert(v);
  }
  CompleteCover(graph, values, candidates, &centers);
  return centers;
}

std::vector<NaiveStar> NaiveUsefulStars(const NaiveGraph& graph,
                                        const std::set<int32_t>& centers) {
  const Values values = ValuesOf(graph);
  const std::vector<const Key*> keys = {&values.degree, &values.relevance,
                                        &values.ais};
  std::set<int32_t> present = centers, visited;
  std::vector<NaiveStar> stars;
  for (const int32_t v : Sorted(centers, keys)) {
    if (!present.count(v)) continue;
    visited.insert(v);
    std::set<int32_t> beside;
    for (const int32_t u : Neighbors(graph, v)) {
      if (present.count(u) && !visited.count(u)) beside.insert(u);
    }
    NaiveStar star;
    star.center = v;
    for (const int32_t u : Sorted(beside, keys)) {
      std::set<int32_t> alone, shared;
      for (const int32_t x : Star(graph, u)) {
        (Covering(graph, present, x).size() == 1 ? alone : shared).insert(x);
      }
      if (shared.size() > alone.size()) {
        present.erase(u);
        star.linked.insert(alone.begin(), alone.end());
      }
    }
    stars.push_back(star);
  }
  std::sort(stars.begin(), stars.end(),
            [](const NaiveStar& a, const NaiveStar& b) {
              return a.center < b.center;
            });
  return stars;
}

std::vector<NaiveStar> NaiveScratchStars(const NaiveGraph& graph) {
  return NaiveUsefulStars(graph, NaiveInitialCenters(graph));
}

void NaiveDClustR::Update(const NaiveChange& change) {
  std::set<int32_t> changed = change.added;
  for (const int32_t v : change.removed) {
    const std::set<int32_t> neighbors = Neighbors(graph_, v);
    changed.insert(neighbors.begin(), neighbors.end());
    linked_of_center_.erase(v);
  }
  for (const int32_t v : change.removed) changed.erase(v);
  graph_ = Changed(graph_, change);

  affected_.clear();
  for (const int32_t start : changed) {
    if (affected_.count(start)) continue;
    std::set<int32_t> component;
    std::vector<int32_t> open = {start};
    while (!open.empty()) {
      const int32_t v = open.back();
      open.pop_back();
      if (!component.insert(v).second) continue;
      for (const int32_t u : Neighbors(graph_, v)) open.push_back(u);
    }
    affected_.insert(component.begin(), component.end());

    std::set<int32_t> old_centers;
    for (const int32_t v : component) {
      if (linked_of_center_.erase(v)) old_centers.insert(v);
    }
    const NaiveGraph part = InducedGraph(graph_, component);
    for (const NaiveStar& star :
         NaiveUsefulStars(part, NaiveUpdatedCenters(part, old_centers))) {
      linked_of_center_[star.center] = star.linked;
    }
  }
}

std::vector<NaiveStar> NaiveDClustR::stars() const {
  std::vector<NaiveStar> stars;
  for (const auto& [center, linked] : linked_of_center_) {
    stars.push_back({center, linked});
  }
  return stars;
}

std::string NaiveViolation(const NaiveGraph& graph,
                           const std::vector<NaiveStar>& stars) {
  const auto of = [](const char* what, int32_t v) {
    return std::string(what) + " " + std::to_string(v);
  };
  std::set<int32_t> centers, linked;
  for (const NaiveStar& star : stars) {
    if (!graph.count(star.center)) return of("no vertex: center", star.center);
    if (!centers.insert(star.center).second) {
      return of("given twice: center", star.center);
    }
  }
  for (const NaiveStar& star : stars) {
    for (const int32_t x : star.linked) {
      if (!graph.count(x)) return of("no vertex: linked", x);
      if (!linked.insert(x).second) return of("linked twice:", x);
      if (IsCovered(graph, centers, x)) return of("linked, but in a star:", x);
      bool is_two_away = false;
      for (const int32_t u : Neighbors(graph, star.center)) {
        if (graph.at(u).count(x)) is_two_away = true;
      }
      if (!is_two_away) return of("linked from afar:", x);
    }
  }
  for (const auto& [v, row] : graph) {
    if (!linked.count(v) && !IsCovered(graph, centers, v)) {
      return of("in no cluster:", v);
    }
  }
  const Values values = ValuesOf(graph);
  std::set<int32_t> earlier;
  for (const int32_t u :
       Sorted(centers, {&values.degree, &values.relevance, &values.ais})) {
    int shared = 0, alone = 0;
    for (const int32_t x : Star(graph, u)) {
      ++(Covering(graph, centers, x).size() == 1 ? alone : shared);
    }
    if (IsCovered(graph, earlier, u) && shared > alone) {
      return of("useless: center", u);
    }
    earlier.insert(u);
  }
  return "";
}

CsrGraph LocalGraph(const NaiveGraph& graph, std::vector<int32_t>* numbers) {
  std::map<int32_t, int32_t> local;
  if (numbers != nullptr) numbers->clear();
  for (const auto& [v, row] : graph) {
    local.emplace(v, static_cast<int32_t>(local.size()));
    if (numbers != nullptr) numbers->push_back(v);
  }
  std::vector<WeightedEdge> edges;
  for (const auto& [v, row] : graph) {
    for (const auto& [u, weight] : row) {
      if (u < v) edges.push_back({local.at(u), local.at(v), weight});
    }
  }
  return *BuildCsrGraph(static_cast<int32_t>(graph.size()), edges);
}

NaiveGraph InducedGraph(const NaiveGraph& graph,
                        const std::set<int32_t>& vertices) {
  NaiveGraph part;
  for (const int32_t v : vertices) {
    part[v];
    for (const auto& [u, weight] : graph.at(v)) {
      if (vertices.count(u)) part[v][u] = weight;
    }
  }
  return part;
}

}  // namespace warpclust
