// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustRDistributed of rows on GPUs, which ranks may share, against OClustR on
// the CPU, bit for bit.

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_distributed.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "algorithms/oclustr/oclustr_on_gpus.h"
#include "algorithms/oclustr/testing/oclustr_on_ranks.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/decimal.h"
#include "base/testing/case_share.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/device_relevances.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/device/rank_device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_exchange.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {
namespace {

class OClustRDistributedCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
  void TearDown() override { SetDeviceMemoryLimit(-1); }
};

// The share with its rows on the GPU of the rank.
absl::StatusOr<GraphShare> OnGpu(GraphShare share) {
  absl::StatusOr<DeviceGraph> rows = UploadGraph(share.rows);
  if (!rows.ok()) return rows.status();
  share.on_gpu = std::make_shared<const DeviceGraph>(*std::move(rows));
  share.rows = CsrGraph();
  return share;
}

absl::Status ClusterOnGpu(Communicator& ranks, const CsrGraph& graph,
                          const std::vector<int32_t>& begins,
                          const RelevanceTable& table,
                          const OClustRResult& expected) {
  if (absl::Status taken = TakeDeviceOfRank(ranks); !taken.ok()) return taken;
  absl::StatusOr<GraphShare> share =
      OnGpu(ShareOf(graph, begins, ranks.rank()));
  if (!share.ok()) return share.status();
  const auto exchange = DeviceExchange::Create(ranks);
  if (!exchange.ok()) return exchange.status();
  const absl::StatusOr<DeviceRelevances> mine =
      RelevancesOnDevice(ranks, begins, *share->on_gpu, **exchange);
  if (!mine.ok()) return mine.status();
  const absl::StatusOr<RelevanceTable> on_host = DownloadRelevances(*mine);
  if (!on_host.ok()) return on_host.status();
  EXPECT_TRUE(*on_host == table);
  const absl::StatusOr<OClustRResult> result =
      OClustRDistributed(ranks, *std::move(share), 1);
  if (!result.ok()) return result.status();
  ExpectSameResult(expected, *result, ranks);
  return absl::OkStatus();
}

void ExpectSameClusters(const CsrGraph& graph, int num_ranks, uint32_t seed) {
  SCOPED_TRACE(testing::Message()
               << "seed " << seed << ", " << num_ranks << " ranks");
  const absl::StatusOr<OClustRResult> expected =
      OClustR(graph, {Device::kCpu, /*num_threads=*/1});
  ASSERT_TRUE(expected.ok()) << expected.status();
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
  const std::vector<int32_t> begins =
      RandomBlocks(num_ranks, graph.num_vertices(), seed);
  const absl::Status status = RunOnThreads(num_ranks, [&](Communicator& ranks) {
    return ClusterOnGpu(ranks, graph, begins, *table, *expected);
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(OClustRDistributedCudaTest, RandomGraphs) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    if (!TakesCase()) continue;
    ExpectSameClusters(RandomGraph(seed), 1 + seed % 5, seed);
  }
}

// Rows that rank 0 asks for one by one, and many at a time.
TEST_F(OClustRDistributedCudaTest, LargerGraphs) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    if (!TakesCase()) continue;
    ExpectSameClusters(RandomNeighborhoodGraph(2000, 3000 + 10000 * seed, seed),
                       2 + seed % 3, seed);
    ExpectSameClusters(OverlappingStarsGraph(60, 600, seed), 2 + seed % 3,
                       seed);
  }
}

// The largest weight, which is of one rank, sets the scale of all.
TEST_F(OClustRDistributedCudaTest, WeightsAboveOne) {
  CsrGraph graph = RandomNeighborhoodGraph(100, 300, 3);
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    for (int64_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e) {
      if (u == 7 || graph.neighbors[e] == 7) graph.weights[e] *= 1000;
    }
  }
  ExpectSameClusters(graph, 4, 5);
}

