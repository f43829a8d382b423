// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the one entry adds to the methods, which have tests of their own:
// checks, and that memory that runs out is a Status.

#include "algorithms/correlation/correlation_clustering.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/partition.h"
#include "algorithms/correlation/random_signed_graph.h"
#include "algorithms/correlation/search_control.h"
#include "graph/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device.h"

namespace {

// Allocations of this thread until one fails; less than 0: none does. One only:
// what is freed on the way out suffices for a message.
thread_local int64_t granted = -1;

}  // namespace

void* operator new(size_t size) {
  if (granted >= 0 && granted-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// What std::stable_sort asks for, which goes on without it.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  if (granted >= 0 && granted-- == 0) return nullptr;
  return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace warpclust {
namespace {

constexpr CorrelationMethod kMethods[] = {CorrelationMethod::kAuto,
                                          CorrelationMethod::kGrasp,
                                          CorrelationMethod::kIls};

CorrelationOptions OnOneThread(CorrelationMethod method) {
  CorrelationOptions options;
  options.method = method;
  options.device = Device::kCpu;
  options.num_threads = 1;
  options.iterations = 1;
  return options;
}

SignedGraph TestGraph() {
  RandomSignedGraphOptions options;
  options.num_vertices = 60;
  options.density = 15;
  return RandomSignedGraph(options);
}

TEST(CorrelationClusteringTest, MemoryThatRunsOutIsAStatus) {
  const SignedGraph graph = TestGraph();
  for (const CorrelationMethod method : kMethods) {
    const CorrelationOptions options = OnOneThread(method);
    // Wherever it runs out; where that is far, not at every place.
    int64_t failures = 0;
    for (int64_t limit = 0;; limit += 1 + limit / 16) {
      SearchControl control;
      granted = limit;
      const absl::StatusOr<CorrelationResult> result =
          CorrelationClustering(graph, options, control);
      granted = -1;
      if (result.ok()) break;
      ASSERT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted)
          << result.status();
      ++failures;
    }
    EXPECT_GT(failures, 10);
  }
}

TEST(CorrelationClusteringTest, RefusesOptionsOutOfRange) {
  const SignedGraph graph = TestGraph();
  const auto code = [&](const CorrelationOptions& options) {
    SearchControl control;
    return CorrelationClustering(graph, options, control).status().code();
  };
  for (const CorrelationMethod method : kMethods) {
    const CorrelationOptions good = OnOneThread(method);
    EXPECT_EQ(code(good), absl::StatusCode::kOk);
    for (const double alpha :
         {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
      CorrelationOptions bad = good;
      bad.alpha = alpha;
      EXPECT_EQ(code(bad), absl::StatusCode::kInvalidArgument) << alpha;
    }
    for (const int neighborhood : {0, 3}) {
      CorrelationOptions bad = good;
      bad.neighborhood = neighborhood;
      EXPECT_EQ(code(bad), absl::StatusCode::kInvalidArgument) << neighborhood;
    }
    for (int64_t CorrelationOptions::*const field :
         {&CorrelationOptions::iterations, &CorrelationOptions::no_improvement,
          &CorrelationOptions::ils_iterations,
          &CorrelationOptions::perturbation_max}) {
      CorrelationOptions bad = good;
      bad.*field = -1;
      EXPECT_EQ(code(bad), absl::StatusCode::kInvalidArgument);
    }
  }
}

TEST(CorrelationClusteringTest, RefusesGraphsThatAreNone) {
  SignedGraph graph = TestGraph();
  ++graph.weights.front();
  SearchControl control;
  EXPECT_EQ(CorrelationClustering(graph, OnOneThread(CorrelationMethod::kAuto),
                                  control)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(CorrelationClusteringTest, TheMethodsAreThoseAskedFor) {
  const SignedGraph graph = TestGraph();
  // A start of GRASP is a construction and a descent, no more: worse.
  SearchControl grasp_control;
  const absl::StatusOr<CorrelationResult> grasp = CorrelationClustering(
      graph, OnOneThread(CorrelationMethod::kGrasp), grasp_control);
  ASSERT_TRUE(grasp.ok()) << grasp.status();
  EXPECT_EQ(grasp->starts, 1);
  for (const CorrelationMethod method :
       {CorrelationMethod::kAuto, CorrelationMethod::kIls}) {
    SearchControl control;
    const absl::StatusOr<CorrelationResult> result =
        CorrelationClustering(graph, OnOneThread(method), control);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_LT(result->imbalance, grasp->imbalance);
    EXPECT_EQ(Imbalance(graph, result->labels), result->imbalance);
  }
}

}  // namespace
}  // namespace warpclust
