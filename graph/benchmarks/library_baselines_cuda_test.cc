// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The libraries' products on a small collection: the edges that they count lie
// between those of exact graphs, of a threshold a little below and a little
// above.

#include "graph/benchmarks/library_baselines_cuda.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

class LibraryBaselinesCudaTest : public ::testing::Test {
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

  // Edges between those of the exact graphs of the two thresholds, unless the
  // library is not on this machine.
  void Expect(const absl::StatusOr<LibraryBaselineResult>& result,
              const Decimal& below, const Decimal& above) const {
    if (!result.ok()) {
      EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable)
          << result.status();
      return;
    }
    EXPECT_GT(result->seconds, 0);
    EXPECT_GE(result->num_edges, EdgesAt(above));
    EXPECT_LE(result->num_edges, EdgesAt(below));
  }
  void ExpectSparse(const absl::StatusOr<LibraryBaselineResult>& result) const {
    Expect(result, {24999, 100000}, {25001, 100000});
  }
  // Two roundings to eight bits per product: 2^-7 of a cosine of 0.25 at most.
  void ExpectDense(const absl::StatusOr<LibraryBaselineResult>& result) const {
    Expect(result, {2475, 10000}, {2525, 10000});
  }

  DocumentMatrix documents_;
};

TEST_F(LibraryBaselinesCudaTest, CountTheEdges) {
  const auto on_device = UploadDocuments(documents_);
  ASSERT_TRUE(on_device.ok()) << on_device.status();
  LibraryBaselineOptions options;
  ExpectSparse(SpGemmBaseline(*on_device, options));
  for (const bool half : {false, true}) {
    options.half = half;
    ExpectDense(GemmBaseline(*on_device, options));
  }
}

// The paths that only large collections take.
TEST_F(LibraryBaselinesCudaTest, ManyPanels) {
  const auto on_device = UploadDocuments(documents_);
  ASSERT_TRUE(on_device.ok()) << on_device.status();
  LibraryBaselineOptions options;
  options.panel_products = 20000;
  options.panel_rows = 96;
  options.chunk_terms = 128;
  const auto sparse = SpGemmBaseline(*on_device, options);
  ExpectSparse(sparse);
  if (sparse.ok()) {
    EXPECT_GT(sparse->num_panels, 10);
  }
  for (const bool half : {false, true}) {
    options.half = half;
    const auto dense = GemmBaseline(*on_device, options);
    ExpectDense(dense);
    if (dense.ok()) {
      EXPECT_EQ(dense->num_panels, half ? 36 : 64);
    }
  }
}

}  // namespace
}  // namespace warpclust
