// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/significance/pair_chances.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/numbers/random.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/mix_rows.h"
#include "sparse/dense/random_embeddings.h"
#include "sparse/matrix/shuffle_terms.h"

namespace warpclust {
namespace {

using internal::IntervalChances;

TEST(IntervalChancesTest, ByHand) {
  EXPECT_EQ(IntervalChances({}, {}), std::vector<double>());
  // Grows: 0 (more than found), 0.5, 1.
  EXPECT_EQ(IntervalChances({10, 10, 4}, {12, 5, 0}),
            (std::vector<double>{0, 0.5, 1}));
  // 0.5, then 0.25: pooled to 1 - 8 / 12; an empty interval joins its left.
  const double pooled = 1 - 8.0 / 12;
  EXPECT_EQ(IntervalChances({4, 8, 0, 5}, {2, 6, 0, 0}),
            (std::vector<double>{pooled, pooled, pooled, 1}));
  EXPECT_EQ(IntervalChances({0, 0}, {0, 3}), (std::vector<double>{0, 0}));
}

// The largest of the least chances of pools that begin left and end right of an
// interval: the max-min form of isotonic regression.
std::vector<double> MaxMin(const std::vector<int64_t>& found,
                           const std::vector<int64_t>& by_chance) {
  const size_t n = found.size();
  std::vector<double> result;
  for (size_t i = 0; i < n; ++i) {
    double most = -1e300;
    for (size_t a = 0; a <= i; ++a) {
      double least = 1e300;
      for (size_t b = i; b < n; ++b) {
        int64_t f = 0;
        int64_t c = 0;
        for (size_t k = a; k <= b; ++k) {
          f += found[k];
          c += by_chance[k];
        }
        least = std::min(least,
                         1 - static_cast<double>(c) / static_cast<double>(f));
      }
      most = std::max(most, least);
    }
    result.push_back(std::clamp(most, 0.0, 1.0));
  }
  return result;
}

TEST(IntervalChancesTest, IsIsotonicRegression) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const size_t n = 1 + random.Below(9);
    std::vector<int64_t> found;
    std::vector<int64_t> by_chance;
    for (size_t i = 0; i < n; ++i) {
      found.push_back(1 + static_cast<int64_t>(random.Below(20)));
      by_chance.push_back(static_cast<int64_t>(random.Below(30)));
    }
    const std::vector<double> expected = MaxMin(found, by_chance);
    const std::vector<double> chances = IntervalChances(found, by_chance);
    ASSERT_EQ(chances.size(), n);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(chances[i], expected[i], 1e-12) << "seed " << seed;
    }
  }
}

