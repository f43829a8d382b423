// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The dispatch; the builders have tests of their own.

#include "graph/cosine/cosine_graph.h"

#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// {0: 1, 1: 1}, {0: 1}, {1: 2}, {}: cosines 1/√2, 1/√2, 0.
DocumentMatrix SmallDocuments() {
  DocumentMatrix documents;
  documents.offsets = {0, 2, 3, 4, 4};
  documents.terms = {0, 1, 0, 1};
  documents.weights = {1, 1, 1, 2};
  documents.num_terms = 2;
  return documents;
}

TEST(CosineGraphTest, EveryDeviceGivesTheSameGraph) {
  CosineGraphOptions options;
  options.beta = {7, 10};
  for (const Device device : {Device::kCpu, Device::kAuto, Device::kCuda}) {
    const absl::StatusOr<CsrGraph> graph =
        CosineGraph(SmallDocuments(), options, device);
    if (device == Device::kCuda && !ResolveDevice(device).ok()) {
      EXPECT_EQ(graph.status().code(), absl::StatusCode::kUnavailable);
      continue;
    }
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(graph->offsets, (std::vector<int64_t>{0, 2, 3, 4, 4}));
    EXPECT_EQ(graph->neighbors, (std::vector<int32_t>{1, 2, 0, 0}));
    EXPECT_FLOAT_EQ(graph->weights[0], 0.70710678f);
  }
}

TEST(CosineGraphTest, DenseDocuments) {
  const DenseDocuments documents =
      MakeDenseDocuments({1, 1, 1, 0, 0, 2, 0, 0}, /*num_documents=*/4);
  CosineGraphOptions options;
  options.beta = "0.7";
  const absl::StatusOr<CsrGraph> sparse =
      CosineGraph(SmallDocuments(), options, Device::kCpu);
  ASSERT_TRUE(sparse.ok()) << sparse.status();
  for (const Device device : {Device::kCpu, Device::kAuto}) {
    const absl::StatusOr<CsrGraph> graph =
        CosineGraph(documents, options, device);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(graph->offsets, sparse->offsets);
    EXPECT_EQ(graph->neighbors, sparse->neighbors);
    EXPECT_EQ(graph->weights, sparse->weights);
  }
  if (!ResolveDevice(Device::kCuda).ok()) {
    EXPECT_EQ(CosineGraph(documents, options, Device::kCuda).status().code(),
              absl::StatusCode::kUnavailable);
  }
}

TEST(CosineGraphOptionsTest, BetaIsInZeroToOne) {
  CosineGraphOptions options;
  EXPECT_TRUE(options.Validate().ok());
  for (const Decimal& beta :
       {Decimal("0"), Decimal("-0.1"), Decimal("1.1"), Decimal{1, 0}}) {
    options.beta = beta;
    EXPECT_EQ(options.Validate().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_FALSE(CosineGraph(SmallDocuments(), options, Device::kCpu).ok());
  }
  options.beta = {1, 1};
  EXPECT_TRUE(options.Validate().ok());
  options.num_threads = -1;
  EXPECT_FALSE(options.Validate().ok());
}

}  // namespace
}  // namespace warpclust
