// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_graph_cpu.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "base/machine/work_share.h"
#include "graph/cosine/cpu/cosine_graph_cpu_plan.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Row = std::vector<std::pair<int32_t, float>>;

DocumentMatrix MakeDocuments(int32_t num_terms, const std::vector<Row>& rows) {
  DocumentMatrix documents;
  documents.num_terms = num_terms;
  for (const Row& row : rows) {
    for (const auto& [term, weight] : row) {
      documents.terms.push_back(term);
      documents.weights.push_back(weight);
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  }
  return documents;
}

void ExpectSameGraph(const CsrGraph& expected, const CsrGraph& actual,
                     const std::string& what) {
  ASSERT_EQ(expected.offsets, actual.offsets) << what;
  ASSERT_EQ(expected.neighbors, actual.neighbors) << what;
  ASSERT_EQ(expected.weights.size(), actual.weights.size()) << what;
  for (size_t e = 0; e < expected.weights.size(); ++e) {
    ASSERT_EQ(absl::bit_cast<uint32_t>(expected.weights[e]),
              absl::bit_cast<uint32_t>(actual.weights[e]))
        << what << ", entry " << e;
  }
}

// Every level, with other thread counts, tiles and shares for each.
void ExpectNaive(const DocumentMatrix& documents, const Decimal& beta,
                 std::mt19937& random, const std::string& what) {
  ASSERT_TRUE(ValidateDocuments(documents).ok()) << what;
  const CsrGraph expected = NaiveCosineGraph(documents, beta);
  for (SimdLevel level : SimdLevels()) {
    for (int try_number = 0; try_number < 2; ++try_number) {
      CosineGraphOptions options;
      options.beta = beta;
      WorkShare work;
      options.work = &work;
      // Mostly 1: waiting for eight threads on two cores is all that a small
      // case does.
      options.num_threads =
          std::vector<int>{1, 1, 1, 1, 2, 2, 3, 8}[random() % 8];
      CosineFilterPlan plan;
      plan.simd = level;
      plan.tile_columns =
          std::vector<int>{1, 7, 32, 100, 513, 2048, 32768}[random() % 7];
      plan.wide_tile_columns = plan.tile_columns;
      plan.dense_share = std::vector<double>{0, 0.01, 0.3, 2}[random() % 4];
      // 0 is always tiles, 1e9 lists.
      plan.list_bias = std::vector<double>{0, 0, 1, 1e9}[random() % 4];
      const auto graph = CosineGraphCpuWithPlan(documents, options, plan);
      ASSERT_EQ(work.done(), work.total()) << what;
      ASSERT_EQ(work.total() > 0, documents.num_documents() > 1) << what;
      ASSERT_TRUE(graph.ok()) << what << ": " << graph.status();
      ExpectSameGraph(
          expected, *graph,
          absl::StrCat(what, ", level ", static_cast<int>(level), ", threads ",
                       options.num_threads, ", tile ", plan.tile_columns,
                       ", share ", plan.dense_share));
      if (testing::Test::HasFatalFailure()) return;
      work.RequestStop();
      ASSERT_EQ(
          CosineGraphCpuWithPlan(documents, options, plan).status().code(),
          absl::StatusCode::kCancelled);
      ASSERT_EQ(work.done(), 0) << what;
    }
  }
  CosineGraphOptions options;
  options.beta = beta;
  options.num_threads = 2;
  const auto graph = CosineGraphCpu(documents, options);
  ASSERT_TRUE(graph.ok()) << what;
  ExpectSameGraph(expected, *graph, what + ", default plan");
}

enum class Weights {
  kOnes,
  kCounts,
  kCountsSomeLarge,  // a few documents with norms far above 255
  kCountsAllLarge,
  kIntegersTo24Bits,
  kReal,
  kExtremes,  // 1e-30 to 1e30
};

float RandomWeight(Weights kind, bool large, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const double u = uniform(random);
  switch (kind) {
    case Weights::kOnes:
      return 1;
    case Weights::kCounts:
      return std::floor(1 + 8 * u * u * u * u);
    case Weights::kCountsSomeLarge:
      return std::floor(1 + (large ? 900 : 4) * u * u * u);
    case Weights::kCountsAllLarge:
      return std::floor(60 + 300 * u);
    case Weights::kIntegersTo24Bits:
      return std::min(16777215.0, std::floor(std::pow(2, 24 * u)));
    case Weights::kReal:
      return static_cast<float>(0.01 + 10 * u * u);
    case Weights::kExtremes:
      return static_cast<float>(std::pow(10, 60 * u - 30));
  }
  return 1;
}

// Terms by a law of frequency 1 / (rank + 3), with some repeated and some empty
// documents, and, where `longest` says so, a few long ones.
DocumentMatrix RandomDocuments(int32_t n, int32_t num_terms, int mean_length,
                               int longest, Weights kind,
                               std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Row> rows;
  for (int32_t d = 0; d < n; ++d) {
    const double u = uniform(random);
    if (d > 0 && u < 0.1) {
      rows.push_back(rows[random() % d]);
      continue;
    }
    if (u < 0.13) {
      rows.push_back({});
      continue;
    }
    const bool large = uniform(random) < 0.05;
    const int length =
        large && longest > 0 ? longest : 1 + random() % (2 * mean_length);
    std::set<int32_t> terms;
    for (int k = 0; k < length; ++k) {
      const double rank =
          3 * std::pow((num_terms + 3) / 3.0, uniform(random)) - 3;
      terms.insert(
          std::min<int32_t>(static_cast<int32_t>(rank), num_terms - 1));
    }
    Row row;
    for (int32_t term : terms) {
      // Ids must not follow frequencies: 7919 is a prime.
      row.push_back({static_cast<int32_t>(int64_t{term} * 7919 % num_terms),
                     RandomWeight(kind, large, random)});
    }
    std::sort(row.begin(), row.end());
    rows.push_back(row);
  }
  return MakeDocuments(num_terms, rows);
}

class RandomCosineGraphTest : public testing::TestWithParam<Weights> {};

TEST_P(RandomCosineGraphTest, EqualsTheDefinition) {
  const std::vector<Decimal> betas = {
      {25, 100}, {35, 100}, {1, 1000000000},        {1, 100},
      {6, 10},   {1, 1},    {999999999, 1000000000}};
  for (uint32_t seed = 1; seed <= 16; ++seed) {
    std::mt19937 random(seed * 100 + static_cast<uint32_t>(GetParam()));
    const int32_t n = 2 + random() % 300;
    const int32_t num_terms =
        std::vector<int32_t>{5, 60, 600, 6000}[random() % 4];
    const int length = std::vector<int>{2, 10, 60}[random() % 3];
    const DocumentMatrix documents =
        RandomDocuments(n, num_terms, length, 0, GetParam(), random);
    const Decimal beta = betas[random() % betas.size()];
    ExpectNaive(documents, beta, random,
                absl::StrCat("seed ", seed, ", n ", n, ", terms ", num_terms,
                             ", length ", length, ", beta ", beta.ToDouble()));
    if (HasFatalFailure()) return;
  }
}

TEST_P(RandomCosineGraphTest, LongDocumentsAmongShortOnes) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed * 1000 + static_cast<uint32_t>(GetParam()));
    const DocumentMatrix documents =
        RandomDocuments(90, 9000, 30, 12000, GetParam(), random);
    ExpectNaive(documents, seed % 2 ? Decimal("0.25") : Decimal("0.05"), random,
                absl::StrCat("seed ", seed));
    if (HasFatalFailure()) return;
  }
}

