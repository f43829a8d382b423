// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The CUDA cosine graph against the naive definition on random documents of
// many shapes, and against the CPU builder, bit for bit.

#include "graph/cosine/cuda/cosine_graph_cuda.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/testing/case_share.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

class CosineGraphCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

void ExpectSameGraph(const CsrGraph& expected, const CsrGraph& actual,
                     const std::string& what) {
  ASSERT_EQ(expected.offsets, actual.offsets) << what;
  ASSERT_EQ(expected.neighbors, actual.neighbors) << what;
  ASSERT_EQ(expected.weights, actual.weights) << what;  // to the bit: no NaN
}

void ExpectOracle(const DocumentMatrix& documents, const Decimal& beta,
                  const std::string& what) {
  CosineGraphOptions options;
  options.beta = beta;
  absl::StatusOr<CsrGraph> actual = CosineGraphCuda(documents, options);
  ASSERT_TRUE(actual.ok()) << what << ": " << actual.status();
  ExpectSameGraph(NaiveCosineGraph(documents, beta), *actual, what);
}

void ExpectCpu(const DocumentMatrix& documents, const Decimal& beta,
               const std::string& what) {
  CosineGraphOptions options;
  options.beta = beta;
  absl::StatusOr<CsrGraph> cuda = CosineGraphCuda(documents, options);
  ASSERT_TRUE(cuda.ok()) << what << ": " << cuda.status();
  absl::StatusOr<CsrGraph> cpu = CosineGraphCpu(documents, options);
  ASSERT_TRUE(cpu.ok()) << what << ": " << cpu.status();
  ExpectSameGraph(*cpu, *cuda, what);
}

TEST_F(CosineGraphCudaTest, EqualsTheDefinitionOnRandomDocuments) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 1 + static_cast<int32_t>(seed * 7 % 260);
    shape.num_terms = 1 + static_cast<int32_t>(seed * 13 % 400);
    shape.mean_terms = 1 + static_cast<double>(seed * 5 % 37);
    shape.integer_weights = seed % 3 != 0;
    shape.largest_weight = seed % 5 == 0 ? 60000.0f : 9.0f;
    shape.empty_fraction = seed % 4 == 0 ? 0.2 : 0.0;
    for (const Decimal& beta :
         {Decimal("0.25"), Decimal("0.35"), Decimal("0.5"), Decimal("1"),
          Decimal("0.001")}) {
      if (!TakesCase()) continue;
      ExpectOracle(RandomDocuments(shape), beta,
                   absl::StrCat("seed ", seed, " beta ", FormatDecimal(beta)));
    }
  }
}

TEST_F(CosineGraphCudaTest, LongDocumentsTakeTheWideAccumulators) {
  for (bool integer : {true, false}) {
    RandomDocumentsOptions shape;
    shape.seed = 77;
    shape.num_documents = 60;
    shape.num_terms = 6000;
    shape.mean_terms = 2500;
    shape.integer_weights = integer;
    shape.largest_weight = 5000;
    for (const Decimal& beta : {Decimal("0.25"), Decimal("0.45")}) {
      ExpectOracle(RandomDocuments(shape), beta,
                   absl::StrCat("integer ", integer));
    }
  }
}

// Enough documents and frequent terms for the dense block; some weights too
// large for it, some rows too heavy for narrow accumulators.
TEST_F(CosineGraphCudaTest, DenseBlockAndListsTogether) {
  for (const float largest_weight : {1.0f, 9.0f, 300.0f, 20000.0f}) {
    for (bool integer : {true, false}) {
      if (!TakesCase()) continue;
      RandomDocumentsOptions shape;
      shape.seed = static_cast<uint64_t>(largest_weight);
      shape.num_documents = 4500;
      shape.num_terms = 500;
      shape.mean_terms = 25;
      shape.integer_weights = integer;
      shape.largest_weight = largest_weight;
      shape.empty_fraction = 0.01;
      ExpectOracle(RandomDocuments(shape), Decimal("0.45"),
                   absl::StrCat("integer ", integer, " largest weight ",
                                largest_weight));
    }
  }
}

