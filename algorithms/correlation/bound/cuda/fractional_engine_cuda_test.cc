// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/bound/engine/agreeing_edges.h"
#include "algorithms/correlation/bound/engine/fractional_engine.h"
#include "algorithms/correlation/bound/fractional_packing.h"
#include "algorithms/correlation/bound/imbalance_bound.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

class FractionalEngineCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  }
};

SignedGraph MakeGraph(int32_t n, int density, int64_t largest, uint64_t seed) {
  RandomSignedGraphOptions options;
  options.num_vertices = n;
  options.density = density;
  options.max_weight = largest;
  options.seed = seed;
  return RandomSignedGraph(options);
}

// Two hubs with more neighbors than a warp has lanes, many times.
SignedGraph MakeHubs() {
  std::vector<SignedEdge> edges;
  Random random(7);
  for (int32_t v = 2; v < 3002; ++v) edges.push_back({0, v, v % 3 ? 1 : -1});
  for (int32_t v = 2; v < 2002; ++v) edges.push_back({1, v, v % 2 ? 1 : -1});
  for (int32_t i = 0; i < 4000; ++i) {
    const auto u = static_cast<int32_t>(2 + random.Below(1500));
    edges.push_back({u, u + 1 + static_cast<int32_t>(random.Below(1500)),
                     random.Below(3) == 0 ? -1 : 1});
  }
  return *BuildSignedGraph(3100, edges);
}

Labels MakeLabels(const SignedGraph& graph, int count, uint64_t seed) {
  Random random(seed);
  Labels labels(graph.num_vertices());
  for (int32_t& label : labels) {
    label = static_cast<int32_t>(random.Below(count));
  }
  return labels;
}

FractionalProblem MakeProblem(const AgreeingEdges& edges) {
  FractionalProblem problem = {edges, {}, {}};
  for (size_t i = 0; i < edges.pairs.size(); ++i) {
    problem.capacities.push_back(static_cast<float>(edges.pairs[i].left) / 3);
    if (!edges.pairs[i].agrees) {
      problem.demands.push_back(static_cast<int32_t>(i));
    }
  }
  return problem;
}

// Both engines find the same paths and make the same steps.
void ExpectSame(const SignedGraph& graph, const Labels& labels, uint64_t seed) {
  const AgreeingEdges edges(graph, labels);
  const FractionalProblem problem = MakeProblem(edges);
  const std::unique_ptr<FractionalEngine> cpu =
      NewFractionalEngineCpu(problem, 2, nullptr);
  const absl::StatusOr<std::unique_ptr<FractionalEngine>> cuda =
      NewFractionalEngineCuda(problem, nullptr);
  ASSERT_TRUE(cuda.ok()) << cuda.status();
  Random random(seed);
  FoundPaths found;
  for (const int64_t max_visits : {3, 50, 3'000, 48'000}) {
    for (const int kinds : {1, 3, 1000}) {
      SCOPED_TRACE(absl::StrCat("visits ", max_visits, " prices ", kinds));
      std::vector<float> prices(edges.pairs.size());
      for (float& price : prices) {
        // With 1 kind all are 0; few kinds make ties.
        price = static_cast<float>(random.Below(kinds)) / 700;
      }
      std::vector<float> limits(problem.demands.size());
      for (float& limit : limits) {
        limit = 1 - static_cast<float>(random.Below(12)) / 10;
      }
      FoundPaths expected;
      ASSERT_TRUE(cpu->FindPaths(prices, limits, max_visits, &expected).ok());
      const absl::Status status =
          (*cuda)->FindPaths(prices, limits, max_visits, &found);
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_EQ(found.visits, expected.visits);
      EXPECT_EQ(found.offsets, expected.offsets);
      EXPECT_EQ(found.pairs, expected.pairs);
    }
  }
  // Each path as often as it takes for pairs with many uses.
  CyclePool pool;
  for (size_t d = 0; d < problem.demands.size(); ++d) {
    for (uint64_t copy = 0; copy <= d % 5; ++copy) {
      for (int64_t i = found.offsets[d]; i < found.offsets[d + 1]; ++i) {
        pool.pairs.push_back(found.pairs[i]);
      }
      if (found.offsets[d] == found.offsets[d + 1]) continue;
      pool.offsets.push_back(static_cast<int64_t>(pool.pairs.size()));
    }
    pool.first.push_back(static_cast<int64_t>(pool.offsets.size()) - 1);
  }
  pool.use_offsets.assign(edges.pairs.size() + 1, 0);
  for (size_t i = 0; i < edges.pairs.size(); ++i) {
    for (size_t c = 0; c + 1 < pool.offsets.size(); ++c) {
      for (int64_t k = pool.offsets[c]; k < pool.offsets[c + 1]; ++k) {
        if (pool.pairs[k] == static_cast<int32_t>(i)) {
          pool.uses.push_back(static_cast<int32_t>(c));
        }
      }
    }
    pool.use_offsets[i + 1] = static_cast<int64_t>(pool.uses.size());
  }
  CycleFlows flows;
  for (size_t c = 0; c + 1 < pool.offsets.size(); ++c) {
    flows.flow.push_back(static_cast<float>(random.Below(100)) / 70);
  }
  for (size_t d = 0; d < problem.demands.size(); ++d) {
    flows.worths.push_back(static_cast<float>(random.Below(100)) / 130);
  }
  flows.prices.assign(edges.pairs.size(), 0.1F);
  CycleFlows expected = flows;
  ASSERT_TRUE(cpu->Improve(pool, 60, &expected).ok());
  const absl::Status status = (*cuda)->Improve(pool, 60, &flows);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(flows.flow, expected.flow);
  EXPECT_EQ(flows.worths, expected.worths);
  EXPECT_EQ(flows.prices, expected.prices);
}