// Topics of ten documents each, with terms of their own and common ones.
DocumentMatrix Topics(uint64_t seed, int32_t topics) {
  Random random(seed);
  DocumentMatrix documents;
  documents.num_terms = 50 + 20 * topics;
  for (int32_t d = 0; d < 10 * topics; ++d) {
    std::map<int32_t, float> row;
    for (int i = 0; i < 6; ++i) {
      ++row[static_cast<int32_t>(random.Below(50))];
      ++row[50 + 20 * (d / 10) + static_cast<int32_t>(random.Below(20))];
    }
    for (const auto& [term, count] : row) {
      documents.terms.push_back(term);
      documents.weights.push_back(count);
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

CsrGraph Graph(const DocumentMatrix& counts, Weighting weighting) {
  CosineGraphOptions options;
  options.beta = "0.05";
  return *CosineGraph(*ApplyWeighting(counts, weighting), options,
                      Device::kCpu);
}

std::map<std::pair<int32_t, int32_t>, float> Edges(const CsrGraph& graph) {
  std::map<std::pair<int32_t, int32_t>, float> edges;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      edges[{v, graph.neighbors[e]}] = graph.weights[e];
    }
  }
  return edges;
}

TEST(PairChancesTest, AsDefined) {
  const DocumentMatrix counts = Topics(5, 12);
  const std::vector<Weighting> both = {Weighting::kTf, Weighting::kTfIdf};
  std::map<std::pair<int32_t, int32_t>, double> expected;
  for (const Weighting weighting : both) {
    const auto edges = Edges(Graph(counts, weighting));
    std::vector<int64_t> found(100);
    std::vector<int64_t> by_chance(100);
    const auto interval = [](float cosine) {
      return std::min<size_t>(99, static_cast<size_t>(double{cosine} * 100));
    };
    for (const auto& [pair, cosine] : edges) ++found[interval(cosine)];
    for (const auto& [pair, cosine] :
         Edges(Graph(ShuffleTerms(counts, 1), weighting))) {
      ++by_chance[interval(cosine)];
    }
    const std::vector<double> chances = IntervalChances(found, by_chance);
    for (const auto& [pair, cosine] : edges) {
      expected[pair] += chances[interval(cosine)] / 2;
    }
  }
  for (const int threads : {1, 3}) {
    PairChanceOptions options;
    options.num_threads = threads;
    const absl::StatusOr<CsrGraph> chances =
        EstimatePairChances(counts, both, options);
    ASSERT_EQ(chances.status(), absl::OkStatus());
    ASSERT_EQ(ValidateGraph(*chances), absl::OkStatus());
    const auto edges = Edges(*chances);
    double within = 0;
    double across = 0;
    for (const auto& [pair, chance] : expected) {
      const auto edge = edges.find(pair);
      ASSERT_EQ(edge == edges.end(), chance == 0);
      if (chance == 0) continue;
      ASSERT_NEAR(edge->second, chance, 1e-6);
      (pair.first / 10 == pair.second / 10 ? within : across) += chance;
    }
    // Within topics are 1,080 pairs of 14,280.
    EXPECT_GT(within, 3 * across);
  }
}

TEST(PairChancesTest, Errors) {
  EXPECT_EQ(EstimatePairChances({}, {}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  PairChanceOptions options;
  options.least = "0";
  EXPECT_EQ(EstimatePairChances({}, {Weighting::kTf}, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(EstimatePairChances({}, {Weighting::kTf}, {})->num_vertices(), 0);
}

TEST(PairChancesTest, DenseAsDefined) {
  const DenseDocuments rows = MakeRandomEmbeddings(
      {.dimensions = 20, .directions = 30, .noise = 0.6}, 300, 1);
  CosineGraphOptions graph_options;
  graph_options.beta = "0.05";
  const auto edges = Edges(*CosineGraph(rows, graph_options, Device::kCpu));
  std::vector<int64_t> found(100);
  std::vector<int64_t> by_chance(100);
  const auto interval = [](float cosine) {
    return std::min<size_t>(99, static_cast<size_t>(double{cosine} * 100));
  };
  for (const auto& [pair, cosine] : edges) ++found[interval(cosine)];
  for (const auto& [pair, cosine] :
       Edges(*CosineGraph(MixRows(rows, 1), graph_options, Device::kCpu))) {
    ++by_chance[interval(cosine)];
  }
  const std::vector<double> chances = IntervalChances(found, by_chance);
  for (const int threads : {1, 3}) {
    PairChanceOptions options;
    options.num_threads = threads;
    const absl::StatusOr<CsrGraph> graph = EstimatePairChances(rows, options);
    ASSERT_EQ(graph.status(), absl::OkStatus());
    ASSERT_EQ(ValidateGraph(*graph), absl::OkStatus());
    const auto actual = Edges(*graph);
    EXPECT_GT(actual.size(), 1000u);
    for (const auto& [pair, cosine] : edges) {
      const double chance = chances[interval(cosine)];
      const auto edge = actual.find(pair);
      ASSERT_EQ(edge == actual.end(), chance == 0);
      if (chance > 0) {
        ASSERT_NEAR(edge->second, chance, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