// What does not fit moves to the host, on all ranks, wherever memory ends.
TEST_F(OClustRDistributedCudaTest, LittleMemory) {
  const CsrGraph graph = RandomNeighborhoodGraph(20000, 100000, 1);
  const absl::StatusOr<OClustRResult> expected =
      OClustR(graph, {Device::kCpu, /*num_threads=*/1});
  ASSERT_TRUE(expected.ok()) << expected.status();
  const std::vector<int32_t> begins = RandomBlocks(3, 20000, 1);
  const int64_t others = DeviceMemoryInUseBytes();
  // The rows take 1.8 MB, and each rank about 1 MB more.
  for (int64_t spare = 0; spare < 6 << 20; spare += 150'000) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(spare);
    const absl::Status status =
        RunOnThreads(3, [&](Communicator& ranks) -> absl::Status {
          if (absl::Status s = TakeDeviceOfRank(ranks); !s.ok()) return s;
          absl::StatusOr<GraphShare> share =
              OnGpu(ShareOf(graph, begins, ranks.rank()));
          if (!share.ok()) return share.status();
          if (absl::Status s = ranks.Barrier(); !s.ok()) return s;
          if (ranks.rank() == 0) {
            SetDeviceMemoryLimit(DeviceMemoryInUseBytes() + spare);
          }
          if (absl::Status s = ranks.Barrier(); !s.ok()) return s;
          const absl::StatusOr<OClustRResult> result =
              OClustRDistributed(ranks, *std::move(share), 1);
          if (!result.ok()) return result.status();
          ExpectSameResult(*expected, *result, ranks);
          return absl::OkStatus();
        });
    SetDeviceMemoryLimit(-1);
    // Rows that stage 3 asks for need a little, too.
    EXPECT_TRUE(status.ok() || absl::IsResourceExhausted(status)) << status;
    EXPECT_TRUE(status.ok() || spare > 500'000) << status;
    EXPECT_EQ(DeviceMemoryInUseBytes(), others);
  }
}

// From documents, on one GPU up to all of this computer.
template <typename Documents>
void ExpectSameOnGpus(const Documents& documents, const Decimal& beta) {
  OClustRDocumentsOptions options;
  options.graph.beta = beta;
  options.device = Device::kCpu;
  const absl::StatusOr<OClustRResult> expected =
      OClustRDocuments(documents, options);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const absl::StatusOr<int> num_gpus = CountGpus();
  ASSERT_TRUE(num_gpus.ok()) << num_gpus.status();
  const SingleRank alone;
  for (int gpus = 1; gpus <= *num_gpus; ++gpus) {
    const absl::StatusOr<OClustRResult> result =
        OClustRDocumentsOnGpus(documents, options.graph, gpus);
    ASSERT_TRUE(result.ok()) << result.status();
    ExpectSameResult(*expected, *result, alone);
  }
  for (const int gpus : {0, *num_gpus + 1}) {
    EXPECT_FALSE(OClustRDocumentsOnGpus(documents, options.graph, gpus).ok());
  }
}

TEST_F(OClustRDistributedCudaTest, DocumentsOnGpus) {
  ExpectSameOnGpus(RandomDocuments({.num_documents = 500}), "0.3");
  // Fewer than there are GPUs, too.
  for (int32_t n = 0; n < 6; ++n) {
    ExpectSameOnGpus(RandomDocuments({.num_documents = n}), "0.3");
  }
  const DenseDocuments dense =
      RandomDenseDocuments(DenseKind::kGaussian, 500, 20, 1);
  ExpectSameOnGpus(dense, "0.4");
  DenseDocuments cut = dense;
  cut.values = cut.values.subspan(1);
  EXPECT_EQ(
      OClustRDocumentsOnGpus(cut, CosineGraphOptions(), 1).status().code(),
      absl::StatusCode::kInvalidArgument);
  std::vector<float> values(dense.values.begin(), dense.values.end());
  values[20 * 499] = std::numeric_limits<float>::infinity();
  const absl::Status status =
      OClustRDocumentsOnGpus(MakeDenseDocuments(std::move(values), 500),
                             CosineGraphOptions(), 1)
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "499")) << status;
}

TEST_F(OClustRDistributedCudaTest, RefusesNegativeWeights) {
  const CsrGraph graph = RandomNeighborhoodGraph(100, 300, 1);
  const std::vector<int32_t> begins = {0, 40, 70, 100};
  const absl::Status status =
      RunOnThreads(3, [&](Communicator& ranks) -> absl::Status {
        if (absl::Status taken = TakeDeviceOfRank(ranks); !taken.ok()) {
          return taken;
        }
        GraphShare share = ShareOf(graph, begins, ranks.rank());
        if (ranks.rank() == 1) share.rows.weights[0] = -0.5f;
        absl::StatusOr<GraphShare> on_gpu = OnGpu(std::move(share));
        if (!on_gpu.ok()) return on_gpu.status();
        return OClustRDistributed(ranks, *std::move(on_gpu), 1).status();
      });
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
}

TEST_F(OClustRDistributedCudaTest, RefusesNegativeNumbersOfThreads) {
  const CsrGraph graph = RandomNeighborhoodGraph(100, 300, 1);
  SingleRank alone;
  const absl::StatusOr<GraphShare> share = OnGpu(ShareOf(graph, {0, 100}, 0));
  ASSERT_TRUE(share.ok()) << share.status();
  EXPECT_EQ(OClustRDistributed(alone, *share, -1).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
