// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares descents on the GPU with those on the CPU: every label and I(P).

#include "algorithms/correlation/local_search/cuda/best_improvement_cuda.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/local_search/best_improvement.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

using Partition = CudaBestImprovement::Partition;

class BestImprovementCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// Everything alone, everything together, and random labels with gaps.
std::vector<Labels> SomeLabels(int32_t n, uint64_t seed, int32_t count) {
  Random random(seed);
  std::vector<Labels> all;
  for (int32_t i = 0; i < count; ++i) {
    Labels labels(n);
    const uint64_t num_labels = i == 1 ? 1 : 1 + random.Below(n);
    for (int32_t v = 0; v < n; ++v) {
      labels[v] = i == 0 ? v : static_cast<int32_t>(random.Below(num_labels));
    }
    all.push_back(std::move(labels));
  }
  return all;
}

std::vector<Partition> OnCpu(const SignedGraph& graph, int neighborhood,
                             const std::vector<Labels>& all) {
  const std::unique_ptr<LocalSearch> search = MakeLocalSearchFactory(graph)();
  BestImprovement descent(graph, neighborhood);
  std::vector<Partition> partitions;
  for (const Labels& labels : all) {
    search->Assign(labels);
    const bool complete = descent.Descend(nullptr, search.get());
    partitions.push_back({search->labels(), search->imbalance(), complete});
  }
  return partitions;
}

absl::StatusOr<std::vector<Partition>> OnGpu(const SignedGraph& graph,
                                             int neighborhood,
                                             const std::vector<Labels>& all,
                                             int64_t side_by_side, int rounds) {
  absl::StatusOr<std::unique_ptr<CudaBestImprovement>> descent =
      NewCudaBestImprovement(graph, neighborhood, side_by_side, rounds);
  if (!descent.ok()) return descent.status();
  std::vector<Partition> partitions;
  for (const Labels& labels : all) partitions.push_back({labels, 0, false});
  std::vector<Partition*> pointers;
  for (Partition& partition : partitions) pointers.push_back(&partition);
  const SearchControl control;
  // Twice: the state that the first call leaves must not matter, and a local
  // optimum stays.
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = (*descent)->Descend(control, pointers);
    if (!status.ok()) return status;
  }
  return partitions;
}

void ExpectSame(const SignedGraph& graph, int neighborhood,
                const std::vector<Labels>& all, int64_t side_by_side = 256,
                int rounds = 64) {
  const std::vector<Partition> cpu = OnCpu(graph, neighborhood, all);
  const absl::StatusOr<std::vector<Partition>> gpu =
      OnGpu(graph, neighborhood, all, side_by_side, rounds);
  ASSERT_TRUE(gpu.ok()) << gpu.status();
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ((*gpu)[i].labels, cpu[i].labels) << "partition " << i;
    EXPECT_EQ((*gpu)[i].imbalance, cpu[i].imbalance);
    EXPECT_TRUE((*gpu)[i].complete);
  }
}

TEST_F(BestImprovementCudaTest, RandomGraphs) {
  Random random(3);
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    RandomSignedGraphOptions options;
    options.num_vertices =
        1 + static_cast<int32_t>(random.Below(seed % 10 == 0 ? 700 : 60));
    options.density = 1 + static_cast<int>(random.Below(100));
    options.negative = static_cast<int>(random.Below(101));
    options.parallel = seed % 3 == 0 ? 30 : 0;
    options.max_weight = seed % 4 == 0   ? int64_t{1} << 41
                         : seed % 4 == 1 ? 5
                                         : 1;
    options.seed = seed;
    const auto side_by_side = static_cast<int64_t>(1 + random.Below(6));
    const auto rounds = static_cast<int>(1 + random.Below(20));
    if (!TakesCase()) continue;
    const SignedGraph graph = RandomSignedGraph(options);
    for (const int neighborhood : {1, 2}) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, " n ", options.num_vertices,
                                " neighborhood ", neighborhood));
      ExpectSame(graph, neighborhood, SomeLabels(options.num_vertices, seed, 5),
                 side_by_side, rounds);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(BestImprovementCudaTest, DegenerateGraphs) {
  const std::vector<std::pair<int32_t, std::vector<SignedEdge>>> graphs = {
      {1, {}},
      {2, {}},
      {2, {{0, 1, 1}}},
      {2, {{0, 1, -1}}},
      {2, {{0, 1, 3}, {0, 1, -3}}},
      {3, {{0, 1, 1}, {1, 2, 1}, {0, 2, -1}}},
      {300, {{0, 299, 1}, {5, 255, -2}, {255, 256, 1}}},
      // Sums that just fit in 32 bits, and sums that just do not.
      {4, {{0, 1, (1 << 29)}, {0, 2, -(1 << 29)}, {2, 3, 7}}},
      {4, {{0, 1, (1 << 29)}, {0, 2, -(1 << 29) - 1}, {2, 3, 7}}},
      {3,
       {{0, 1, int64_t{1} << 58},
        {0, 2, -(int64_t{1} << 58)},
        {1, 2, int64_t{1} << 57}}}};
  for (size_t i = 0; i < graphs.size(); ++i) {
    SCOPED_TRACE(absl::StrCat("graph ", i));
    const absl::StatusOr<SignedGraph> graph =
        BuildSignedGraph(graphs[i].first, graphs[i].second);
    ASSERT_TRUE(graph.ok()) << graph.status();
    for (const int neighborhood : {1, 2}) {
      ExpectSame(*graph, neighborhood, SomeLabels(graphs[i].first, 5, 4));
    }
  }
}

