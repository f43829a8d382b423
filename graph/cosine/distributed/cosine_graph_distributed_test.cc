// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/cosine_graph_distributed.h"

#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "base/communicator/thread_ranks.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cpu/cosine_list_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/cosine_probe_oracle.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "graph/testing/graph_on_ranks.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int kMostRanks = 7;

// The rows of all shares against the graph of one process.
template <typename Documents>
void ExpectSameGraph(const Documents& documents,
                     const CosineGraphOptions& options, uint32_t seed) {
  const auto whole = CosineGraph(documents, options, Device::kCpu);
  ASSERT_TRUE(whole.ok()) << whole.status();
  CosineExchange exchange;
  if (seed % 2 == 0) {
    exchange.limits = {static_cast<int32_t>(1 + seed % 11), 40};
  }
  for (int p = 1; p <= kMostRanks; ++p) {
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", " << p << " ranks");
    ExpectSameOnRanks(*whole, documents, options,
                      RandomBegins(p, documents.num_documents(), seed),
                      Device::kCpu, exchange);
  }
}

TEST(CosineGraphDistributedTest, SparseDocuments) {
  for (uint32_t seed = 0; seed < 24; ++seed) {
    RandomDocumentsOptions options;
    options.seed = seed;
    options.num_documents = seed % 5 == 0 ? static_cast<int32_t>(seed) : 150;
    options.mean_terms = 3 + seed % 20;
    options.integer_weights = seed % 2 == 0;
    options.empty_fraction = 0.1 * (seed % 3);
    CosineGraphOptions graph_options;
    graph_options.beta = Decimal{seed % 4 < 2 ? 1 : 2, 4};
    graph_options.integer_decisions = seed % 6 != 0;
    graph_options.num_threads = 1 + seed % 2;
    ExpectSameGraph(RandomDocuments(options), graph_options, seed);
  }
}

// Few documents share a term, so ranks join by term lists; with a block of many
// equal ones, one rank by tiles.
TEST(CosineGraphDistributedTest, DocumentsOfRareTerms) {
  for (uint32_t seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    std::vector<DocumentEntries> rows;
    for (int32_t d = 0; d < 1500; ++d) {
      // Some have a term of their own, others one of two documents.
      const auto own = static_cast<int32_t>(random() % 2 == 0 ? d : d / 2);
      rows.push_back({{own, 1.0f},
                      {2000 + static_cast<int32_t>(random() % 300),
                       0.1f * static_cast<float>(1 + random() % 4)}});
    }
    if (seed % 2 == 1) {
      for (int32_t d = 0; d < 400; ++d) {
        rows.push_back({{5, 1.0f}, {2000 + d % 3, 0.3f}});
      }
    }
    const DocumentMatrix documents = MakeDocuments(2300, rows);
    CosineGraphOptions options;
    options.beta = "0.8";
    options.num_threads = 1 + static_cast<int>(seed % 2);
    CosineProbeOptions probe_options;
    probe_options.beta = options.beta;
    ASSERT_NE(CosineListProbe::MakeIfCheaper(DocumentRows(documents, 0, 1000),
                                             probe_options),
              nullptr);
    ExpectSameGraph(documents, options, seed);
  }
}

// A third of all pairs has a cosine of exactly 1/3.
TEST(CosineGraphDistributedTest, TiesAtTheThreshold) {
  CosineGraphOptions options;
  options.beta = {1, 3};
  options.num_threads = 1;
  for (uint32_t seed = 0; seed < 6; ++seed) {
    ExpectSameGraph(NineTermDocuments(60, 1 + seed), options, seed);
  }
}

// One rank alone has weights that are no integers, or too large ones: all
// decide in double.
TEST(CosineGraphDistributedTest, OneRankDecidesForAll) {
  for (const float weight : {0.3f, 16777215.0f}) {
    DocumentMatrix documents = NineTermDocuments(60, 3);
    documents.weights.back() = weight;
    CosineGraphOptions options;
    options.beta = Decimal{333333333, 1000000000};
    options.num_threads = 1;
    for (uint32_t seed = 0; seed < 3; ++seed) {
      ExpectSameGraph(documents, options, seed);
    }
  }
}

