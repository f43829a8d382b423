// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the benchmark runs, on a small collection: keeps it alive, and holds the
// edges that each method counts against the exact graph of a threshold a little
// below and a little above.

#include "graph/benchmarks/cosine_graph_measurement_cuda.h"

#include <cstdint>
#include <map>
#include <string>

#include "graph/benchmarks/library_baselines_cuda.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device.h"

namespace warpclust {
namespace {

class CosineGraphMeasurementCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
    RandomDocumentsOptions shape;
    shape.num_documents = 700;
    shape.num_terms = 900;
    shape.mean_terms = 30;
    shape.empty_fraction = 0.05;
    documents_ = RandomDocuments(shape);
  }

  int64_t EdgesAt(const Decimal& beta) const {
    return NaiveCosineGraph(documents_, beta).num_edges();
  }

  DocumentMatrix documents_;
};

TEST_F(CosineGraphMeasurementCudaTest, AllMethods) {
  CosineGraphMeasurementOptions options;
  options.repeat = 2;
  options.baselines = {CosineGraphBaseline::kPaper,
                       CosineGraphBaseline::kSpGemm, CosineGraphBaseline::kGemm,
                       CosineGraphBaseline::kGemmHalf};
  const auto timings = MeasureCosineGraph(documents_, options);
  ASSERT_TRUE(timings.ok()) << timings.status();
  std::map<std::string, CosineGraphTiming> by_method;
  for (const CosineGraphTiming& timing : *timings) {
    by_method[timing.method] = timing;
  }
  const int64_t exact = EdgesAt({25, 100});
  for (const char* method : {"ours", "ours_upload", "ours_host"}) {
    EXPECT_EQ(by_method[method].num_edges, exact) << method;
    EXPECT_GT(by_method[method].seconds, 0) << method;
  }
  EXPECT_GT(by_method["ours"].peak_bytes, 0);
  EXPECT_GT(by_method["join"].seconds, 0);
  for (const char* method : {"paper", "spgemm"}) {
    if (!by_method[method].available) continue;
    EXPECT_GT(by_method[method].seconds, 0) << method;
    EXPECT_GE(by_method[method].num_edges, EdgesAt({25001, 100000})) << method;
    EXPECT_LE(by_method[method].num_edges, EdgesAt({24999, 100000})) << method;
  }
  // Two roundings to eight bits a product: 2^-7 of a cosine of 0.25 at most.
  for (const char* method : {"gemm", "gemm_half"}) {
    if (!by_method[method].available) continue;
    EXPECT_GT(by_method[method].seconds, 0) << method;
    EXPECT_GE(by_method[method].num_edges, EdgesAt({2525, 10000})) << method;
    EXPECT_LE(by_method[method].num_edges, EdgesAt({2475, 10000})) << method;
  }
}

// The paths that only large collections take.
TEST_F(CosineGraphMeasurementCudaTest, LibrariesInManyPanels) {
  const auto on_device = UploadDocuments(documents_);
  ASSERT_TRUE(on_device.ok()) << on_device.status();
  LibraryBaselineOptions options;
  options.panel_products = 20000;
  options.panel_rows = 96;
  options.chunk_terms = 128;
  const auto sparse = SpGemmBaseline(*on_device, options);
  if (sparse.ok()) {
    EXPECT_GT(sparse->num_panels, 10);
    EXPECT_GE(sparse->num_edges, EdgesAt({25001, 100000}));
    EXPECT_LE(sparse->num_edges, EdgesAt({24999, 100000}));
  } else {
    EXPECT_EQ(sparse.status().code(), absl::StatusCode::kUnavailable)
        << sparse.status();
  }
  for (const bool half : {false, true}) {
    options.half = half;
    const auto dense = GemmBaseline(*on_device, options);
    if (dense.ok()) {
      EXPECT_EQ(dense->num_panels, half ? 36 : 64);
      EXPECT_GE(dense->num_edges, EdgesAt({2525, 10000}));
      EXPECT_LE(dense->num_edges, EdgesAt({2475, 10000}));
    } else {
      EXPECT_EQ(dense.status().code(), absl::StatusCode::kUnavailable)
          << dense.status();
    }
  }
}

TEST(HalfJoinAdditionsTest, CountsPairsOfEachTerm) {
  DocumentMatrix documents;
  documents.offsets = {0, 2, 4, 5};
  documents.terms = {0, 1, 0, 2, 0};
  documents.weights = {1, 1, 1, 1, 1};
  documents.num_terms = 4;
  EXPECT_EQ(HalfJoinAdditions(documents), 3);
}

TEST(ParseCosineGraphBaselineTest, KnowsTheFour) {
  for (const char* name : {"paper", "spgemm", "gemm", "gemm_half"}) {
    EXPECT_TRUE(ParseCosineGraphBaseline(name).ok()) << name;
  }
  EXPECT_FALSE(ParseCosineGraphBaseline("l2ap").ok());
}

}  // namespace
}  // namespace warpclust