TEST_F(CosineGraphCudaTest, IntegerWeightsTooLargeForAccumulatorsAreVerified) {
  RandomDocumentsOptions shape;
  shape.seed = 5;
  shape.num_documents = 120;
  shape.num_terms = 50;
  shape.mean_terms = 12;
  shape.integer_weights = true;
  shape.largest_weight = 9000000;
  ExpectOracle(RandomDocuments(shape), Decimal("0.25"), "large integers");
}

TEST_F(CosineGraphCudaTest, PairsExactlyOnTheThreshold) {
  // Documents of one shared term and 15 of their own: cosine exactly 1/16.
  DocumentMatrix documents;
  const int32_t n = 40;
  for (int32_t d = 0; d < n; ++d) {
    documents.terms.push_back(0);
    for (int32_t k = 0; k < 15; ++k) documents.terms.push_back(1 + d * 15 + k);
    documents.offsets.push_back(documents.num_entries());
  }
  documents.weights.assign(documents.terms.size(), 3.0f);
  documents.num_terms = 1 + n * 15;
  CosineGraphOptions options;
  options.beta = Decimal("0.0625");
  absl::StatusOr<CsrGraph> graph = CosineGraphCuda(documents, options);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->num_edges(), n * (n - 1) / 2);
  options.beta = Decimal("0.062501");
  graph = CosineGraphCuda(documents, options);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->num_edges(), 0);
}

TEST_F(CosineGraphCudaTest, AThirdIsAnExactThreshold) {
  for (float weight : {1.0f, 3.0f, 300.0f, 0.7f}) {
    ExpectOracle(NineTermDocuments(150, weight), {1, 3},
                 absl::StrCat("weight ", weight));
  }
}

TEST_F(CosineGraphCudaTest, IntegerWeightsDecidedInDoubleAsOnTheCpu) {
  // 7 of 25 terms shared: 7/25 = 0.28, but the double 0.28 * 25 is above 7.
  DocumentMatrix tie;
  tie.num_terms = 43;
  for (int32_t first : {0, 18}) {
    for (int32_t t = 0; t < 25; ++t) tie.terms.push_back(first + t);
    tie.offsets.push_back(tie.num_entries());
  }
  tie.weights.assign(tie.terms.size(), 1.0f);
  for (const bool integer : {true, false}) {
    CosineGraphOptions options;
    options.beta = {28, 100};
    options.integer_decisions = integer;
    absl::StatusOr<CsrGraph> graph = CosineGraphCuda(tie, options);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(graph->num_edges(), integer ? 1 : 0);
  }
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    if (!TakesCase()) continue;
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 400;
    shape.num_terms = 40;
    shape.mean_terms = 6;
    const DocumentMatrix documents = RandomDocuments(shape);
    CosineGraphOptions options;
    options.beta = {static_cast<int64_t>(seed % 4 * 2 + 2), 10};
    options.integer_decisions = false;
    absl::StatusOr<CsrGraph> cuda = CosineGraphCuda(documents, options);
    absl::StatusOr<CsrGraph> cpu = CosineGraphCpu(documents, options);
    ASSERT_TRUE(cuda.ok() && cpu.ok()) << cuda.status() << cpu.status();
    ExpectSameGraph(*cpu, *cuda, absl::StrCat("seed ", seed));
  }
}

TEST_F(CosineGraphCudaTest, ExtremeScales) {
  for (float scale : {1e-30f, 1e-3f, 1e30f}) {
    RandomDocumentsOptions shape;
    shape.seed = 11;
    shape.num_documents = 90;
    shape.num_terms = 70;
    shape.mean_terms = 10;
    shape.integer_weights = false;
    DocumentMatrix documents = RandomDocuments(shape);
    for (float& weight : documents.weights) weight *= scale;
    ExpectOracle(documents, Decimal("0.25"), absl::StrCat("scale ", scale));
  }
}

