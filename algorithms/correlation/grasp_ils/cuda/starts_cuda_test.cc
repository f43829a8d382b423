// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares starts on the GPU with those on the CPU: every I(P) and every label.

#include "algorithms/correlation/grasp_ils/cuda/starts_cuda.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/grasp_ils/starts/starts.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
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

using internal::CudaStartTuning;
using Sums = CudaStartTuning::Sums;

constexpr CorrelationMethod kMethods[] = {
    CorrelationMethod::kSeqGrasp, CorrelationMethod::kSeqIls,
    CorrelationMethod::kGraspCudaVnd, CorrelationMethod::kIlsCudaVnd};

class StartsCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

CorrelationOptions Options(CorrelationMethod method, uint64_t seed) {
  CorrelationOptions options;
  options.method = method;
  options.seed = seed;
  options.num_threads = 2;
  // Long enough to succeed, fail, undo and climb.
  options.ils_iterations = 3;
  options.perturbation_max = 6;
  return options;
}

std::vector<StartResult> Made(
    absl::StatusOr<std::unique_ptr<StartRunner>> runner, int64_t begin,
    int64_t end) {
  EXPECT_TRUE(runner.ok()) << runner.status();
  if (!runner.ok()) return {};
  EXPECT_GE((*runner)->batch(), 1);
  SearchControl control;
  absl::StatusOr<std::vector<StartResult>> made =
      (*runner)->Run(begin, end, control);
  EXPECT_TRUE(made.ok()) << made.status();
  if (!made.ok()) return {};
  return *std::move(made);
}

// Starts [begin, end) are the same one after the other and side by side.
void ExpectSame(const SignedGraph& graph, const CorrelationOptions& options,
                const CudaStartTuning& tuning, int64_t begin, int64_t end) {
  const std::vector<StartResult> cpu =
      Made(NewCpuStartRunner(graph, options), begin, end);
  const std::vector<StartResult> cuda =
      Made(internal::NewCudaStartRunner(graph, options, tuning), begin, end);
  ASSERT_EQ(cpu.size(), cuda.size());
  int64_t best = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < cpu.size(); ++i) {
    ASSERT_EQ(cpu[i].imbalance, cuda[i].imbalance) << "start " << begin + i;
    EXPECT_FALSE(cuda[i].aborted);
    // The results that may be read are there.
    if (cuda[i].imbalance < best) {
      best = cuda[i].imbalance;
      ASSERT_EQ(cpu[i].labels, cuda[i].labels) << "start " << begin + i;
    }
  }
}

void ExpectSameWithAllMethods(const SignedGraph& graph, uint64_t seed,
                              const CudaStartTuning& tuning,
                              int64_t starts = 5) {
  for (const CorrelationMethod method : kMethods) {
    SCOPED_TRACE(CorrelationMethodName(method));
    ExpectSame(graph, Options(method, seed), tuning, seed % 3,
               seed % 3 + starts);
  }
}

SignedGraph Built(int32_t num_vertices, const std::vector<SignedEdge>& edges) {
  absl::StatusOr<SignedGraph> graph = BuildSignedGraph(num_vertices, edges);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST_F(StartsCudaTest, RandomGraphs) {
  Random random(1);
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    if (!TakesCase()) continue;
    RandomSignedGraphOptions options;
    options.num_vertices =
        1 + static_cast<int32_t>(random.Below(seed % 10 == 0 ? 300 : 40));
    options.density = 1 + static_cast<int>(random.Below(100));
    options.negative = static_cast<int>(random.Below(101));
    options.parallel = seed % 3 == 0 ? 30 : 0;
    options.max_weight = seed % 4 == 0   ? int64_t{1} << 45
                         : seed % 4 == 1 ? 5
                                         : 1;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    CudaStartTuning tuning;
    tuning.sums = seed % 2 == 0 ? Sums::kHash : Sums::kDirect;
    tuning.threads = 64 << random.Below(4);
    // Starts share a workspace one after the other, and slices end inside them.
    tuning.workspaces = 1 + static_cast<int64_t>(random.Below(6));
    tuning.slice_seconds = random.Below(2) == 0 ? 1e-4 : 0.02;
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", n " << options.num_vertices
                 << ", density " << options.density << ", negative "
                 << options.negative << ", threads " << tuning.threads
                 << ", workspaces " << tuning.workspaces);
    ExpectSameWithAllMethods(graph, seed, tuning);
    if (HasFatalFailure()) return;
  }
}

// The automatic choices, and a batch of more than one wave.
TEST_F(StartsCudaTest, ManyStartsSideBySide) {
  for (const int density : {2, 60}) {
    if (!TakesCase()) continue;
    RandomSignedGraphOptions options;
    options.num_vertices = 150;
    options.density = density;
    const SignedGraph graph = RandomSignedGraph(options);
    for (const CorrelationMethod method : kMethods) {
      const bool ils = IsIls(method);
      ExpectSame(graph, Options(method, 7), CudaStartTuning(), ils ? 0 : 10,
                 ils ? ShareOf(140, 10) : 10 + ShareOf(700, 20));
    }
  }
}

