// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_signed_graph.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Edge {
  int u = 0, v = 0, sign = 0;
};

std::vector<Edge> Parse(const std::string& text) {
  std::vector<Edge> edges;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (line[0] == '#') continue;
    const std::vector<absl::string_view> parts = absl::StrSplit(line, ' ');
    Edge edge;
    EXPECT_EQ(parts.size(), 3u);
    EXPECT_TRUE(absl::SimpleAtoi(parts[0], &edge.u));
    EXPECT_TRUE(absl::SimpleAtoi(parts[1], &edge.v));
    EXPECT_TRUE(absl::SimpleAtoi(parts[2], &edge.sign));
    edges.push_back(edge);
  }
  return edges;
}

TEST(GenerateSignedGraphTest, ExactCountsAtEveryDensity) {
  for (int n : {0, 1, 2, 3, 10, 57, 200}) {
    for (int64_t density : {0, 1, 2, 5, 6, 7, 30, 50, 99, 100}) {
      GenerateSignedGraphOptions options;
      options.num_vertices = n;
      options.density = {density, 100};
      options.negative = {3, 10};
      std::string sink;
      GenerateSignedGraph(options, Into(&sink));
      const std::vector<Edge> edges = Parse(sink);
      const int64_t m = (n * (n - 1) / 2 * density * 2 + 100) / 200;
      ASSERT_EQ(static_cast<int64_t>(edges.size()), m) << n << " " << density;
      int64_t negative = 0;
      std::pair<int, int> previous = {-1, -1};
      for (const Edge& edge : edges) {
        ASSERT_LT(edge.u, edge.v);
        ASSERT_LT(edge.v, n);
        ASSERT_TRUE(edge.sign == 1 || edge.sign == -1);
        ASSERT_LT(previous, std::make_pair(edge.u, edge.v));
        previous = {edge.u, edge.v};
        negative += edge.sign < 0;
      }
      EXPECT_EQ(negative, (m * 3 * 2 + 10) / 20);
    }
  }
}

// Every pair must be as likely as any other, in both ways of sampling.
TEST(GenerateSignedGraphTest, PairsAreEquallyLikely) {
  for (int64_t percent : {5, 40}) {
    std::vector<int> counts(10 * 10);
    for (uint64_t seed = 1; seed <= 2000; ++seed) {
      GenerateSignedGraphOptions options;
      options.num_vertices = 10;
      options.density = {percent, 100};
      options.seed = seed;
      std::string sink;
      GenerateSignedGraph(options, Into(&sink));
      for (const Edge& edge : Parse(sink)) {
        ++counts[edge.u * 10 + edge.v];
      }
    }
    const double expected = 2000 * (percent == 5 ? 2.0 : 18.0) / 45;
    for (int u = 0; u < 10; ++u) {
      for (int v = u + 1; v < 10; ++v) {
        EXPECT_NEAR(counts[u * 10 + v], expected, 100)
            << percent << " " << u << " " << v;
      }
    }
  }
}

TEST(GenerateSignedGraphTest, BytesArePinned) {
  GenerateSignedGraphOptions options;
  options.num_vertices = 6;
  options.density = {2, 10};
  std::string sink;
  GenerateSignedGraph(options, Into(&sink));
  EXPECT_EQ(sink,
            "# random signed graph, density 0.2, negative 0.5, seed 1\n"
            "# n 6 m 3 m+ 1 m- 2\n"
            "0 3 1\n1 4 -1\n2 4 -1\n");
}

TEST(GenerateLargeSignedGraphTest, PlantedClustersAndNoise) {
  for (int n : {2, 3, 10, 1000}) {
    for (int clusters : {1, 2, 7, 5000}) {
      GenerateLargeSignedGraphOptions options;
      options.num_vertices = n;
      options.num_edges = 20000;
      options.num_clusters = clusters;
      options.negative = {3, 10};
      std::string sink;
      std::string truth;
      GenerateLargeSignedGraph(options, Into(&sink), Into(&truth));
      const std::vector<Edge> edges = Parse(sink);
      ASSERT_EQ(edges.size(), 20000u) << n << " " << clusters;
      const int k = std::min(n, clusters);
      std::map<std::pair<int, int>, int> signs;
      int between = 0;
      int wrong = 0;
      for (const Edge& edge : edges) {
        ASSERT_NE(edge.u, edge.v);
        ASSERT_LT(std::max(edge.u, edge.v), n);
        ASSERT_TRUE(edge.sign == 1 || edge.sign == -1);
        const auto [known, is_new] =
            signs.insert({std::minmax(edge.u, edge.v), edge.sign});
        ASSERT_EQ(known->second, edge.sign);
        between += edge.u % k != edge.v % k;
        wrong += (edge.u % k != edge.v % k) != (edge.sign < 0);
      }
      if (n == 1000 && k > 1 && k < n) {
        EXPECT_NEAR(between, 6000, 400);
      }
      if (n == 1000) {
        EXPECT_NEAR(wrong, 2000, 300);
      }
      EXPECT_EQ(std::count(truth.begin(), truth.end(), '\n'), n);
    }
  }
}

TEST(GenerateLargeSignedGraphTest, RmatIsSkewed) {
  for (int n : {2, 5, 1000}) {
    GenerateLargeSignedGraphOptions options;
    options.num_vertices = n;
    options.num_edges = 30000;
    options.negative = {2, 10};
    std::string sink;
    GenerateLargeSignedGraph(options, Into(&sink));
    const std::vector<Edge> edges = Parse(sink);
    ASSERT_EQ(edges.size(), 30000u);
    std::vector<int> degrees(n);
    std::map<std::pair<int, int>, int> signs;
    for (const Edge& edge : edges) {
      ASSERT_NE(edge.u, edge.v);
      ++degrees[edge.u];
      ++degrees[edge.v];
      const auto [known, is_new] =
          signs.insert({std::minmax(edge.u, edge.v), edge.sign});
      ASSERT_EQ(known->second, edge.sign);
    }
    if (n < 1000) continue;
    int negative = 0;
    for (const auto& [pair, sign] : signs) negative += sign < 0;
    EXPECT_NEAR(negative, 0.2 * static_cast<double>(signs.size()),
                0.02 * static_cast<double>(signs.size()));
    EXPECT_GT(*std::max_element(degrees.begin(), degrees.end()), 20 * 60);
  }
}

TEST(GenerateLargeSignedGraphTest, NoEdgesWithoutPairs) {
  GenerateLargeSignedGraphOptions options;
  options.num_vertices = 1;
  std::string sink;
  GenerateLargeSignedGraph(options, Into(&sink));
  EXPECT_TRUE(Parse(sink).empty());
}

}  // namespace
}  // namespace warpclust