TEST_P(RandomCosineGraphTest, MoreRowsThanABlock) {
  std::mt19937 random(77 + static_cast<uint32_t>(GetParam()));
  const DocumentMatrix documents =
      RandomDocuments(2300, 900, 6, 0, GetParam(), random);
  ExpectNaive(documents, {25, 100}, random, "2300 documents");
}

INSTANTIATE_TEST_SUITE_P(AllWeights, RandomCosineGraphTest,
                         testing::Values(Weights::kOnes, Weights::kCounts,
                                         Weights::kCountsSomeLarge,
                                         Weights::kCountsAllLarge,
                                         Weights::kIntegersTo24Bits,
                                         Weights::kReal, Weights::kExtremes));

TEST(CosineGraphCpuTest, NoDocumentsAndOne) {
  std::mt19937 random(1);
  ExpectNaive(MakeDocuments(0, {}), {25, 100}, random, "none");
  ExpectNaive(MakeDocuments(3, {{{1, 2}}}), {25, 100}, random, "one");
  ExpectNaive(MakeDocuments(0, {{}, {}, {}}), {25, 100}, random, "empty ones");
}

TEST(CosineGraphCpuTest, PairsExactlyAtTheThreshold) {
  // One term against sixteen equal ones: cosine 1/4.
  Row sixteen;
  for (int32_t t = 0; t < 16; ++t) sixteen.push_back({t, 1});
  for (float scale : {1.0f, 0.5f, 3.0f, 4096.0f}) {
    Row scaled = sixteen;
    for (auto& [term, weight] : scaled) weight *= scale;
    const DocumentMatrix documents =
        MakeDocuments(16, {scaled, {{3, scale}}, {{5, scale}}, scaled});
    CosineGraphOptions options;
    options.beta = {25, 100};
    const auto at = CosineGraphCpu(documents, options);
    ASSERT_TRUE(at.ok());
    EXPECT_EQ(at->num_edges(), 5) << scale;
    options.beta = {250000001, 1000000000};
    const auto above = CosineGraphCpu(documents, options);
    ASSERT_TRUE(above.ok());
    EXPECT_EQ(above->num_edges(), 1) << scale;
    EXPECT_EQ(above->weights[0], 1.0f) << scale;
  }
}

