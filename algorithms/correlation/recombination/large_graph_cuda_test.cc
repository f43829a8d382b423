// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The way of large graphs on the GPU, where all blocks share each chain: as on
// the CPU.

#include "absl/status/statusor.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/annealing_recombination.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

TEST(LargeGraphCudaTest, EqualsTheCpu) {
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  const SignedGraph graph = PlantedSignedGraph(24000, 200, 140, 1);
  // Else blocks do not share chains.
  ASSERT_GE(Reduce(graph).graph.offsets.back(), internal::kSharedEntriesCuda);
  CorrelationOptions options;
  options.iterations = 1;
  options.device = Device::kCpu;
  const absl::StatusOr<CorrelationResult> cpu =
      AnnealAndRecombine(graph, options, nullptr, nullptr, 1 << 12);
  ASSERT_TRUE(cpu.ok()) << cpu.status();
  options.device = Device::kCuda;
  const absl::StatusOr<CorrelationResult> cuda =
      AnnealAndRecombine(graph, options, nullptr, nullptr, 1 << 12);
  ASSERT_TRUE(cuda.ok()) << cuda.status();
  EXPECT_EQ(cuda->labels, cpu->labels);
  EXPECT_EQ(cuda->imbalance, cpu->imbalance);
  EXPECT_EQ(Imbalance(graph, cuda->labels), cuda->imbalance);
}

}  // namespace
}  // namespace warpclust
