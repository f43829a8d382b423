// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A dense join that begins while documents are uploaded, against the join of
// documents that are on the GPU.

#include "graph/cosine/dense/cuda/begun_dense_join_cuda.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/gpu_like.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

class BegunDenseJoinTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

DenseDocuments Embeddings(int32_t rows, int32_t dimensions) {
  RandomEmbeddingsOptions shape;
  shape.dimensions = dimensions;
  shape.directions = 1 + rows / 20;
  shape.near_duplicates = Decimal("0.1");
  return MakeRandomEmbeddings(shape, rows, 0);
}

CsrGraph OnHost(const absl::StatusOr<DeviceGraph>& graph) {
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return CsrGraph();
  absl::StatusOr<CsrGraph> host = DownloadGraph(*graph);
  EXPECT_TRUE(host.ok()) << host.status();
  return host.ok() ? *std::move(host) : CsrGraph();
}

// On a small GPU there is memory for this many candidates, too.
constexpr int64_t kCandidates = 1 << 24;

// `first_row`: of what is begun.
void ExpectSame(const DenseDocuments& documents, const Decimal& begun_with,
                const Decimal& beta, int32_t first_row,
                int64_t most_candidates = kCandidates) {
  CosineGraphOptions options;
  options.beta = beta;
  const auto expected_documents = UploadDenseDocuments(documents);
  ASSERT_TRUE(expected_documents.ok()) << expected_documents.status();
  const CsrGraph expected =
      OnHost(DenseCosineGraphOnDevice(*expected_documents, options));
  BegunDenseJoin begun;
  int times_copied = 0;
  constexpr int32_t kMoreRows = 100;
  const auto on_device = UploadAndBeginJoin(
      documents, begun_with, &begun, [&] { ++times_copied; }, kMoreRows,
      most_candidates);
  EXPECT_EQ(times_copied, first_row > 0 ? 1 : 0);
  ASSERT_TRUE(on_device.ok()) << on_device.status();
  EXPECT_EQ(begun.first_row, first_row);
  if (first_row > 0) {
    EXPECT_EQ(
        on_device->values.size(),
        (int64_t{documents.num_rows} + kMoreRows) * documents.num_dimensions);
  }
  if (first_row > 0 && most_candidates == kCandidates) {
    const auto count = begun.count.ToHost();
    ASSERT_TRUE(count.ok()) << count.status();
    EXPECT_GT(count->at(0), 0u);
    EXPECT_LE(count->at(0), static_cast<uint64_t>(kCandidates));
  }
  EXPECT_EQ(on_device->num_rows, expected_documents->num_rows);
  EXPECT_EQ(on_device->integer_weights, expected_documents->integer_weights);
  EXPECT_EQ(on_device->largest_squared_norm,
            expected_documents->largest_squared_norm);
  const CsrGraph actual =
      OnHost(EndJoin(*on_device, options, std::move(begun)));
  EXPECT_TRUE(expected.offsets == actual.offsets);
  EXPECT_TRUE(expected.neighbors == actual.neighbors);
  EXPECT_TRUE(expected.weights == actual.weights);
  EXPECT_FALSE(actual.neighbors.empty());
}

// It would take too large a part of the memory.
TEST_F(BegunDenseJoinTest, MakesNoRoomForVeryManyMoreRows) {
  const DenseDocuments documents = Embeddings(8192, 100);
  BegunDenseJoin begun;
  const auto on_device = UploadAndBeginJoin(
      documents, "0.7", &begun, [] {}, /*more_rows=*/2000000000);
  ASSERT_TRUE(on_device.ok()) << on_device.status();
  EXPECT_EQ(begun.first_row, 4096);
  EXPECT_EQ(on_device->values.size(), 8192 * 100);
}

// In one to seven parts; the last one at the end of a tile, or not.
TEST_F(BegunDenseJoinTest, EqualsTheJoinOfUploadedDocuments) {
  const struct {
    int32_t rows;
    int32_t first_row;
  } kCases[] = {{100, 0},       {5041, 0},      {5042, 4096},   {8192, 4096},
                {16383, 12288}, {16384, 12288}, {20003, 12288}, {40000, 28672}};
  for (const auto& c : kCases) {
    for (const int32_t dimensions : {24, 100}) {
      const DenseDocuments documents = Embeddings(c.rows, dimensions);
      for (const char* like : {"", "10.0", "8.6"}) {
        SCOPED_TRACE(absl::StrCat(c.rows, " x ", dimensions, " ", like));
        const GpuLike gpu(like);
        ExpectSame(documents, "0.7", "0.7", c.first_row);
      }
    }
  }
}

TEST_F(BegunDenseJoinTest, Integers) {
  ExpectSame(RandomDenseDocuments(DenseKind::kCounts, 12000, 16, 1), "0.97",
             "0.97", 8192);
}

TEST_F(BegunDenseJoinTest, JoinsAnew) {
  const DenseDocuments documents = Embeddings(17000, 24);
  ExpectSame(documents, "0.7", "0.5", 12288);
  ExpectSame(documents, "0.7", "0.7", 12288, /*most_candidates=*/1000);
}

// As one process does it, for fewer rows after their upload, which is not seen
// here.
TEST_F(BegunDenseJoinTest, GraphOfDocumentsOnTheHost) {
  for (const int32_t rows : {33000, 34000}) {
    const DenseDocuments documents = Embeddings(rows, 1000);
    EXPECT_EQ(documents.values.size() * sizeof(float) >= 1 << 27,
              rows == 34000);
    const auto uploaded = UploadDenseDocuments(documents);
    ASSERT_TRUE(uploaded.ok()) << uploaded.status();
    CosineGraphOptions options;
    options.beta = "0.7";
    const CsrGraph expected =
        OnHost(DenseCosineGraphOnDevice(*uploaded, options));
    const CsrGraph actual =
        OnHost(DenseCosineGraphOnDevice(documents, options));
    EXPECT_TRUE(expected.offsets == actual.offsets);
    EXPECT_TRUE(expected.neighbors == actual.neighbors);
    EXPECT_TRUE(expected.weights == actual.weights);
    EXPECT_FALSE(actual.neighbors.empty());
  }
}

TEST_F(BegunDenseJoinTest, InvalidInput) {
  const DenseDocuments documents = Embeddings(17000, 4);
  for (const int32_t row : {0, 5000, 16999}) {
    std::vector<float> values(documents.values.begin(), documents.values.end());
    values[4 * row + 1] = std::numeric_limits<float>::infinity();
    const DenseDocuments invalid = MakeDenseDocuments(std::move(values), 17000);
    BegunDenseJoin begun;
    const absl::Status status =
        UploadAndBeginJoin(invalid, "0.7", &begun).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status, UploadDenseDocuments(invalid).status());
    EXPECT_EQ(begun.first_row, 0);
  }
}

}  // namespace
}  // namespace warpclust
