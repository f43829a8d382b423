// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/dense_cosine_probe.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/dense/dense_cosine_graph_cpu.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/cosine_probe_oracle.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

// All edges of `stored`, joined in blocks of `step` documents.
absl::StatusOr<std::vector<ProbeEdge>> JoinInBlocks(
    const DenseDocuments& stored, const DenseDocuments& probes, int32_t step,
    const CosineProbeOptions& options) {
  const absl::StatusOr<DenseCosineProbe> probe =
      DenseCosineProbe::Create(probes, options);
  if (!probe.ok()) return probe.status();
  std::vector<ProbeEdge> edges;
  const int32_t n = stored.num_documents();
  for (int32_t begin = 0; begin < n; begin += step) {
    const size_t before = edges.size();
    const absl::Status status =
        probe->Join(stored.Rows(begin, std::min(n, begin + step)), &edges);
    if (!status.ok()) return status;
    for (size_t e = before; e < edges.size(); ++e) edges[e].row += begin;
  }
  return edges;
}

// Every SIMD level, one to seven threads, several blocks; returns the number of
// edges.
int64_t ExpectNaive(const DenseDocuments& stored, const DenseDocuments& probes,
                    CosineProbeOptions options, const std::string& what) {
  const std::vector<ProbeEdge> expected =
      NaiveProbeEdges(stored, probes, options);
  options.num_threads = 0;
  for (const int32_t step : {1 << 20, 300, 128, 50}) {
    for (const SimdLevel level : SimdLevels()) {
      options.num_threads = options.num_threads % 7 + 1;
      SetSimdLevelLimitForTesting(level);
      const absl::StatusOr<std::vector<ProbeEdge>> edges =
          JoinInBlocks(stored, probes, step, options);
      SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
      EXPECT_TRUE(edges.ok()) << what << ": " << edges.status();
      if (!edges.ok()) return 0;
      EXPECT_EQ(FirstDifference(expected, *edges), "")
          << what << ", " << SimdLevelName(level) << ", blocks of " << step;
      if (testing::Test::HasFailure()) return 0;
    }
  }
  return static_cast<int64_t>(expected.size());
}

bool AreIntegers(DenseKind kind) {
  return kind == DenseKind::kSmallIntegers || kind == DenseKind::kCounts;
}

