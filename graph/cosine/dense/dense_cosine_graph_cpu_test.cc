// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/dense_cosine_graph_cpu.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "base/machine/work_share.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

void ExpectSameGraph(const CsrGraph& expected, const CsrGraph& actual,
                     const std::string& what) {
  ASSERT_EQ(expected.offsets, actual.offsets) << what;
  ASSERT_EQ(expected.neighbors, actual.neighbors) << what;
  for (size_t e = 0; e < expected.weights.size(); ++e) {
    ASSERT_EQ(absl::bit_cast<uint32_t>(expected.weights[e]),
              absl::bit_cast<uint32_t>(actual.weights[e]))
        << what << ", entry " << e;
  }
}

// Every SIMD level, with different thread counts.
void ExpectNaive(const DenseDocuments& documents, CosineGraphOptions options,
                 const std::string& what) {
  const CsrGraph expected =
      NaiveDenseCosineGraph(documents, options.beta, options.integer_decisions);
  options.num_threads = 3;
  for (SimdLevel level : SimdLevels()) {
    SetSimdLevelLimitForTesting(level);
    WorkShare work;
    options.work = &work;
    const absl::StatusOr<CsrGraph> graph =
        DenseCosineGraphCpu(documents, options);
    SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
    ASSERT_TRUE(graph.ok()) << what << ": " << graph.status();
    EXPECT_EQ(work.done(), work.total()) << what;
    ExpectSameGraph(expected, *graph,
                    absl::StrCat(what, ", ", SimdLevelName(level)));
    work.RequestStop();
    EXPECT_EQ(DenseCosineGraphCpu(documents, options).status().code(),
              absl::StatusCode::kCancelled);
    --options.num_threads;
  }
}

TEST(DenseCosineGraphCpuTest, IsTheNaiveGraph) {
  uint64_t seed = 1;
  for (const DenseKind kind : kDenseKinds) {
    for (const int32_t d : {1, 2, 3, 5, 17, 384, 1000}) {
      const int32_t n = d < 100 ? 300 : 140;
      const DenseDocuments documents = RandomDenseDocuments(kind, n, d, ++seed);
      for (const Decimal& beta :
           {Decimal("0.6"), Decimal("0.5"), Decimal("0.001"), Decimal("1")}) {
        CosineGraphOptions options;
        options.beta = beta;
        options.integer_decisions = seed % 4 != 0;
        ExpectNaive(
            documents, options,
            absl::StrCat("kind ", static_cast<int>(kind), ", d ", d, ", beta ",
                         FormatDecimal(beta), ", seed ", seed));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(DenseCosineGraphCpuTest, SeveralCellsAndChunksOfDimensions) {
  CosineGraphOptions options;
  options.beta = "0.6";
  ExpectNaive(RandomDenseDocuments(DenseKind::kGaussian, 2300, 20, 5), options,
              "2,300 x 20");
  ExpectNaive(RandomDenseDocuments(DenseKind::kAroundBeta, 1100, 12, 6),
              options, "1,100 x 12");
  ExpectNaive(RandomDenseDocuments(DenseKind::kGaussian, 140, 1700, 7), options,
              "140 x 1,700");
}

TEST(DenseCosineGraphCpuTest, SameAsSparse) {
  for (const DenseKind kind : {DenseKind::kNonNegative, DenseKind::kCounts}) {
    for (const int32_t d : {1, 7, 100, 768}) {
      const DenseDocuments dense = RandomDenseDocuments(kind, 200, d, d);
      for (const bool integer_decisions : {false, true}) {
        CosineGraphOptions options;
        options.beta = "0.5";
        options.integer_decisions = integer_decisions;
        const absl::StatusOr<CsrGraph> expected =
            CosineGraphCpu(SparseOfDense(dense), options);
        const absl::StatusOr<CsrGraph> graph =
            DenseCosineGraphCpu(dense, options);
        ASSERT_TRUE(expected.ok()) << expected.status();
        ASSERT_TRUE(graph.ok()) << graph.status();
        EXPECT_GT(graph->num_edges(), 0);
        ExpectSameGraph(*expected, *graph, absl::StrCat("d ", d));
      }
    }
  }
}

TEST(DenseCosineGraphCpuTest, NoneAndOne) {
  for (const int32_t n : {0, 1}) {
    const absl::StatusOr<CsrGraph> graph = DenseCosineGraphCpu(
        RandomDenseDocuments(DenseKind::kGaussian, n, 5, 1), {});
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(graph->offsets, std::vector<int64_t>(n + 1, 0));
  }
}

TEST(DenseCosineGraphCpuTest, RefusesWhatIsNotValid) {
  const auto code = [](std::vector<float> values, const Decimal& beta) {
    CosineGraphOptions options;
    options.beta = beta;
    return DenseCosineGraphCpu(MakeDenseDocuments(std::move(values), 2),
                               options)
        .status()
        .code();
  };
  EXPECT_EQ(code({1, 2}, "0.5"), absl::StatusCode::kOk);
  EXPECT_EQ(code({1, 2}, "0"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1, std::numeric_limits<float>::quiet_NaN()}, "0.5"),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