TEST_F(StartsCudaTest, RunsFollowEachOther) {
  RandomSignedGraphOptions random;
  random.num_vertices = 80;
  const SignedGraph graph = RandomSignedGraph(random);
  for (const Sums sums : {Sums::kHash, Sums::kDirect}) {
    const CorrelationOptions options = Options(CorrelationMethod::kGrasp, 3);
    CudaStartTuning tuning;
    tuning.sums = sums;
    tuning.workspaces = 4;
    const std::vector<StartResult> cpu =
        Made(NewCpuStartRunner(graph, options), 0, 12);
    const absl::StatusOr<std::unique_ptr<StartRunner>> runner =
        internal::NewCudaStartRunner(graph, options, tuning);
    ASSERT_TRUE(runner.ok()) << runner.status();
    SearchControl control;
    for (int64_t start = 0; start < 12; start += 3) {
      const absl::StatusOr<std::vector<StartResult>> made =
          (*runner)->Run(start, start + 3, control);
      ASSERT_TRUE(made.ok()) << made.status();
      ASSERT_EQ(made->size(), 3u);
      for (int64_t i = 0; i < 3; ++i) {
        EXPECT_EQ((*made)[i].imbalance, cpu[start + i].imbalance);
      }
      EXPECT_EQ(made->front().labels, cpu[start].labels);
    }
    const absl::StatusOr<std::vector<StartResult>> none =
        (*runner)->Run(5, 5, control);
    ASSERT_TRUE(none.ok());
    EXPECT_TRUE(none->empty());
  }
}

TEST_F(StartsCudaTest, DegenerateGraphs) {
  const std::vector<SignedGraph> graphs = {
      Built(0, {}), Built(1, {}), Built(2, {}), Built(2, {{0, 1, 1}}),
      Built(2, {{0, 1, -1}}), Built(2, {{0, 1, 3}, {0, 1, -3}}), Built(33, {}),
      Built(33, {{0, 32, 1}, {5, 31, -2}, {31, 32, 1}}),
      // Sums that just fit in 32 bits, and sums that just do not.
      Built(4, {{0, 1, (1 << 29)}, {0, 2, -(1 << 29)}, {2, 3, 7}}),
      Built(4, {{0, 1, (1 << 29)}, {0, 2, -(1 << 29) - 1}, {2, 3, 7}}),
      Built(3, {{0, 1, int64_t{1} << 58},
                {0, 2, -(int64_t{1} << 58)},
                {1, 2, int64_t{1} << 57}})};
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const Sums sums : {Sums::kHash, Sums::kDirect, Sums::kChosen}) {
      SCOPED_TRACE(testing::Message() << "graph " << i);
      CudaStartTuning tuning;
      tuning.sums = sums;
      ExpectSameWithAllMethods(graphs[i], 4, tuning);
    }
  }
}

// Hubs whose neighbors are all in clusters of their own, or in one.
TEST_F(StartsCudaTest, Stars) {
  const auto leaves = static_cast<int32_t>(ShareOf(5000, 1100));
  for (const int kind : {0, 1, 2}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(testing::Message() << "kind " << kind);
    std::vector<SignedEdge> edges;
    for (int32_t leaf = 1; leaf <= leaves; ++leaf) {
      const int64_t sign = kind == 0 ? -1 : kind == 1 ? 1 : leaf % 2 ? 1 : -1;
      edges.push_back({0, leaf, sign * (1 + leaf % 3)});
      if (kind == 2 && leaf < leaves) {
        edges.push_back({leaf, leaf + 1, leaf % 7 < 4 ? 2 : -1});
      }
    }
    ExpectSameWithAllMethods(Built(leaves + 1, edges), 11, CudaStartTuning(),
                             2);
  }
}

// Sets too large for shared memory, and more than one row of their summaries.
TEST_F(StartsCudaTest, ManyVertices) {
  const auto vertices = static_cast<int32_t>(ShareOf(300000, 40000));
  Random random(5);
  std::vector<SignedEdge> edges;
  for (int32_t v = 1; v < vertices; ++v) {
    if (random.Below(4) == 0) continue;
    edges.push_back({static_cast<int32_t>(random.Below(v)), v,
                     random.Below(3) == 0 ? -1 : 1});
  }
  const SignedGraph graph = Built(vertices, edges);
  CorrelationOptions options = Options(CorrelationMethod::kGrasp, 2);
  ExpectSame(graph, options, CudaStartTuning(), 0, 2);
  options.method = CorrelationMethod::kIls;
  options.ils_iterations = 1;
  options.perturbation_max = 2;
  ExpectSame(graph, options, CudaStartTuning(), 0, 1);
}