TEST(CosineGraphDistributedTest, DenseDocuments) {
  uint32_t seed = 0;
  for (const DenseKind kind : kDenseKinds) {
    for (const int32_t n : {1, 70}) {
      CosineGraphOptions options;
      options.beta = "0.6";
      options.num_threads = 1;
      ++seed;
      ExpectSameGraph(RandomDenseDocuments(kind, n, 12, seed), options, seed);
    }
  }
}

TEST(CosineGraphDistributedTest, Errors) {
  const auto status_of = [](const auto& documents_of, const Decimal& beta) {
    return RunOnThreads(3, [&](Communicator& ranks) {
      CosineGraphOptions options;
      options.beta = beta;
      return CosineGraphDistributed(ranks, documents_of(ranks.rank()), options)
          .status();
    });
  };
  const auto nine_terms = [](int) { return NineTermDocuments(5, 1); };
  EXPECT_TRUE(status_of(nine_terms, "0.5").ok());
  EXPECT_EQ(status_of(nine_terms, "2").code(),
            absl::StatusCode::kInvalidArgument);
  const absl::Status bad = status_of(
      [](int rank) {
        DocumentMatrix documents = NineTermDocuments(5, 1);
        if (rank > 0) documents.weights[7] = -1;
        return documents;
      },
      "0.5");
  EXPECT_EQ(bad.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(bad.message().substr(0, 11), "rank 1 of 3") << bad;
  const absl::Status unequal = status_of(
      [](int rank) {
        return RandomDenseDocuments(DenseKind::kGaussian, 5, 4 + rank % 2, 1);
      },
      "0.5");
  EXPECT_EQ(unequal.code(), absl::StatusCode::kInvalidArgument);
}

// A rank's share of the pairs is expected to take as long as that of others,
// and less with more ranks.
TEST(CosineGraphDistributedTest, ExpectedSeconds) {
  const DocumentMatrix documents = RandomDocuments({.num_documents = 6000});
  double before = 1e9;
  for (const int p : {1, 2, 5}) {
    std::vector<ExpectedSeconds> expected(p);
    const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
      CosineGraphOptions options;
      options.num_threads = 1;
      const auto found =
          ExpectCosineGraph(ranks,
                            SliceRows(documents, 6000 * ranks.rank() / p,
                                      6000 * (ranks.rank() + 1) / p),
                            options);
      if (found.ok()) expected[ranks.rank()] = *found;
      return found.status();
    });
    ASSERT_TRUE(status.ok()) << status;
    for (const ExpectedSeconds& seconds : expected) {
      EXPECT_EQ(seconds.cpu, expected[0].cpu);
      EXPECT_EQ(seconds.cuda, expected[0].cuda);
    }
    EXPECT_LT(expected[0].cpu, before);
    before = expected[0].cpu;
  }
}

// What the header says of the volume, on as many ranks as a large job has.
TEST(CosineGraphDistributedTest, BytesSent) {
  constexpr int kRanks = 16;
  const DocumentMatrix documents = RandomDocuments({.num_documents = 1600});
  CosineGraphOptions options;
  options.beta = "0.9";
  options.num_threads = 1;
  int64_t entries = 0;
  std::vector<int64_t> sent;
  const absl::Status status = RunOnThreads(
      kRanks,
      [&](Communicator& ranks) {
        const auto share = CosineGraphDistributed(
            ranks,
            SliceRows(documents, 100 * ranks.rank(), 100 * ranks.rank() + 100),
            options, Device::kCpu);
        if (ranks.rank() == 0) entries = share->rows.neighbors.size();
        return share.status();
      },
      &sent);
  ASSERT_TRUE(status.ok()) << status;
  // The last of 8 steps sends half of the blocks of ranks from 8 on.
  const int64_t block_bytes = 8 * documents.offsets[100] + 4 * 101;
  EXPECT_GE(sent[0], 8 * block_bytes);
  EXPECT_LE(sent[0], 8 * block_bytes + 8 * 8 * 100 + 8 * entries + 20000);
}

}  // namespace
}  // namespace warpclust