TEST_F(FractionalEngineCudaTest, EqualsTheCpu) {
  struct Case {
    int32_t n;
    int density;
    int64_t largest;
    int clusters;
  };
  for (const Case& c :
       {Case{1, 100, 1, 1}, Case{2, 100, 1, 1}, Case{5, 80, 1, 2},
        Case{40, 30, 1, 3}, Case{40, 100, 1, 1}, Case{90, 8, 9, 2},
        Case{150, 20, 1, 1}, Case{250, 6, 1, 4},
        Case{120, 50, int64_t{1} << 40, 3}}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(
          absl::StrCat("n ", c.n, " density ", c.density, " seed ", seed));
      const SignedGraph graph = MakeGraph(c.n, c.density, c.largest, seed);
      ExpectSame(graph, MakeLabels(graph, c.clusters, seed), seed);
    }
  }
}

TEST_F(FractionalEngineCudaTest, Hubs) {
  const SignedGraph graph = MakeHubs();
  ExpectSame(graph, Labels(graph.num_vertices(), 0), 5);
  ExpectSame(graph, MakeLabels(graph, 2, 6), 6);
}

FractionalPacking Pack(const AgreeingEdges& edges, Device device) {
  std::vector<int64_t> capacities;
  for (const SignedPair& pair : edges.pairs) capacities.push_back(pair.left);
  const absl::StatusOr<FractionalPacking> packing = PackFractions(
      edges, capacities, {},
      {.rounds = 8, .steps = 40, .max_visits = 10'000'000, .device = device},
      nullptr);
  EXPECT_TRUE(packing.ok()) << packing.status();
  return packing.ok() ? *packing : FractionalPacking();
}

void ExpectSamePacking(const FractionalPacking& a, const FractionalPacking& b) {
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.parts, b.parts);
  ASSERT_EQ(a.cycles.size(), b.cycles.size());
  for (size_t c = 0; c < a.cycles.size(); ++c) {
    ASSERT_EQ(a.cycles[c].weight, b.cycles[c].weight);
    ASSERT_EQ(a.cycles[c].contradicting, b.cycles[c].contradicting);
    ASSERT_EQ(a.cycles[c].path, b.cycles[c].path);
  }
}

TEST_F(FractionalEngineCudaTest, PackingsAreTheSame) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const SignedGraph graph =
        MakeGraph(200, 10, seed % 2 == 0 ? 1 : 1000, seed);
    const AgreeingEdges edges(graph, MakeLabels(graph, 3, seed));
    const FractionalPacking cpu = Pack(edges, Device::kCpu);
    EXPECT_GT(cpu.total, 0);
    ExpectSamePacking(Pack(edges, Device::kCuda), cpu);
  }
}

// The CPU continues if memory runs out.
TEST_F(FractionalEngineCudaTest, LittleMemory) {
  const SignedGraph graph = MakeGraph(100, 20, 1, 3);
  const AgreeingEdges edges(graph, MakeLabels(graph, 3, 3));
  const FractionalPacking cpu = Pack(edges, Device::kCpu);
  for (const int64_t limit : {0, 2'000, 20'000, 100'000, 400'000, 2'000'000,
                              10'000'000, 100'000'000}) {
    SCOPED_TRACE(limit);
    SetDeviceMemoryLimit(DeviceMemoryInUseBytes() + limit);
    const FractionalPacking packing = Pack(edges, Device::kCuda);
    SetDeviceMemoryLimit(-1);
    ExpectSamePacking(packing, cpu);
  }
}

TEST_F(FractionalEngineCudaTest, BoundsAreTheSame) {
  const SignedGraph graph = MakeHubs();
  const Labels labels(graph.num_vertices(), 0);
  const absl::StatusOr<ImbalanceBound> cpu =
      BoundImbalance(graph, labels, nullptr, 2, Device::kCpu);
  ASSERT_TRUE(cpu.ok()) << cpu.status();
  const absl::StatusOr<ImbalanceBound> cuda =
      BoundImbalance(graph, labels, nullptr, 2, Device::kCuda);
  ASSERT_TRUE(cuda.ok()) << cuda.status();
  EXPECT_EQ(cuda->bound, cpu->bound);
  EXPECT_EQ(cuda->packing.parts, cpu->packing.parts);
  EXPECT_EQ(cuda->packing.weights, cpu->packing.weights);
  EXPECT_EQ(cuda->packing.offsets, cpu->packing.offsets);
  EXPECT_EQ(cuda->packing.vertices, cpu->packing.vertices);
}

}  // namespace
}  // namespace warpclust
