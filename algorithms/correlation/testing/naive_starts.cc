// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/testing/naive_starts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

namespace warpclust {
namespace {

int64_t Weight(const SignedGraph& graph, int32_t u, int32_t v) {
  for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
    if (graph.neighbors[i] == v) return graph.weights[i];
  }
  return 0;
}

bool IsUsed(const Labels& labels, int32_t label) {
  return std::count(labels.begin(), labels.end(), label) > 0;
}

// -1 if all are used.
int32_t SmallestUnused(const Labels& labels) {
  const int32_t n = static_cast<int32_t>(labels.size());
  for (int32_t label = 0; label < n; ++label) {
    if (!IsUsed(labels, label)) return label;
  }
  return -1;
}

struct SumToCluster {
  int64_t sum = 0;
  bool has_positive = false;
};

SumToCluster Sum(const SignedGraph& graph, const Labels& labels, int32_t v,
                 int32_t label) {
  SumToCluster result;
  for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
    if (labels[graph.neighbors[i]] != label) continue;
    result.sum += graph.weights[i];
    result.has_positive |= graph.weights[i] > 0;
  }
  return result;
}

void JoinBest(const SignedGraph& graph, int32_t v, Labels* labels) {
  int32_t best = -1;
  int64_t best_sum = -1;
  for (int32_t label = 0; label < graph.num_vertices(); ++label) {
    if (!IsUsed(*labels, label)) continue;
    const int64_t sum = Sum(graph, *labels, v, label).sum;
    if (sum > best_sum) {
      best = label;
      best_sum = sum;
    }
  }
  (*labels)[v] = best >= 0 ? best : SmallestUnused(*labels);
}

// Where `v` moves; its own cluster if it does not.
int32_t BestCluster(const SignedGraph& graph, const Labels& labels, int32_t v) {
  int32_t best = -1;
  int64_t best_sum = std::numeric_limits<int64_t>::min();
  for (int32_t label = 0; label < graph.num_vertices(); ++label) {
    if (label == labels[v]) continue;
    const SumToCluster to = Sum(graph, labels, v, label);
    if (to.has_positive && to.sum > best_sum) {
      best = label;
      best_sum = to.sum;
    }
  }
  const int32_t unused = SmallestUnused(labels);
  if (unused >= 0 && (best < 0 || 0 > best_sum)) {
    best = unused;
    best_sum = 0;
  }
  const int64_t own = Sum(graph, labels, v, labels[v]).sum;
  return best >= 0 && best_sum > own ? best : labels[v];
}

void Perturb(Random* random, Labels* labels) {
  const int32_t n = static_cast<int32_t>(labels->size());
  const int32_t v = static_cast<int32_t>(random->Below(n));
  const int32_t h = 1 + *std::max_element(labels->begin(), labels->end());
  int32_t k = static_cast<int32_t>(random->Below(h));
  while (!IsUsed(*labels, k)) k = static_cast<int32_t>(random->Below(h));
  if (k != (*labels)[v]) {
    (*labels)[v] = k;
  } else if (std::count(labels->begin(), labels->end(), k) > 1) {
    (*labels)[v] = SmallestUnused(*labels);
  }
}

void Vnd(const SignedGraph& graph, const CorrelationOptions& options,
         Random* random, Labels* labels) {
  const int32_t n = graph.num_vertices();
  if (IsCudaVnd(options.method)) {
    NaiveBestImprovement(graph, options.neighborhood, labels);
    return;
  }
  while (true) {
    NaiveOneOpt(graph, static_cast<int32_t>(random->Below(n)),
                std::vector<bool>(n, true), labels);
    if (options.neighborhood < 2) return;
    const int32_t first = static_cast<int32_t>(random->Below(n));
    if (!NaiveTwoOpt(graph, first, labels)) return;
  }
}

}  // namespace

int64_t NaiveImbalance(const SignedGraph& graph, const Labels& labels) {
  int64_t imbalance = graph.constant_cost;
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      const int32_t v = graph.neighbors[i];
      if (v < u) continue;
      const bool together = labels[u] >= 0 && labels[u] == labels[v];
      const int64_t weight = graph.weights[i];
      if (weight > 0 && !together) imbalance += weight;
      if (weight < 0 && together) imbalance -= weight;
    }
  }
  return imbalance;
}

Labels NaiveConstruction(const SignedGraph& graph, double alpha,
                         Random* random) {
  const int32_t n = graph.num_vertices();
  Labels labels(n, -1);
  std::vector<int32_t> unclustered;
  for (int32_t v = 0; v < n; ++v) unclustered.push_back(v);
  while (!unclustered.empty()) {
    size_t k = 0;
    if (alpha >= 1) {
      k = random->Below(unclustered.size());
    } else {
      // By what the objective over clustered vertices grows by; edges to
      // unclustered ones do not count yet.
      std::vector<std::pair<int64_t, int32_t>> candidates;
      for (const int32_t v : unclustered) {
        Labels after = labels;
        JoinBest(graph, v, &after);
        int64_t cost = 0;
        for (int32_t u = 0; u < n; ++u) {
          if (labels[u] < 0) continue;
          const int64_t weight = Weight(graph, v, u);
          if (weight > 0 && after[u] != after[v]) cost += weight;
          if (weight < 0 && after[u] == after[v]) cost -= weight;
        }
        candidates.emplace_back(cost, v);
      }
      std::sort(candidates.begin(), candidates.end());
      const int64_t limit =
          std::llround(alpha * static_cast<double>(candidates.size()));
      const size_t choice =
          alpha > 0 ? random->Below(std::max<int64_t>(1, limit)) : 0;
      k = std::find(unclustered.begin(), unclustered.end(),
                    candidates[choice].second) -
          unclustered.begin();
    }
    JoinBest(graph, unclustered[k], &labels);
    unclustered[k] = unclustered.back();
    unclustered.pop_back();
  }
  return labels;
}

std::vector<NaiveMove> NaiveOneOpt(const SignedGraph& graph, int32_t first,
                                   std::vector<bool> visited, Labels* labels) {
  const int32_t n = graph.num_vertices();
  std::vector<NaiveMove> moves;
  int32_t unmoved = 0;
  for (int32_t v = first; unmoved < n; v = (v + 1) % n) {
    ++unmoved;
    if (!visited[v]) continue;
    const int32_t to = BestCluster(graph, *labels, v);
    if (to == (*labels)[v]) continue;
    (*labels)[v] = to;
    moves.push_back({v, to});
    for (const int32_t u : graph.NeighborsOf(v)) visited[u] = true;
    unmoved = 0;
  }
  return moves;
}

bool NaiveTwoOpt(const SignedGraph& graph, int32_t first, Labels* labels,
                 bool most) {
  const int32_t n = graph.num_vertices();
  const int64_t before = NaiveImbalance(graph, *labels);
  // I(P), the order of the pair, and the labels of u and v.
  std::tuple<int64_t, int32_t, int32_t, int32_t> best = {before, -1, -1, -1};
  int32_t best_u = -1;
  int32_t best_v = -1;
  for (int32_t visited = 0, pair = 0; visited < n; ++visited) {
    const int32_t u = (first + visited) % n;
    for (const int32_t v : graph.NeighborsOf(u)) {
      if (v < u || (!most && best_u >= 0)) continue;
      ++pair;
      // n and n + 1 stand for new clusters.
      const auto is_candidate = [&](int32_t label) {
        if (label == n || label == (*labels)[u] || label == (*labels)[v]) {
          return true;
        }
        for (const int32_t w : {u, v}) {
          if (Sum(graph, *labels, w, label).sum != 0) return true;
        }
        return false;
      };
      for (int32_t a = 0; a <= n; ++a) {
        for (int32_t b = 0; b <= n + 1; ++b) {
          if (!is_candidate(a)) continue;
          if (b <= n ? !is_candidate(b) : a != n) continue;
          Labels after = *labels;
          after[u] = a;
          after[v] = b;
          const int64_t imbalance = NaiveImbalance(graph, after);
          const std::tuple<int64_t, int32_t, int32_t, int32_t> move = {
              imbalance, pair, a, b};
          if (imbalance >= before || move >= best) continue;
          best = move;
          best_u = u;
          best_v = v;
        }
      }
    }
  }
  if (best_u < 0) return false;
  const auto [imbalance, pair, a, b] = best;
  (*labels)[best_u] = a < n ? a : SmallestUnused(*labels);
  if (b == a) {
    (*labels)[best_v] = (*labels)[best_u];
  } else {
    (*labels)[best_v] = b < n ? b : SmallestUnused(*labels);
  }
  return true;
}

void NaiveBestImprovement(const SignedGraph& graph, int neighborhood,
                          Labels* labels) {
  if (labels->empty()) return;
  while (true) {
    Labels best = *labels;
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      Labels after = *labels;
      after[v] = BestCluster(graph, *labels, v);
      if (NaiveImbalance(graph, after) < NaiveImbalance(graph, best)) {
        best = after;
      }
    }
    if (best == *labels) {
      if (neighborhood < 2) return;
      if (!NaiveTwoOpt(graph, /*first=*/0, &best, /*most=*/true)) return;
    }
    *labels = best;
  }
}

Labels NaiveStart(const SignedGraph& graph, const CorrelationOptions& options,
                  int64_t start) {
  if (graph.num_vertices() == 0) return {};
  Random random(options.seed, start);
  Labels best = NaiveConstruction(graph, options.alpha, &random);
  Vnd(graph, options, &random, &best);
  if (!IsIls(options.method)) return best;
  int64_t failures = 0;
  for (int64_t t = 1; t <= options.perturbation_max &&
                      NaiveImbalance(graph, best) > graph.constant_cost;) {
    Labels labels = best;
    for (int64_t i = 0; i < t; ++i) Perturb(&random, &labels);
    Vnd(graph, options, &random, &labels);
    if (NaiveImbalance(graph, labels) < NaiveImbalance(graph, best)) {
      best = labels;
      t = 1;
      failures = 0;
    } else if (++failures == options.ils_iterations) {
      failures = 0;
      ++t;
    }
  }
  return best;
}

}  // namespace warpclust
