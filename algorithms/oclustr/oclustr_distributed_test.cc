// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_distributed.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/testing/oclustr_on_ranks.h"
#include "base/communicator/thread_ranks.h"
#include "graph/stars/covering.h"
#include "graph/stars/distributed/halo_graph.h"
#include "graph/stars/distributed/stars_distributed.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

void ExpectSameClusters(const CsrGraph& graph, int num_ranks, uint32_t seed) {
  SCOPED_TRACE(testing::Message()
               << "seed " << seed << ", " << num_ranks << " ranks");
  const absl::StatusOr<OClustRResult> expected =
      OClustR(graph, {Device::kCpu, /*num_threads=*/1});
  ASSERT_TRUE(expected.ok()) << expected.status();
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
  const std::vector<int32_t> all_centers = InitialCenters(graph, *table, 1);
  const std::vector<int32_t> begins =
      RandomBlocks(num_ranks, graph.num_vertices(), seed);
  const absl::Status status =
      RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
        const int rank = ranks.rank();
        // The stages, on the rank's own vertices.
        const absl::StatusOr<HaloGraph> halo =
            MakeHaloGraph(ranks, ShareOf(graph, begins, rank), rank % 3);
        const absl::StatusOr<RelevanceTable> mine =
            RelevancesDistributed(ranks, *halo, 1);
        if (!mine.ok()) return mine.status();
        for (int32_t v = 0; v < mine->num_vertices(); ++v) {
          const int32_t whole = halo->VertexOf(v);
          EXPECT_EQ(mine->degrees[v], table->degrees[whole]);
          EXPECT_EQ(mine->weight_sums[v], table->weight_sums[whole]);
          EXPECT_EQ(mine->counts[v], table->counts[whole]);
        }
        const absl::StatusOr<std::vector<int32_t>> centers =
            InitialCentersDistributed(ranks, *halo, *mine, 1);
        EXPECT_EQ(*centers,
                  std::vector<int32_t>(
                      std::lower_bound(all_centers.begin(), all_centers.end(),
                                       begins[rank]),
                      std::lower_bound(all_centers.begin(), all_centers.end(),
                                       begins[rank + 1])));
        // All of it.
        const absl::StatusOr<OClustRResult> result =
            OClustRDistributed(ranks, ShareOf(graph, begins, rank), 1);
        if (!result.ok()) return result.status();
        ExpectSameResult(*expected, *result, ranks);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(OClustRDistributedTest, RandomGraphs) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    ExpectSameClusters(RandomGraph(seed), 1 + seed % 7, seed);
  }
}

// Rows that rank 0 asks for one by one, and many at a time.
TEST(OClustRDistributedTest, LargerGraphs) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    ExpectSameClusters(RandomNeighborhoodGraph(2000, 3000 + 10000 * seed, seed),
                       1 + seed % 7, seed);
    ExpectSameClusters(OverlappingStarsGraph(60, 600, seed), 7 - seed % 7,
                       seed);
  }
}

// The largest weight, which is of one rank, sets the scale of all.
TEST(OClustRDistributedTest, WeightsAboveOne) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    CsrGraph graph = RandomNeighborhoodGraph(100, 300, seed);
    const int32_t v = static_cast<int32_t>(seed);
    for (int32_t u = 0; u < graph.num_vertices(); ++u) {
      for (int64_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e) {
        if (u == v || graph.neighbors[e] == v) graph.weights[e] *= 1000;
      }
    }
    ExpectSameClusters(graph, 4, seed);
  }
}

TEST(OClustRDistributedTest, Errors) {
  const CsrGraph graph = RandomNeighborhoodGraph(100, 300, 1);
  const std::vector<int32_t> begins = {0, 40, 70, 100};
  const auto status_of = [&](int num_threads, float weight) {
    return RunOnThreads(3, [&](Communicator& ranks) {
      GraphShare share = ShareOf(graph, begins, ranks.rank());
      if (ranks.rank() == 1) share.rows.weights[0] = weight;
      return OClustRDistributed(ranks, std::move(share), num_threads).status();
    });
  };
  EXPECT_TRUE(status_of(1, 0.5f).ok());
  EXPECT_EQ(status_of(-1, 0.5f).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status_of(1, -0.5f).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
