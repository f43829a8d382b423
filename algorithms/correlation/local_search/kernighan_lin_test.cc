// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/kernighan_lin.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/correlation/partition/partition.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Computes every sum from scratch.
class Naive {
 public:
  Naive(const SignedGraph& graph, int patience, Labels labels)
      : n_(graph.num_vertices()),
        patience_(patience),
        weights_(n_, std::vector<int64_t>(n_)),
        labels_(std::move(labels)) {
    for (int32_t v = 0; v < n_; ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        weights_[v][graph.neighbors[i]] = graph.weights[i];
      }
    }
    MakeCanonical(&labels_);
    for (int32_t a = 0; a < n_; ++a) changed_.insert(a);
  }

  int64_t Run() {
    int64_t total = 0;
    int64_t gained = 0;
    do {
      gained = Round();
      total += gained;
    } while (gained > 0);
    MakeCanonical(&labels_);
    return -total;
  }

  const Labels& labels() const { return labels_; }

 private:
  int64_t Round() {
    const std::set<int32_t> was_changed = std::exchange(changed_, {});
    int64_t gained = 0;
    for (const int32_t a : was_changed) {
      std::set<int32_t> attracted;
      for (int32_t v = 0; v < n_; ++v) {
        for (int32_t u = 0; u < n_; ++u) {
          if (labels_[v] == a && labels_[u] != a && weights_[v][u] > 0) {
            attracted.insert(labels_[u]);
          }
        }
      }
      for (const int32_t b : attracted) {
        if (b > a || was_changed.count(b) == 0) gained += Exchange(a, b);
      }
      gained += Split(a);
    }
    return gained;
  }

  int64_t To(int32_t v, int32_t cluster) const {
    int64_t sum = 0;
    for (int32_t u = 0; u < n_; ++u) {
      if (labels_[u] == cluster && u != v) sum += weights_[v][u];
    }
    return sum;
  }

  int64_t DegreesOf(int32_t cluster) const {
    int64_t sum = 0;
    for (int32_t v = 0; v < n_; ++v) {
      if (labels_[v] != cluster) continue;
      sum += std::count_if(weights_[v].begin(), weights_[v].end(),
                           [](int64_t weight) { return weight != 0; });
    }
    return sum;
  }

  std::vector<int32_t> Members(int32_t cluster) const {
    std::vector<int32_t> members;
    for (int32_t v = 0; v < n_; ++v) {
      if (labels_[v] == cluster) members.push_back(v);
    }
    return members;
  }

  int64_t Exchange(int32_t a, int32_t b) {
    if (Members(a).empty() || Members(b).empty()) return 0;
    if (a > b) std::swap(a, b);
    if (DegreesOf(a) < DegreesOf(b)) std::swap(a, b);
    int64_t between = 0;
    std::vector<bool> seen(n_);
    for (const int32_t v : Members(b)) {
      between += To(v, a);
      seen[v] = true;
      for (const int32_t u : Members(a)) {
        if (weights_[v][u] != 0) seen[u] = true;
      }
    }
    return Chain(a, b, seen, between);
  }

  int64_t Split(int32_t a) {
    if (Members(a).size() < 2) return 0;
    int32_t b = 0;
    while (!Members(b).empty()) ++b;
    return Chain(a, b, std::vector<bool>(n_, true), 0);
  }

  int64_t Chain(int32_t a, int32_t b, std::vector<bool> seen, int64_t between) {
    const Labels before = labels_;
    Labels best_labels = labels_;
    std::vector<bool> moved(n_);
    int64_t gain = 0;
    int64_t best = 0;
    for (int since = 0; since < patience_; ++since) {
      int32_t choice = -1;
      int64_t most = 0;
      for (int32_t v = 0; v < n_; ++v) {
        if (!seen[v] || moved[v]) continue;
        if (labels_[v] != a && labels_[v] != b) continue;
        const int64_t g = To(v, labels_[v] == a ? b : a) - To(v, labels_[v]);
        if (choice >= 0 && g <= most) continue;
        choice = v;
        most = g;
      }
      if (choice < 0) break;
      labels_[choice] = labels_[choice] == a ? b : a;
      moved[choice] = true;
      for (int32_t u = 0; u < n_; ++u) {
        if (weights_[choice][u] != 0) seen[u] = true;
      }
      gain += most;
      if (gain <= best) continue;
      best = gain;
      best_labels = labels_;
      since = -1;
    }
    labels_ = best_labels;
    if (between > best) {
      best = between;
      labels_ = before;
      for (int32_t& label : labels_) label = label == b ? a : label;
    }
    if (labels_ != before) {
      changed_.insert(a);
      changed_.insert(b);
    }
    return best;
  }

  const int32_t n_;
  const int patience_;
  std::vector<std::vector<int64_t>> weights_;
  Labels labels_;
  std::set<int32_t> changed_;
};

SignedGraph RandomGraph(int32_t n, uint64_t per_mille, int64_t max_weight,
                        uint64_t positive, Random* random) {
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < n; ++v) {
    for (int32_t u = 0; u < v; ++u) {
      if (random->Below(1000) >= per_mille) continue;
      const int64_t weight =
          1 + static_cast<int64_t>(random->Below(max_weight));
      const bool is_positive = random->Below(10) < positive;
      edges.push_back({u, v, is_positive ? weight : -weight});
    }
  }
  return *BuildSignedGraph(n, edges);
}

Labels SingleVertices(int32_t n) {
  Labels labels(n);
  std::iota(labels.begin(), labels.end(), 0);
  return labels;
}

// No vertex gains by moving and no two clusters by being joined.
void ExpectLocalOptimum(const SignedGraph& graph, const Labels& labels) {
  const int64_t imbalance = Imbalance(graph, labels);
  const int32_t n = graph.num_vertices();
  Labels other = labels;
  for (int32_t v = 0; v < n; ++v) {
    for (int32_t label = 0; label < n; ++label) {
      other[v] = label;
      EXPECT_GE(Imbalance(graph, other), imbalance);
    }
    other[v] = labels[v];
  }
  for (int32_t a = 0; a < n; ++a) {
    for (int32_t b = 0; b < a; ++b) {
      for (int32_t v = 0; v < n; ++v) other[v] = labels[v] == a ? b : labels[v];
      EXPECT_GE(Imbalance(graph, other), imbalance);
    }
  }
}

void ExpectAsNaive(const SignedGraph& graph, int patience,
                   const Labels& start) {
  KernighanLinOptions options;
  options.patience = patience;
  options.rounds = 1000;
  Labels labels = start;
  const int64_t change = KernighanLin(graph, options, &labels);
  EXPECT_LE(change, 0);
  EXPECT_EQ(Imbalance(graph, start) + change, Imbalance(graph, labels));
  ExpectLocalOptimum(graph, labels);

  Naive naive(graph, patience, start);
  EXPECT_EQ(naive.Run(), change);
  EXPECT_EQ(naive.labels(), labels);

  Labels on_threads = start;
  EXPECT_EQ(KernighanLin(graph, options, &on_threads, {nullptr, 3}), change);
  EXPECT_EQ(on_threads, labels);

  // Another run gains nothing.
  const Labels end = labels;
  EXPECT_EQ(KernighanLin(graph, options, &labels), 0);
  EXPECT_EQ(labels, end);
}

TEST(KernighanLinTest, EqualsTheNaiveOneOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t n = 2 + static_cast<int32_t>(random.Below(24));
    const SignedGraph graph = RandomGraph(
        n, 100 + random.Below(901), 1 + static_cast<int64_t>(random.Below(6)),
        1 + random.Below(10), &random);
    Labels start = SingleVertices(n);
    if (seed % 3 == 1) start.assign(n, 0);
    if (seed % 3 == 2) {
      for (int32_t& label : start) label = random.Below(n);
    }
    ExpectAsNaive(graph, 1 + static_cast<int>(random.Below(8)), start);
    if (HasFailure()) return;
  }
}

TEST(KernighanLinTest, RoundsAreALimit) {
  Random random(5);
  const SignedGraph graph = RandomGraph(60, 300, 3, 5, &random);
  KernighanLinOptions options;
  options.rounds = 1;
  Labels labels = SingleVertices(60);
  const int64_t first = KernighanLin(graph, options, &labels);
  EXPECT_EQ(Imbalance(graph, SingleVertices(60)) + first,
            Imbalance(graph, labels));
  options.rounds = 100;
  Labels all = SingleVertices(60);
  EXPECT_LT(KernighanLin(graph, options, &all), first);
}

TEST(KernighanLinTest, ThreadsDoNotShow) {
  constexpr int32_t kVertices = 2400;
  for (const uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    // Twelve planted clusters, most edges inside; one cluster at the start has
    // enough entries for all threads to list its neighbors.
    std::vector<SignedEdge> edges;
    for (int32_t v = 0; v < kVertices; ++v) {
      for (int i = 0; i < 70 && v > 0; ++i) {
        const int32_t u = static_cast<int32_t>(random.Below(v));
        const bool is_planted = u % 12 == v % 12;
        if (!is_planted && random.Below(3) > 0) continue;
        const bool is_noise = random.Below(10) == 0;
        edges.push_back({u, v, is_planted != is_noise ? 1 : -1});
      }
    }
    std::sort(edges.begin(), edges.end(),
              [](const SignedEdge& a, const SignedEdge& b) {
                return std::tie(a.v, a.u) < std::tie(b.v, b.u);
              });
    edges.erase(std::unique(edges.begin(), edges.end(),
                            [](const SignedEdge& a, const SignedEdge& b) {
                              return a.v == b.v && a.u == b.u;
                            }),
                edges.end());
    const SignedGraph graph = *BuildSignedGraph(kVertices, edges);
    KernighanLinOptions options;
    options.rounds = 2;
    Labels start(kVertices, 0);
    if (seed > 1) {
      for (int32_t v = 0; v < kVertices; ++v) {
        start[v] = random.Below(20) == 0 ? random.Below(kVertices) : v % 12;
      }
    }
    Labels expected = start;
    const int64_t change = KernighanLin(graph, options, &expected);
    EXPECT_LT(change, 0);
    for (const int threads : {2, 5}) {
      Labels labels = start;
      EXPECT_EQ(KernighanLin(graph, options, &labels, {nullptr, threads}),
                change);
      EXPECT_EQ(labels, expected);
    }
  }
}

TEST(KernighanLinTest, AChainPassesOverALoss) {
  // 0 and 1 hold each other back; 2 and 3 repel.
  const SignedGraph graph = *BuildSignedGraph(5, {{0, 1, 3},
                                                  {0, 2, 4},
                                                  {1, 2, 4},
                                                  {0, 3, 6},
                                                  {1, 4, 6},
                                                  {3, 4, 10},
                                                  {2, 3, -20}});
  const Labels start = {0, 0, 0, 1, 1};
  ExpectLocalOptimum(graph, start);
  KernighanLinOptions options;
  options.patience = 1;
  Labels labels = start;
  EXPECT_EQ(KernighanLin(graph, options, &labels), 0);
  EXPECT_EQ(labels, start);
  options.patience = 2;
  EXPECT_EQ(KernighanLin(graph, options, &labels), -4);
  EXPECT_EQ(labels, (Labels{0, 0, 1, 0, 0}));
}

TEST(KernighanLinTest, AVertexThatEntersLateMayGainMost) {
  // 0 loses by going to 9 to 14, and so do all vertices that have an edge
  // there. 1 has none, but it gains by following 0, since 2 to 6 repel it.
  std::vector<SignedEdge> edges = {
      {0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {0, 9, 1}};
  for (int32_t v = 2; v <= 6; ++v) edges.push_back({1, v, -1});
  Labels start(9, 0);
  start.resize(15, 1);
  for (int32_t v = 2; v < 15; ++v) {
    for (int32_t u = v + 1; u < 15; ++u) {
      if (start[v] == start[u]) edges.push_back({v, u, 1});
    }
  }
  ExpectAsNaive(*BuildSignedGraph(15, edges), 2, start);
}

TEST(KernighanLinTest, DegenerateGraphs) {
  for (const int32_t n : {0, 1, 2, 31, 32, 33}) {
    SCOPED_TRACE(testing::Message() << "n " << n);
    Random random(n);
    for (const uint64_t positive : {0, 10}) {
      const SignedGraph graph = RandomGraph(n, 1000, 1, positive, &random);
      for (Labels labels : {SingleVertices(n), Labels(n, 0)}) {
        KernighanLin(graph, {}, &labels);
        EXPECT_EQ(Imbalance(graph, labels), 0);
      }
    }
    Labels labels = SingleVertices(n);
    EXPECT_EQ(KernighanLin(*BuildSignedGraph(n, {}), {}, &labels), 0);
    EXPECT_EQ(labels, SingleVertices(n));
  }
}

}  // namespace
}  // namespace warpclust
