// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Online clustering of dense documents on the GPU against the CPU, one document
// after the other: all clusters and the state at the end.

#include "algorithms/online/dense/cuda/byte_search_cuda.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/dense/batch_search.h"
#include "algorithms/online/dense/dense_batched_clusterer.h"
#include "algorithms/online/dense/dense_serial_clusterer.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/testing/dense_streams.h"
#include "base/numbers/decimal.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

class ByteSearchCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

absl::StatusOr<std::unique_ptr<DenseOnlineEngine>> MakeCuda(
    const OnlineOptions& options, int32_t batch,
    const OnlineState& state = {}) {
  absl::StatusOr<std::unique_ptr<DenseBatchSearch>> search =
      MakeByteSearchCuda(/*num_threads=*/2);
  if (!search.ok()) return search.status();
  return MakeDenseBatchedClusterer(
      options, state, {.batch = batch, .num_threads = 2}, *std::move(search));
}

void ExpectSame(const DenseDocuments& documents, const OnlineOptions& options,
                const std::vector<int32_t>& batches, const std::string& what) {
  const absl::StatusOr<DenseStreamResult> expected =
      ClusterDenseStream(MakeDenseSerialClusterer(options, {}), documents);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const int32_t batch : batches) {
    const absl::StatusOr<DenseStreamResult> actual =
        ClusterDenseStream(MakeCuda(options, batch), documents);
    ASSERT_TRUE(actual.ok()) << what << ": " << actual.status();
    EXPECT_EQ(expected->first, actual->first) << what << ", batch " << batch;
    EXPECT_TRUE(expected->second == actual->second)
        << what << ", batch " << batch;
  }
}

TEST_F(ByteSearchCudaTest, EqualsTheCpuOnStreams) {
  for (const auto& [name, documents] : DenseStreams()) {
    for (const Decimal& threshold :
         {Decimal("0"), Decimal("0.000000001"), Decimal("0.1"), Decimal("0.4"),
          Decimal("0.6"), Decimal("0.8"), Decimal("1")}) {
      OnlineOptions options = OnlineOptions::Embeddings();
      options.threshold = threshold;
      ExpectSame(documents, options, {5, 300, 4096},
                 absl::StrCat(name, ", ", FormatDecimal(threshold)));
    }
  }
}

TEST_F(ByteSearchCudaTest, EqualsTheCpuOnAllKindsOfRows) {
  for (const DenseKind kind : kDenseKinds) {
    for (const int32_t dimensions : {1, 63, 64, 65, 384, 1000, 3000}) {
      OnlineOptions options = OnlineOptions::Embeddings();
      options.threshold = dimensions % 2 == 0 ? Decimal("0.6") : Decimal("0.3");
      ExpectSame(RandomDenseDocuments(kind, 400, std::max(dimensions, 6),
                                      /*seed=*/dimensions),
                 options, {130},
                 absl::StrCat("kind ", static_cast<int>(kind), ", ", dimensions,
                              " dimensions"));
    }
  }
}

// Several runs of columns, many tiles of clusters, and rows that have to grow.
TEST_F(ByteSearchCudaTest, EqualsTheCpuWithManyClusters) {
  RandomEmbeddingsOptions mixture;
  mixture.dimensions = 32;
  mixture.directions = 6000;
  mixture.noise = 0.4;
  const DenseDocuments documents = MakeRandomEmbeddings(mixture, 20000, 2);
  OnlineOptions options = OnlineOptions::Embeddings();
  options.threshold = "0.75";
  const absl::StatusOr<DenseStreamResult> expected = ClusterDenseStream(
      MakeDenseBatchedClusterer(options, {}, {.num_threads = 2}), documents);
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_GT(expected->second.num_clusters(), 4096);
  for (const int32_t batch : {700, 1 << 20}) {
    const absl::StatusOr<DenseStreamResult> actual =
        ClusterDenseStream(MakeCuda(options, batch), documents);
    ASSERT_TRUE(actual.ok()) << actual.status();
    EXPECT_EQ(expected->first, actual->first);
    EXPECT_TRUE(expected->second == actual->second);
  }
}

TEST_F(ByteSearchCudaTest, ContinuesFromAStateOfTheCpu) {
  const DenseDocuments documents = DenseStreams()[1].second;
  OnlineOptions options = OnlineOptions::Embeddings();
  options.threshold = "0.5";
  const absl::StatusOr<DenseStreamResult> whole =
      ClusterDenseStream(MakeDenseSerialClusterer(options, {}), documents);
  ASSERT_TRUE(whole.ok());
  const int32_t half = documents.num_documents() / 2;
  DenseDocuments first = documents;
  first.num_rows = half;
  first.values =
      documents.values.first(int64_t{half} * documents.num_dimensions);
  DenseDocuments second = documents;
  second.num_rows = documents.num_rows - half;
  second.values =
      documents.values.subspan(int64_t{half} * documents.num_dimensions);
  absl::StatusOr<DenseStreamResult> before =
      ClusterDenseStream(MakeDenseSerialClusterer(options, {}), first);
  ASSERT_TRUE(before.ok());
  before->second.num_terms = documents.num_dimensions;
  const absl::StatusOr<DenseStreamResult> after =
      ClusterDenseStream(MakeCuda(options, 100, before->second), second);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_TRUE(after->second == whole->second);
  EXPECT_TRUE(std::equal(after->first.begin(), after->first.end(),
                         whole->first.begin() + half));
}

TEST_F(ByteSearchCudaTest, LittleMemory) {
  const DenseDocuments documents = DenseStreams()[0].second;
  OnlineOptions options = OnlineOptions::Embeddings();
  options.threshold = "0.7";
  ExpectLittleMemoryHolds(
      "dense documents", 1,
      [&] { return ClusterDenseStream(MakeCuda(options, 500), documents); },
      [](const DenseStreamResult& a, const DenseStreamResult& b) {
        return a == b;
      });
}

}  // namespace
}  // namespace warpclust