TEST_F(CosineGraphCudaTest, SmallAndEmptyCollections) {
  DocumentMatrix none;
  ExpectOracle(none, Decimal("0.25"), "no documents");
  DocumentMatrix empty;
  empty.offsets = {0, 0, 0, 0};
  empty.num_terms = 5;
  ExpectOracle(empty, Decimal("0.25"), "only empty documents");
  DocumentMatrix one;
  one.offsets = {0, 1};
  one.terms = {2};
  one.weights = {1.0f};
  one.num_terms = 3;
  ExpectOracle(one, Decimal("0.25"), "one document");
  DocumentMatrix same;
  same.num_terms = 3;
  for (int d = 0; d < 300; ++d) {
    same.terms.insert(same.terms.end(), {0, 2});
    same.weights.insert(same.weights.end(), {0.3f, 0.7f});
    same.offsets.push_back(same.num_entries());
  }
  ExpectOracle(same, Decimal("1"), "identical documents");
}

// More columns than one tile, both arithmetics, against the CPU.
TEST_F(CosineGraphCudaTest, SeveralTilesEqualTheCpu) {
  for (bool integer : {true, false}) {
    if (!TakesCase()) continue;
    RandomDocumentsOptions shape;
    shape.seed = 3;
    shape.num_documents = static_cast<int32_t>(ShareOf(110000, 60000));
    shape.num_terms = 60000;
    shape.mean_terms = 8;
    shape.integer_weights = integer;
    ExpectCpu(RandomDocuments(shape), Decimal("0.5"),
              absl::StrCat("integer ", integer));
  }
}

TEST_F(CosineGraphCudaTest, MemoryThatRunsOutIsAStatus) {
  RandomDocumentsOptions shape;
  shape.num_documents = 3000;
  shape.num_terms = 100;
  shape.mean_terms = 10;
  const DocumentMatrix documents = RandomDocuments(shape);
  CosineGraphOptions options;
  for (int64_t limit = 1 << 12; limit < int64_t{1} << 27; limit *= 4) {
    SetDeviceMemoryLimit(limit);
    absl::StatusOr<CsrGraph> graph = CosineGraphCuda(documents, options);
    if (!graph.ok()) {
      EXPECT_EQ(graph.status().code(), absl::StatusCode::kResourceExhausted)
          << graph.status();
    }
  }
  SetDeviceMemoryLimit(-1);
  EXPECT_TRUE(CosineGraphCuda(documents, options).ok());
}

TEST_F(CosineGraphCudaTest, RefusesABetaOutOfRange) {
  CosineGraphOptions options;
  options.beta = Decimal("0");
  EXPECT_EQ(CosineGraphCuda(DocumentMatrix(), options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Smaller panels, none, room for the pairs there are and not for all.
TEST_F(CosineGraphCudaTest, LittleMemory) {
  for (const bool integer : {true, false}) {
    // Without and with terms that are in most documents.
    for (const int32_t num_terms : {300, 2000}) {
      if (!TakesCase()) continue;
      SCOPED_TRACE(absl::StrCat("integer ", integer, ", terms ", num_terms));
      RandomDocumentsOptions shape;
      shape.seed = 7;
      shape.num_documents = static_cast<int32_t>(ShareOf(6000, 1500));
      shape.num_terms = num_terms;
      shape.mean_terms = 20;
      shape.integer_weights = integer;
      const DocumentMatrix documents = RandomDocuments(shape);
      CosineGraphOptions options;
      options.beta = Decimal("0.5");
      ExpectLittleMemoryHolds(
          "documents", 8, [&] { return CosineGraphCuda(documents, options); },
          [](const CsrGraph& a, const CsrGraph& b) {
            return a.offsets == b.offsets && a.neighbors == b.neighbors &&
                   a.weights == b.weights;
          });
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace warpclust