// The matrices have columns for one cluster and a few to spare; the descent
// founds one per vertex.
TEST_F(BestImprovementCudaTest, DescentsFoundMoreClustersThanThereWere) {
  constexpr int32_t kVertices = 100;
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < kVertices; ++v) {
    for (int32_t u = 0; u < v; ++u) edges.push_back({u, v, -1});
  }
  const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(kVertices, edges);
  ASSERT_TRUE(graph.ok()) << graph.status();
  for (const int neighborhood : {1, 2}) {
    ExpectSame(*graph, neighborhood, {Labels(kVertices, 0)});
  }
}

// More vertices than the paper's 48 KiB of shared memory hold, and a hub.
TEST_F(BestImprovementCudaTest, ManyVertices) {
  const auto vertices = static_cast<int32_t>(ShareOf(20000, 13000));
  Random random(5);
  std::vector<SignedEdge> edges;
  Labels labels(vertices);
  for (int32_t v = 1; v < vertices; ++v) {
    labels[v] = v % 7;
    edges.push_back({v % 3 == 0 ? 0 : static_cast<int32_t>(random.Below(v)), v,
                     random.Below(3) == 0 ? -1 : 1});
  }
  const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(vertices, edges);
  ASSERT_TRUE(graph.ok()) << graph.status();
  ExpectSame(*graph, 1, {labels});
}

TEST_F(BestImprovementCudaTest, AStopLeavesPartitions) {
  RandomSignedGraphOptions options;
  options.num_vertices = 600;
  options.density = 20;
  const SignedGraph graph = RandomSignedGraph(options);
  const absl::StatusOr<std::unique_ptr<CudaBestImprovement>> descent =
      NewCudaBestImprovement(graph, 1, /*side_by_side=*/1, /*rounds=*/2);
  ASSERT_TRUE(descent.ok()) << descent.status();
  Partition a;
  Partition b;
  for (int32_t v = 0; v < 600; ++v) a.labels.push_back(v);
  b.labels = a.labels;
  SearchControl control;
  control.RequestStop();
  const absl::Status status =
      (*descent)->Descend(control, std::vector<Partition*>{&a, &b});
  ASSERT_TRUE(status.ok()) << status;
  for (const Partition* partition : {&a, &b}) {
    EXPECT_FALSE(partition->complete);
    EXPECT_EQ(partition->imbalance, Imbalance(graph, partition->labels));
  }
}

// Fewer partitions side by side.
TEST_F(BestImprovementCudaTest, EachAllocationFails) {
  RandomSignedGraphOptions options;
  options.num_vertices = 150;
  const SignedGraph graph = RandomSignedGraph(options);
  const std::vector<Labels> all = SomeLabels(150, 9, 12);
  for (const int neighborhood : {1, 2}) {
    if (!TakesCase()) continue;
    ExpectLittleMemoryHolds(
        "150 vertices", 4,
        [&] { return OnGpu(graph, neighborhood, all, 256, 64); },
        [](const auto& a, const auto& b) {
          return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                            [](const Partition& x, const Partition& y) {
                              return x.labels == y.labels &&
                                     x.imbalance == y.imbalance;
                            });
        });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpclust
