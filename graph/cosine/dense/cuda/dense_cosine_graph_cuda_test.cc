// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The dense cosine graph on the GPU against the naive definition, bit for bit.

#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/testing/case_share.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/testing/cosine_probe_oracle.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/gpu_like.h"
#include "kernels/testing/little_memory.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

class DenseCosineGraphCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// As on this GPU, with the instructions of all, and with the shared memory of
// all.
void ExpectSame(const DenseDocuments& documents,
                const CosineGraphOptions& options, const std::string& what) {
  const absl::StatusOr<DeviceDenseDocuments> on_device =
      UploadDenseDocuments(documents);
  ASSERT_TRUE(on_device.ok()) << what << ": " << on_device.status();
  const CsrGraph expected =
      NaiveDenseCosineGraph(documents, options.beta, options.integer_decisions);
  for (const char* like : {"", "10.0", "8.6"}) {
    const GpuLike gpu(like);
    const absl::StatusOr<DeviceGraph> graph =
        DenseCosineGraphOnDevice(*on_device, options, nullptr);
    ASSERT_TRUE(graph.ok()) << what << ": " << graph.status();
    const absl::StatusOr<CsrGraph> actual = DownloadGraph(*graph);
    ASSERT_TRUE(actual.ok()) << what << ": " << actual.status();
    ASSERT_EQ(expected.offsets, actual->offsets) << what << " " << like;
    ASSERT_EQ(expected.neighbors, actual->neighbors) << what << " " << like;
    ASSERT_EQ(expected.weights, actual->weights) << what << " " << like;
  }
}

void ExpectOracle(const DenseDocuments& documents, const Decimal& beta,
                  const std::string& what) {
  CosineGraphOptions options;
  options.beta = beta;
  ExpectSame(documents, options, what);
}

TEST_F(DenseCosineGraphCudaTest, EqualsTheDefinitionOnRandomRows) {
  for (const DenseKind kind : kDenseKinds) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
      const auto n = static_cast<int32_t>(1 + seed * 61 % 700);
      const auto dimensions = static_cast<int32_t>(6 + seed * 29 % 210);
      const DenseDocuments documents =
          RandomDenseDocuments(kind, n, dimensions, seed);
      for (const Decimal& beta :
           {Decimal("0.3"), Decimal("0.6"), Decimal("0.95"), Decimal("1")}) {
        if (!TakesCase()) continue;
        ExpectOracle(documents, beta,
                     absl::StrCat("kind ", static_cast<int>(kind), " seed ",
                                  seed, " beta ", FormatDecimal(beta)));
      }
    }
  }
}

TEST_F(DenseCosineGraphCudaTest, IntegersDecidedInDouble) {
  const DenseDocuments documents =
      RandomDenseDocuments(DenseKind::kSmallIntegers, 300, 20, 1);
  CosineGraphOptions options;
  options.beta = "0.5";
  options.integer_decisions = false;
  ExpectSame(documents, options, "doubles");
}

// Rows that stay in shared memory as 256 and as 128, and rows that do not.
TEST_F(DenseCosineGraphCudaTest, RowsOfAnyLength) {
  for (const int32_t dimensions :
       {64, 383, 384, 768, 769, 1024, 1536, 1600, 2049, 4096}) {
    if (!TakesCase()) continue;
    ExpectOracle(RandomDenseDocuments(DenseKind::kGaussian, 300, dimensions, 3),
                 Decimal("0.7"), absl::StrCat(dimensions, " dimensions"));
  }
}

// More than one run of columns.
TEST_F(DenseCosineGraphCudaTest, SeveralRuns) {
  ExpectOracle(RandomDenseDocuments(DenseKind::kGaussian, 9000, 24, 5),
               Decimal("0.9"), "9,000 rows");
}

TEST_F(DenseCosineGraphCudaTest, FewOrNoDocuments) {
  ExpectOracle(DenseDocuments(), Decimal("0.5"), "none");
  ExpectOracle(MakeDenseDocuments({1, 2}, 1), Decimal("0.5"), "one");
  ExpectOracle(MakeDenseDocuments({1, 2, -1, -2, 2, 4}, 3), Decimal("1"),
               "three");
  ExpectOracle(MakeDenseDocuments({}, 0), Decimal("1"), "no rows");
  DenseDocuments without_dimensions;
  without_dimensions.num_rows = 3;
  ExpectOracle(without_dimensions, Decimal("0.5"), "no dimensions");
}

