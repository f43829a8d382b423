// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Constraints, initial partitions and several ranks on the GPU: as on the CPU.

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

TEST(CorrelationClusteringCudaTest, ConstraintsAndStartsEqualTheCpu) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions random_options;
    random_options.num_vertices = 20 + static_cast<int32_t>(seed) * 40;
    random_options.density = seed % 2 == 0 ? 2 : 30;
    random_options.max_weight = seed % 3 == 0 ? 1000 : 1;
    random_options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(random_options);
    const auto n = static_cast<uint64_t>(graph.num_vertices());
    Random random(seed);
    const auto vertex = [&] { return static_cast<int32_t>(random.Below(n)); };
    CorrelationOptions options;
    // In the third round, 16 chains of a dense graph run on the GPU if there is
    // one thread.
    options.iterations = 3;
    options.num_threads = 1;
    options.seed = seed;
    if (seed % 4 == 1) options.method = CorrelationMethod::kSeqIls;
    if (seed % 4 == 3) options.method = CorrelationMethod::kGraspCudaVnd;
    // Must-links inside the first half, cannot-links inside the second.
    for (int i = 0; i < 8; ++i) {
      options.constraints.must_link.push_back({vertex() / 2, vertex() / 2});
      const int32_t v = static_cast<int32_t>(n / 2) + i;
      options.constraints.cannot_link.push_back({v, v + 1});
    }
    if (seed % 2 == 0) {
      for (uint64_t v = 0; v < n; ++v) options.initial.push_back(vertex() / 8);
      options.constraints.must_link.clear();
      options.constraints.fixed = {0, 1, 2, 3, 4, 5};
    }
    options.device = Device::kCpu;
    const auto cpu = CorrelationClustering(graph, options);
    ASSERT_TRUE(cpu.ok()) << cpu.status();
    options.device = Device::kCuda;
    const auto cuda = CorrelationClustering(graph, options);
    ASSERT_TRUE(cuda.ok()) << cuda.status();
    EXPECT_EQ(cuda->labels, cpu->labels);
    EXPECT_EQ(cuda->imbalance, cpu->imbalance);
    EXPECT_EQ(Imbalance(graph, cuda->labels), cuda->imbalance);
  }
}

// Ranks that share a GPU, against one process on the CPU.
TEST(CorrelationClusteringCudaTest, RanksDoNotShow) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  for (const CorrelationMethod method :
       {CorrelationMethod::kAuto, CorrelationMethod::kGraspCudaVnd}) {
    for (const int density : {5, 60}) {
      RandomSignedGraphOptions random;
      random.num_vertices = 90;
      random.density = density;
      random.max_weight = density == 5 ? 1 : 3;
      random.seed = 7;
      const SignedGraph graph = RandomSignedGraph(random);
      CorrelationOptions options;
      options.method = method;
      options.iterations = method == CorrelationMethod::kAuto ? 4 : 25;
      options.no_improvement = method == CorrelationMethod::kAuto ? 4 : 5;
      options.num_threads = 1;
      options.device = Device::kCpu;
      const auto alone = CorrelationClustering(graph, options);
      ASSERT_TRUE(alone.ok()) << alone.status();
      options.device = Device::kCuda;
      for (const int num_ranks : {1, 2, 5}) {
        SCOPED_TRACE(testing::Message()
                     << CorrelationMethodName(method) << ", density " << density
                     << ", ranks " << num_ranks);
        const absl::Status status =
            RunOnThreads(num_ranks, [&](Communicator& ranks) {
              const auto result = CorrelationClustering(
                  graph, options, /*control=*/nullptr, &ranks);
              if (!result.ok()) return result.status();
              EXPECT_EQ(result->labels, alone->labels);
              EXPECT_EQ(result->imbalance, alone->imbalance);
              return absl::OkStatus();
            });
        EXPECT_TRUE(status.ok()) << status;
      }
      const absl::StatusOr<int> num_gpus = CountGpus();
      ASSERT_TRUE(num_gpus.ok()) << num_gpus.status();
      for (int gpus = 1; gpus <= *num_gpus; ++gpus) {
        const auto result = CorrelationClusteringOnGpus(graph, options, gpus);
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_EQ(result->labels, alone->labels);
        EXPECT_EQ(result->imbalance, alone->imbalance);
      }
      for (const int gpus : {0, *num_gpus + 1}) {
        EXPECT_FALSE(CorrelationClusteringOnGpus(graph, options, gpus).ok());
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