TEST(CosineGraphCpuTest, AThirdIsAnExactThreshold) {
  std::mt19937 random(9);
  for (float weight : {1.0f, 3.0f, 300.0f, 0.7f}) {
    const DocumentMatrix documents = NineTermDocuments(150, weight);
    ExpectNaive(documents, {1, 3}, random, absl::StrCat("weight ", weight));
    if (HasFatalFailure()) return;
  }
  // Three shared terms of nine reach 1/3, and not the next larger decimal.
  const DocumentMatrix documents = NineTermDocuments(150, 1);
  EXPECT_GT(NaiveCosineGraph(documents, {1, 3}).num_edges(),
            NaiveCosineGraph(documents, "0.333333334").num_edges());
}

// Decided in double, integer weights give the edges that they have in a
// collection with real weights.
TEST(CosineGraphCpuTest, IntegerWeightsDecidedInDouble) {
  // 7 of 25 terms shared: 7/25 = 0.28, but the double 0.28 * 25 is above 7.
  Row first;
  Row second;
  for (int32_t t = 0; t < 25; ++t) {
    first.push_back({t, 1});
    second.push_back({t + 18, 1});
  }
  for (const bool integer : {true, false}) {
    CosineGraphOptions options;
    options.beta = {28, 100};
    options.integer_decisions = integer;
    const auto graph =
        CosineGraphCpu(MakeDocuments(43, {first, second}), options);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph->num_edges(), integer ? 1 : 0);
    const auto mixed = CosineGraphCpu(
        MakeDocuments(44, {first, second, {{43, 0.5f}}}), options);
    ASSERT_TRUE(mixed.ok());
    EXPECT_EQ(mixed->num_edges(), 0);
  }
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const DocumentMatrix integers = RandomDocuments(
        400, 40, 6, 0, seed % 2 ? Weights::kCounts : Weights::kCountsSomeLarge,
        random);
    DocumentMatrix mixed = integers;
    mixed.num_terms = 41;
    mixed.terms.push_back(40);
    mixed.weights.push_back(0.5f);
    mixed.offsets.push_back(mixed.num_entries());
    CosineGraphOptions options;
    options.beta = {static_cast<int64_t>(seed % 4 * 2 + 2), 10};
    const auto with_real = CosineGraphCpu(mixed, options);
    options.integer_decisions = false;
    const auto in_double = CosineGraphCpu(integers, options);
    ASSERT_TRUE(with_real.ok() && in_double.ok());
    CsrGraph expected = *with_real;
    expected.offsets.pop_back();
    ExpectSameGraph(expected, *in_double, absl::StrCat("seed ", seed));
  }
}

TEST(CosineGraphCpuTest, IdenticalDocuments) {
  std::mt19937 random(5);
  for (Weights kind : {Weights::kCounts, Weights::kReal, Weights::kExtremes}) {
    Row row;
    for (int32_t t = 0; t < 40; ++t) {
      row.push_back({t, RandomWeight(kind, false, random)});
    }
    const DocumentMatrix documents =
        MakeDocuments(40, std::vector<Row>(150, row));
    ExpectNaive(documents, {999999, 1000000}, random, "identical");
    CosineGraphOptions options;
    const auto graph = CosineGraphCpu(documents, options);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph->num_edges(), 150 * 149 / 2);
  }
}

TEST(CosineGraphCpuTest, ADocumentOfAMillionTerms) {
  for (float weight : {1.0f, 0.7f}) {
    const int32_t num_terms = 1000000;
    Row all;
    for (int32_t t = 0; t < num_terms; ++t) all.push_back({t, weight});
    all[17].second = 2000;
    Row half(all.begin(), all.begin() + num_terms / 2);
    std::mt19937 random(3);
    ExpectNaive(
        MakeDocuments(num_terms, {{{17, weight}}, all, {{5, weight}}, half}),
        {25, 100}, random, absl::StrCat("weight ", weight));
    if (HasFatalFailure()) return;
  }
}

TEST(CosineGraphCpuTest, ManyTermIdsFewDocuments) {
  std::mt19937 random(4);
  ExpectNaive(
      MakeDocuments(
          std::numeric_limits<int32_t>::max() / 64,
          {{{5, 1}, {30000000, 2}}, {{30000000, 3}}, {{5, 1}, {33000000, 1}}}),
      {25, 100}, random, "many ids");
}

TEST(CosineGraphCpuTest, RefusesWhatItMust) {
  CosineGraphOptions options;
  EXPECT_EQ(CosineGraphCpu(MakeDocuments(2, {{{1, 1}, {0, 1}}}), options)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CosineGraphCpu(MakeDocuments(2, {{{1, std::nanf("")}}}), options)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  options.beta = {0, 1};
  EXPECT_EQ(CosineGraphCpu(MakeDocuments(2, {}), options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.beta = {11, 10};
  EXPECT_EQ(CosineGraphCpu(MakeDocuments(2, {}), options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.beta = {1, 2};
  CosineFilterPlan plan;
  plan.tile_columns = 0;
  EXPECT_EQ(CosineGraphCpuWithPlan(MakeDocuments(2, {}), options, plan)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