TEST(DenseCosineProbeTest, IsNaive) {
  uint64_t seed = 1;
  int64_t edges = 0;
  for (const DenseKind kind : kDenseKinds) {
    for (const int32_t d : {1, 3, 17, 384, 1000}) {
      const int32_t n = d < 100 ? 500 : 200;
      // Some repeat stored ones, and some are zeros.
      const DenseDocuments all = RandomDenseDocuments(kind, n, d, ++seed);
      const int32_t stored = n - static_cast<int32_t>(1 + seed * 29 % 120);
      for (const Decimal& beta :
           {Decimal("0.6"), Decimal("0.5"), Decimal("0.001"), Decimal("1")}) {
        CosineProbeOptions options;
        options.beta = beta;
        options.integer_arithmetic = AreIntegers(kind) && seed % 3 != 0;
        edges += ExpectNaive(
            all.Rows(0, stored), all.Rows(stored, n), options,
            absl::StrCat("kind ", static_cast<int>(kind), ", d ", d, ", beta ",
                         FormatDecimal(beta), ", seed ", seed));
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(edges, 100000);
}

TEST(DenseCosineProbeTest, NoneOneAndManyProbes) {
  const DenseDocuments all =
      RandomDenseDocuments(DenseKind::kGaussian, 1500, 20, 3);
  CosineProbeOptions options;
  options.beta = "0.6";
  for (const int32_t probes : {0, 1, 2, 10, 11, 256, 257, 900}) {
    const int64_t edges =
        ExpectNaive(all.Rows(0, 600), all.Rows(600, 600 + probes), options,
                    absl::StrCat(probes, " probes"));
    EXPECT_GE(edges, probes > 1 ? 1 : 0) << probes;
  }
  ExpectNaive(all.Rows(0, 0), all.Rows(0, 5), options, "no documents");
}

TEST(DenseCosineProbeTest, HasTheEdgesOfTheGraph) {
  for (const DenseKind kind : kDenseKinds) {
    const DenseDocuments all = RandomDenseDocuments(kind, 400, 40, 9);
    CosineGraphOptions graph_options;
    graph_options.beta = "0.5";
    graph_options.integer_decisions = AreIntegers(kind);
    const absl::StatusOr<CsrGraph> graph =
        DenseCosineGraphCpu(all, graph_options);
    ASSERT_TRUE(graph.ok()) << graph.status();
    std::vector<ProbeEdge> expected;
    for (int32_t row = 0; row < 300; ++row) {
      for (int64_t e = graph->offsets[row]; e < graph->offsets[row + 1]; ++e) {
        if (graph->neighbors[e] < 300) continue;
        expected.push_back({row, graph->neighbors[e] - 300, graph->weights[e]});
      }
    }
    CosineProbeOptions options;
    options.beta = "0.5";
    options.integer_arithmetic = AreIntegers(kind);
    const absl::StatusOr<std::vector<ProbeEdge>> edges =
        JoinInBlocks(all.Rows(0, 300), all.Rows(300, 400), 1000, options);
    ASSERT_TRUE(edges.ok()) << edges.status();
    EXPECT_EQ(FirstDifference(expected, *edges), "");
  }
}

TEST(DenseCosineProbeTest, SameAsSparse) {
  for (const DenseKind kind : {DenseKind::kNonNegative, DenseKind::kCounts}) {
    for (const bool integers : {false, true}) {
      if (integers && !AreIntegers(kind)) continue;
      const DenseDocuments all = RandomDenseDocuments(kind, 300, 100, 5);
      CosineProbeOptions options;
      options.beta = "0.5";
      options.integer_arithmetic = integers;
      absl::StatusOr<CosineProbe> sparse = CosineProbe::Create(
          SparseOfDense(all.Rows(220, 300)), options, Device::kCpu);
      ASSERT_TRUE(sparse.ok()) << sparse.status();
      std::vector<ProbeEdge> expected;
      ASSERT_TRUE(
          sparse->Join(SparseOfDense(all.Rows(0, 220)), &expected).ok());
      EXPECT_GT(expected.size(), 0u);
      const absl::StatusOr<std::vector<ProbeEdge>> edges =
          JoinInBlocks(all.Rows(0, 220), all.Rows(220, 300), 100, options);
      ASSERT_TRUE(edges.ok()) << edges.status();
      EXPECT_EQ(FirstDifference(expected, *edges), "");
    }
  }
}

TEST(DenseCosineProbeTest, RefusesWhatIsNotValid) {
  const auto refusal = [](std::vector<float> block, std::vector<float> probes,
                          const CosineProbeOptions& options) {
    const absl::StatusOr<DenseCosineProbe> probe = DenseCosineProbe::Create(
        MakeDenseDocuments(std::move(probes), 1), options);
    if (!probe.ok()) return std::string(probe.status().message());
    std::vector<ProbeEdge> edges(1);
    const absl::Status status =
        probe->Join(MakeDenseDocuments(std::move(block), 1), &edges);
    EXPECT_TRUE(status.ok() || edges.size() == 1);
    return std::string(status.message());
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  CosineProbeOptions options;
  EXPECT_EQ(refusal({1, 2}, {2, 1}, options), "");
  has(refusal({1, 2, 3}, {2, 1}, options),
      "expected 2 dimensions, as the probes have, found 3");
  has(refusal({1, 2}, {1, std::numeric_limits<float>::infinity()}, options),
      "expected a finite number");
  options.integer_arithmetic = true;
  EXPECT_EQ(refusal({1, 2}, {2, 1}, options), "");
  has(refusal({1, 2}, {2, 1.5}, options), "found others");
  options.beta = {1, 1000000000};
  EXPECT_EQ(refusal({90000, 2}, {2, 1}, options), "");
  has(refusal({97000, 2}, {2, 1}, options), "a document with a larger one");
  has(refusal({2, 1}, {97000, 2}, options), "a probe with a larger one");
  options.beta = "0";
  has(refusal({1, 2}, {2, 1}, options), "beta");
  options.beta = "0.5";
  options.num_threads = -1;
  has(refusal({1, 2}, {2, 1}, options), "threads");
}

}  // namespace
}  // namespace warpclust