TEST_F(StartsCudaTest, OtherOptions) {
  RandomSignedGraphOptions random;
  random.num_vertices = 40;
  const SignedGraph graph = RandomSignedGraph(random);
  for (const double alpha : {0.0, 0.3, 1.0}) {
    for (const int neighborhood : {1, 2}) {
      if (!TakesCase()) continue;
      for (const CorrelationMethod method : kMethods) {
        if (!IsIls(method)) continue;
        CorrelationOptions options = Options(method, 9);
        options.alpha = alpha;
        options.neighborhood = neighborhood;
        ExpectSame(graph, options, CudaStartTuning(), 0, 6);
      }
    }
  }
}

TEST_F(StartsCudaTest, StoppedRunsReturnWhatTheyHave) {
  RandomSignedGraphOptions random;
  random.num_vertices = 2000;
  random.density = 5;
  const SignedGraph graph = RandomSignedGraph(random);
  for (const CorrelationMethod method : kMethods) {
    for (const double seconds : {1e-9, 0.002, 0.03}) {
      CorrelationOptions options = Options(method, 1);
      options.perturbation_max = int64_t{1} << 40;  // It would never end.
      const absl::StatusOr<std::unique_ptr<StartRunner>> runner =
          NewCudaStartRunner(graph, options);
      ASSERT_TRUE(runner.ok()) << runner.status();
      SearchControl control(seconds);
      const absl::StatusOr<std::vector<StartResult>> made =
          (*runner)->Run(0, IsIls(method) ? 5 : 5000, control);
      ASSERT_TRUE(made.ok()) << made.status();
      EXPECT_TRUE(control.ShouldStop());
      // A tool may make one slice last longer.
      EXPECT_LT(control.seconds(), CaseShare() == 1 ? 5 : 500);
      EXPECT_TRUE(made->back().aborted);
      const auto best =
          std::min_element(made->begin(), made->end(),
                           [](const StartResult& a, const StartResult& b) {
                             return a.imbalance < b.imbalance;
                           });
      ASSERT_EQ(best->labels.size(), 2000u);
      for (const int32_t label : best->labels) {
        ASSERT_GE(label, 0);
        ASSERT_LT(label, 2000);
      }
      EXPECT_EQ(best->imbalance, Imbalance(graph, best->labels));
    }
  }
}

TEST_F(StartsCudaTest, LittleMemory) {
  RandomSignedGraphOptions random;
  random.num_vertices = 400;
  random.density = 50;
  const SignedGraph graph = RandomSignedGraph(random);
  const CorrelationOptions options = Options(CorrelationMethod::kGrasp, 1);
  const std::vector<StartResult> expected =
      Made(NewCpuStartRunner(graph, options), 0, 20);
  int successes = 0;
  for (int64_t limit = 0; limit <= int64_t{1} << 26;
       limit = std::max<int64_t>(1, limit * 4)) {
    SetDeviceMemoryLimit(DeviceMemoryInUseBytes() + limit);
    const absl::StatusOr<std::unique_ptr<StartRunner>> runner =
        NewCudaStartRunner(graph, options);
    SetDeviceMemoryLimit(-1);
    if (!runner.ok()) {
      EXPECT_TRUE(absl::IsResourceExhausted(runner.status()))
          << runner.status();
      EXPECT_EQ(successes, 0) << "more memory, but not enough: " << limit;
      continue;
    }
    ++successes;
    SearchControl control;
    const absl::StatusOr<std::vector<StartResult>> made =
        (*runner)->Run(0, 20, control);
    ASSERT_TRUE(made.ok()) << made.status();
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ((*made)[i].imbalance, expected[i].imbalance);
    }
  }
  EXPECT_GT(successes, 1);
  EXPECT_EQ(DeviceMemoryInUseBytes(), 0);
}

// Fewer starts side by side.
TEST_F(StartsCudaTest, EachAllocationFails) {
  for (const CorrelationMethod method :
       {CorrelationMethod::kGrasp, CorrelationMethod::kIls}) {
    for (const int density : {60, 3}) {
      if (!TakesCase()) continue;
      SCOPED_TRACE(testing::Message()
                   << static_cast<int>(method) << ", density " << density);
      RandomSignedGraphOptions random;
      random.num_vertices = 150;
      random.density = density;
      const SignedGraph graph = RandomSignedGraph(random);
      ExpectLittleMemoryHolds(
          "signed graph of 150 vertices", 8,
          [&]() -> absl::StatusOr<std::vector<StartResult>> {
            absl::StatusOr<std::unique_ptr<StartRunner>> runner =
                NewCudaStartRunner(graph, Options(method, 3));
            if (!runner.ok()) return runner.status();
            SearchControl control;
            return (*runner)->Run(0, 20, control);
          },
          [](const auto& a, const auto& b) {
            for (size_t i = 0; i < a.size(); ++i) {
              if (a[i].imbalance != b[i].imbalance ||
                  a[i].labels != b[i].labels) {
                return false;
              }
            }
            return a.size() == b.size();
          });
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace warpclust
