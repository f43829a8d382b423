// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph on ranks that share a GPU, against the CPU, bit for bit.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/testing/case_share.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/csr/device_graph.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "graph/testing/graph_on_ranks.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_way.h"
#include "kernels/nccl/peer_exchange.h"

namespace warpclust {
namespace {

class CosineGraphDistributedCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
  void TearDown() override { SetDeviceMemoryLimit(-1); }
};

template <typename Documents>
CsrGraph OnCpu(const Documents& documents, const CosineGraphOptions& options) {
  auto graph = CosineGraph(documents, options, Device::kCpu);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : CsrGraph();
}

// From GPU to GPU; by copies through the host; without GPU memory of others;
// and by NCCL, or copies if the ranks share a GPU.
CosineExchange Way(uint32_t number) {
  CosineExchange exchange;
  if (number > 0) exchange.way = DeviceWay::kHost;
  if (number == 3) exchange.way = DeviceWay::kNccl;
  exchange.always_by_device = number == 1 || number == 3;
  return exchange;
}
CosineExchange Way(uint32_t number, PieceLimits limits) {
  CosineExchange exchange = Way(number);
  exchange.limits = limits;
  return exchange;
}

// 1 to 7 ranks.
template <typename Documents>
void ExpectSameGraph(const Documents& documents,
                     const CosineGraphOptions& options, uint32_t seed) {
  const CsrGraph whole = OnCpu(documents, options);
  CosineExchange exchange = Way(seed % 3);
  if (seed % 2 == 0) {
    exchange.limits = {static_cast<int32_t>(5 + seed % 11), 400};
  }
  for (int p = 1; p <= 7; ++p) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", " << p << " ranks");
    ExpectSameOnRanks(whole, documents, options,
                      RandomBegins(p, documents.num_documents(), seed),
                      Device::kCuda, exchange);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_F(CosineGraphDistributedCudaTest, SparseDocuments) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    RandomDocumentsOptions options;
    options.seed = seed;
    options.num_documents = seed % 5 == 0 ? static_cast<int32_t>(seed) : 150;
    options.mean_terms = 3 + seed % 20;
    options.integer_weights = seed % 2 == 0;
    options.empty_fraction = 0.1 * (seed % 3);
    CosineGraphOptions graph_options;
    graph_options.beta = Decimal{seed % 4 < 2 ? 1 : 2, 4};
    graph_options.integer_decisions = seed % 6 != 0;
    graph_options.num_threads = 1;
    ExpectSameGraph(RandomDocuments(options), graph_options, seed);
  }
}

// Pieces with terms that a block does not have, and the other way round.
TEST_F(CosineGraphDistributedCudaTest, RanksHaveDifferentTerms) {
  DocumentMatrix documents = RandomDocuments({.num_documents = 120});
  // The last third of the documents has other terms, or some of both.
  const int32_t shift = documents.num_terms;
  for (int64_t e = documents.offsets[80]; e < documents.num_entries(); ++e) {
    if (e % 3 == 0 || e + 1 == documents.num_entries() ||
        documents.terms[e + 1] < documents.terms[e]) {
      documents.terms[e] += shift;
    }
  }
  documents.num_terms = 2 * shift;
  // Ascending again.
  for (int32_t d = 80; d < 120; ++d) {
    std::sort(documents.terms.begin() + documents.offsets[d],
              documents.terms.begin() + documents.offsets[d + 1]);
  }
  CosineGraphOptions options;
  options.beta = "0.3";
  options.num_threads = 1;
  for (uint32_t seed = 0; seed < 3; ++seed) {
    ExpectSameGraph(documents, options, seed);
  }
}

TEST_F(CosineGraphDistributedCudaTest, TiesAtTheThreshold) {
  CosineGraphOptions options;
  options.beta = {1, 3};
  options.num_threads = 1;
  for (uint32_t seed = 0; seed < 3; ++seed) {
    ExpectSameGraph(NineTermDocuments(60, 1 + seed), options, seed);
  }
}

// Frequent terms that the tensor cores multiply, and long documents.
TEST_F(CosineGraphDistributedCudaTest, FrequentTerms) {
  for (const bool integers : {true, false}) {
    RandomDocumentsOptions random;
    random.num_documents = static_cast<int32_t>(9000 / CaseShare());
    random.num_terms = 300;
    random.mean_terms = 60;
    random.integer_weights = integers;
    const DocumentMatrix documents = RandomDocuments(random);
    CosineGraphOptions options;
    options.beta = "0.6";
    const CsrGraph whole = OnCpu(documents, options);
    const int32_t n = documents.num_documents();
    for (const uint32_t way : {0, 1, 2}) {
      ExpectSameOnRanks(whole, documents, options, {0, n / 2, n}, Device::kCuda,
                        Way(way));
      ExpectSameOnRanks(whole, documents, options, {0, n / 3, n / 2, n},
                        Device::kCuda, Way(way, {700, 1 << 20}));
    }
  }
}