// The rows [begin, end).
DenseDocuments Rows(const DenseDocuments& documents, int32_t begin,
                    int32_t end) {
  const int64_t dimensions = documents.num_dimensions;
  const absl::Span<const float> values(documents.values);
  const absl::Span<const float> part =
      values.subspan(begin * dimensions, (end - begin) * dimensions);
  DenseDocuments rows =
      MakeDenseDocuments({part.begin(), part.end()}, end - begin);
  rows.num_dimensions = documents.num_dimensions;  // Also without rows.
  return rows;
}

// Rows that come in pieces bring the edges that the whole graph has and the
// rows before them have not.
TEST_F(DenseCosineGraphCudaTest, AppendedRowsAreProbes) {
  CosineGraphOptions options;
  options.beta = "0.6";
  for (const DenseKind kind : kDenseKinds) {
    if (!TakesCase()) continue;
    constexpr int32_t kRows = 700;
    const DenseDocuments documents = RandomDenseDocuments(kind, kRows, 40, 9);
    const CsrGraph whole = NaiveDenseCosineGraph(documents, options.beta, true);
    DeviceDenseDocuments device;
    int32_t begin = 0;
    for (const int32_t end : {3, 250, 256, 300, 300, kRows}) {
      ASSERT_TRUE(
          AppendDenseDocuments(Rows(documents, begin, end), &device).ok());
      std::vector<float> bad(80, 1);
      bad[41] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_FALSE(
          AppendDenseDocuments(MakeDenseDocuments(bad, 2), &device).ok());
      EXPECT_FALSE(
          AppendDenseDocuments(MakeDenseDocuments({1, 2}, 2), &device).ok());
      ASSERT_EQ(device.num_rows, end);
      for (const bool hopper : {true, false}) {
        DenseJoinTuning tuning;
        tuning.hopper = hopper;
        const absl::StatusOr<DeviceGraph> graph =
            DenseCosineProbeOnDevice(device, begin, options, nullptr, tuning);
        ASSERT_TRUE(graph.ok()) << graph.status();
        const absl::StatusOr<CsrGraph> actual = DownloadGraph(*graph);
        ASSERT_TRUE(actual.ok()) << actual.status();
        CsrGraph expected;
        for (int32_t v = 0; v < end; ++v) {
          for (int64_t e = whole.offsets[v]; e < whole.offsets[v + 1]; ++e) {
            const int32_t u = whole.neighbors[e];
            if (u >= end || std::max(u, v) < begin) continue;
            expected.neighbors.push_back(u);
            expected.weights.push_back(whole.weights[e]);
          }
          expected.offsets.push_back(
              static_cast<int64_t>(expected.neighbors.size()));
        }
        EXPECT_EQ(actual->offsets, expected.offsets) << begin << " " << end;
        EXPECT_EQ(actual->neighbors, expected.neighbors) << begin << " " << end;
        EXPECT_EQ(actual->weights, expected.weights) << begin << " " << end;
      }
      begin = end;
    }
    EXPECT_EQ(
        DenseCosineProbeOnDevice(device, kRows + 1, options).status().code(),
        absl::StatusCode::kInvalidArgument);
  }
}

// A block and probes, as the definition has them.
TEST_F(DenseCosineGraphCudaTest, ProbesOfABlock) {
  size_t edges = 0;
  for (const DenseKind kind : kDenseKinds) {
    if (!TakesCase()) continue;
    CosineProbeOptions options;
    options.beta = "0.6";
    for (const int32_t stored : {1, 256, 655}) {
      const DenseDocuments documents = RandomDenseDocuments(kind, 700, 40, 3);
      const DenseDocuments block = documents.Rows(0, stored);
      const DenseDocuments probes = documents.Rows(stored, 700);
      const std::vector<ProbeEdge> expected =
          NaiveProbeEdges(block, probes, options);
      // What was there stays.
      std::vector<ProbeEdge> actual = {{7, 8, 0.5f}};
      const absl::Status status =
          DenseCosineProbeCuda(block, probes, options, &actual);
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_EQ(actual.size(), expected.size() + 1);
      EXPECT_EQ(actual[0].row, 7);
      actual.erase(actual.begin());
      EXPECT_EQ(FirstDifference(expected, actual), "")
          << static_cast<int>(kind) << " " << stored;
      edges += expected.size();
    }
  }
  EXPECT_GT(edges, 0u);
}