// The upper one of two ranks joins the second half of a block that has several
// tiles of columns.
TEST_F(CosineGraphDistributedCudaTest, ManyDocuments) {
  for (const bool integers : {true, false}) {
    RandomDocumentsOptions random;
    random.num_documents = static_cast<int32_t>(230'000 / CaseShare());
    random.num_terms = 20000;
    random.mean_terms = 6;
    random.integer_weights = integers;
    const DocumentMatrix documents = RandomDocuments(random);
    CosineGraphOptions options;
    options.beta = "0.9";
    const CsrGraph whole = OnCpu(documents, options);
    const int32_t n = documents.num_documents();
    ExpectSameOnRanks(whole, documents, options, {0, n / 10, n}, Device::kCuda);
    // Here it joins a tile, which is less than half, and all its rows with
    // those of the lower one that fill no tile.
    ExpectSameOnRanks(whole, documents, options, {0, n / 2, n}, Device::kCuda);
  }
}

TEST_F(CosineGraphDistributedCudaTest, DenseDocuments) {
  uint32_t seed = 0;
  for (const DenseKind kind : kDenseKinds) {
    for (const int32_t n : {1, 70, 300}) {
      CosineGraphOptions options;
      options.beta = "0.6";
      options.num_threads = 1;
      ++seed;
      ExpectSameGraph(RandomDenseDocuments(kind, n, 12, seed), options, seed);
    }
  }
}

// Several runs of columns, of which the upper rank leaves out the first.
TEST_F(CosineGraphDistributedCudaTest, ManyDenseDocuments) {
  for (const DenseKind kind : {DenseKind::kGaussian, DenseKind::kCounts}) {
    const DenseDocuments documents = RandomDenseDocuments(
        kind, static_cast<int32_t>(20'000 / CaseShare()), 24, 5);
    CosineGraphOptions options;
    options.beta = "0.8";
    const CsrGraph whole = OnCpu(documents, options);
    const int32_t n = documents.num_documents();
    for (const uint32_t way : {0, 1, 2, 3}) {
      ExpectSameOnRanks(whole, documents, options, {0, n / 3, n}, Device::kCuda,
                        Way(way, {3000, 1 << 20}));
      ExpectSameOnRanks(whole, documents, options,
                        {0, n / 4, n / 2, n / 2 + 1, n}, Device::kCuda,
                        Way(way));
      // A rank without documents: pieces travel through the host.
      ExpectSameOnRanks(whole, documents, options, {0, n / 2, n / 2, n},
                        Device::kCuda, Way(way));
      // One piece each way, which comes to where it is joined.
      for (const int32_t lower : {n / 2, n / 2 + 1, n / 3}) {
        ExpectSameOnRanks(whole, documents, options, {0, lower, n},
                          Device::kCuda, Way(way));
      }
    }
  }
}

// The same rows, if they stay where they were built.
TEST_F(CosineGraphDistributedCudaTest, RowsStayOnGpus) {
  const DenseDocuments documents =
      RandomDenseDocuments(DenseKind::kGaussian, 300, 20, 1);
  CosineGraphOptions options;
  options.beta = "0.3";
  options.num_threads = 1;
  const CsrGraph whole = OnCpu(documents, options);
  const std::vector<int32_t> begins = {0, 90, 200, 300};
  for (const uint32_t way : {0, 1, 2}) {
    CosineExchange exchange = Way(way);
    exchange.leave_rows_on_gpus = true;
    const absl::Status status =
        RunOnThreads(3, [&](Communicator& ranks) -> absl::Status {
          const int r = ranks.rank();
          const auto share = CosineGraphDistributed(
              ranks, SliceRows(documents, begins[r], begins[r + 1]), options,
              Device::kCuda, exchange);
          if (!share.ok()) return share.status();
          // Through the hosts, they are built there.
          EXPECT_EQ(share->on_gpu == nullptr, way == 2);
          const auto rows = share->on_gpu == nullptr
                                ? absl::StatusOr<CsrGraph>(share->rows)
                                : DownloadGraph(*share->on_gpu);
          if (!rows.ok()) return rows.status();
          for (int32_t v = begins[r]; v < begins[r + 1]; ++v) {
            EXPECT_EQ(rows->NeighborsOf(v - begins[r]), whole.NeighborsOf(v));
            EXPECT_EQ(rows->WeightsOf(v - begins[r]), whole.WeightsOf(v));
          }
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok()) << status;
  }
}

// Whatever does not fit leads to uploads in parts or to a message.
TEST_F(CosineGraphDistributedCudaTest, LittleMemory) {
  const DocumentMatrix sparse = RandomDocuments({.num_documents = 400});
  const DenseDocuments dense =
      RandomDenseDocuments(DenseKind::kGaussian, 400, 20, 1);
  CosineGraphOptions options;
  options.beta = "0.5";
  options.num_threads = 1;
  int worked = 0, failed = 0;
  const auto try_limits = [&](const auto& documents, uint32_t way) {
    const CsrGraph whole = OnCpu(documents, options);
    for (int64_t limit = 1 << 23; limit >= 1 << 10; limit = limit / 4 * 3) {
      if (!TakesCase()) continue;
      SCOPED_TRACE(testing::Message() << "limit " << limit);
      SetDeviceMemoryLimit(limit);
      std::vector<GraphShare> shares(2);
      const absl::Status status = RunOnThreads(2, [&](Communicator& ranks) {
        const int r = ranks.rank();
        auto share = CosineGraphDistributed(
            ranks, SliceRows(documents, 200 * r, 200 * r + 200), options,
            Device::kCuda, Way(way, {64, 1 << 20}));
        if (share.ok()) shares[r] = *std::move(share);
        return share.status();
      });
      SetDeviceMemoryLimit(-1);
      ASSERT_EQ(DeviceMemoryInUseBytes(), 0);
      if (!status.ok()) {
        EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted)
            << status;
        ++failed;
        continue;
      }
      ++worked;
      for (int r = 0; r < 2; ++r) {
        for (int32_t v = 0; v < 200; ++v) {
          ASSERT_EQ(shares[r].rows.NeighborsOf(v),
                    whole.NeighborsOf(200 * r + v));
          ASSERT_EQ(shares[r].rows.WeightsOf(v), whole.WeightsOf(200 * r + v));
        }
      }
    }
  };
  for (const uint32_t way : {0, 1, 2}) {
    try_limits(sparse, way);
    try_limits(dense, way);
  }
  EXPECT_GT(worked, 0);
  if (CaseShare() == 1) {
    EXPECT_GT(failed, 0);
  }
}

// Pieces travel as asked.
TEST_F(CosineGraphDistributedCudaTest, TheWay) {
  const DocumentMatrix documents = RandomDocuments({.num_documents = 200});
  CosineGraphOptions options;
  options.num_threads = 1;
  const char* const expected[] = {"one process", "host memory (as asked)",
                                  "host memory"};
  for (const uint32_t way : {0, 1, 2}) {
    const absl::Status status = RunOnThreads(2, [&](Communicator& ranks) {
      const int r = ranks.rank();
      std::string found;
      const auto share = CosineGraphDistributed(
          ranks, SliceRows(documents, 100 * r, 100 * r + 100), options,
          Device::kCuda, Way(way), &found);
      EXPECT_EQ(found, expected[way]);
      return share.status();
    });
    EXPECT_TRUE(status.ok()) << status;
  }
}

// Rows go through the hosts if a rank cannot open the memory of other GPUs.
TEST_F(CosineGraphDistributedCudaTest, ARankCannotOpen) {
  const DocumentMatrix documents = RandomDocuments({.num_documents = 200});
  CosineGraphOptions options;
  options.num_threads = 1;
  const CsrGraph whole = OnCpu(documents, options);
  for (const int p : {2, 3, 4}) {
    for (const uint64_t refused : {1, 2, 15}) {
      SCOPED_TRACE(testing::Message() << p << " ranks, refused: " << refused);
      RefuseToOpenForTest(refused);
      ExpectSameOnRanks(whole, documents, options,
                        RandomBegins(p, documents.num_documents(), p),
                        Device::kCuda, Way(0));
      const absl::Status status = RunOnThreads(2, [&](Communicator& ranks) {
        const int r = ranks.rank();
        std::string found;
        const auto share = CosineGraphDistributed(
            ranks, SliceRows(documents, 100 * r, 100 * r + 100), options,
            Device::kCuda, Way(0), &found);
        EXPECT_TRUE(absl::StrContains(found, "of another host")) << found;
        return share.status();
      });
      EXPECT_TRUE(status.ok()) << status;
      RefuseToOpenForTest(0);
    }
  }
}

// Ranks on different devices find one graph.
TEST_F(CosineGraphDistributedCudaTest, MixedDevices) {
  const DocumentMatrix documents = RandomDocuments({.num_documents = 200});
  CosineGraphOptions options;
  options.num_threads = 1;
  const CsrGraph whole = OnCpu(documents, options);
  const absl::Status status = RunOnThreads(4, [&](Communicator& ranks) {
    const int r = ranks.rank();
    const auto share = CosineGraphDistributed(
        ranks, SliceRows(documents, 50 * r, 50 * r + 50), options,
        r % 2 == 0 ? Device::kCuda : Device::kCpu);
    if (!share.ok()) return share.status();
    for (int32_t v = 0; v < 50; ++v) {
      EXPECT_EQ(share->rows.NeighborsOf(v), whole.NeighborsOf(50 * r + v));
      EXPECT_EQ(share->rows.WeightsOf(v), whole.WeightsOf(50 * r + v));
    }
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace warpclust