TEST_F(DenseCosineGraphCudaTest, ProbesWithLittleMemory) {
  const DenseDocuments documents =
      RandomDenseDocuments(DenseKind::kGaussian, 700, 64, 2);
  CosineProbeOptions options;
  ExpectLittleMemoryHolds(
      "on the GPU", 1,
      [&]() -> absl::StatusOr<std::vector<ProbeEdge>> {
        std::vector<ProbeEdge> edges;
        const absl::Status status = DenseCosineProbeCuda(
            documents.Rows(0, 600), documents.Rows(600, 700), options, &edges);
        if (!status.ok()) return status;
        return edges;
      },
      [](const std::vector<ProbeEdge>& a, const std::vector<ProbeEdge>& b) {
        return FirstDifference(a, b).empty();
      });
}

TEST_F(DenseCosineGraphCudaTest, NormsOfBlocks) {
  CosineProbeOptions options;
  options.integer_arithmetic = true;
  options.beta = "0.123456789";
  std::vector<ProbeEdge> edges;
  const absl::Status status =
      DenseCosineProbeCuda(MakeDenseDocuments({1, 2, 16777215, 16777215}, 2),
                           MakeDenseDocuments({1, 2}, 1), options, &edges);
  EXPECT_EQ(status, ProbeNormTooLarge("a document"));
  EXPECT_TRUE(edges.empty());
}

// All pairs are edges, and the candidates are decided part by part.
TEST_F(DenseCosineGraphCudaTest, MoreCandidatesThanRoom) {
  RandomEmbeddingsOptions shape;
  shape.dimensions = 8;
  shape.directions = 1;
  shape.noise = 0.01;
  const absl::StatusOr<DeviceDenseDocuments> documents =
      UploadDenseDocuments(MakeRandomEmbeddings(shape, 5000, 0));
  ASSERT_TRUE(documents.ok()) << documents.status();
  CosineGraphOptions options;
  options.beta = "0.9";
  constexpr int64_t kPairs = int64_t{5000} * 4999 / 2;
  // All at once; in parts that turn out to be too large, and that do not.
  CsrGraph graphs[3];
  for (const int parts : {0, 1, 2}) {
    int64_t candidates = 0;
    DenseJoinTuning tuning;
    if (parts > 0) tuning.most_candidates = 1;
    if (parts > 1) tuning.expected_candidates = kPairs;
    const absl::StatusOr<DeviceGraph> graph =
        DenseCosineGraphOnDevice(*documents, options, &candidates, tuning);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(candidates, kPairs);
    absl::StatusOr<CsrGraph> host = DownloadGraph(*graph);
    ASSERT_TRUE(host.ok()) << host.status();
    graphs[parts] = *std::move(host);
  }
  EXPECT_EQ(graphs[0].neighbors.size(), size_t{5000} * 4999);
  for (const int parts : {1, 2}) {
    EXPECT_EQ(graphs[0].offsets, graphs[parts].offsets);
    EXPECT_EQ(graphs[0].neighbors, graphs[parts].neighbors);
    EXPECT_EQ(graphs[0].weights, graphs[parts].weights);
  }
}

TEST_F(DenseCosineGraphCudaTest, LittleMemory) {
  const DenseDocuments documents =
      RandomDenseDocuments(DenseKind::kGaussian, 700, 64, 1);
  CosineGraphOptions options;
  ExpectLittleMemoryHolds(
      "700 documents", 1,
      [&] { return DenseCosineGraphCuda(documents, options); },
      [](const CsrGraph& a, const CsrGraph& b) {
        return a.offsets == b.offsets && a.neighbors == b.neighbors &&
               a.weights == b.weights;
      });
}

TEST_F(DenseCosineGraphCudaTest, InvalidInput) {
  CosineGraphOptions options;
  const absl::Status status =
      DenseCosineGraphCuda(
          MakeDenseDocuments({1, 2, std::numeric_limits<float>::infinity(), 4},
                             2),
          options)
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "document 1, dimension 0"))
      << status;
  options.beta = "0";
  EXPECT_EQ(DenseCosineGraphCuda(DenseDocuments(), options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
