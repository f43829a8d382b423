// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/starts/starts.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/grasp_ils/starts/construction.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/naive_starts.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::vector<RandomSignedGraphOptions> Graphs() {
  std::vector<RandomSignedGraphOptions> graphs;
  for (const int32_t n : {1, 2, 3, 9, 31, 32, 33, 40}) {
    for (const int density : {3, 25, 90}) {
      for (const int negative : {20, 50, 80}) {
        RandomSignedGraphOptions options;
        options.num_vertices = n;
        options.density = density;
        options.negative = negative;
        options.parallel = 10;
        options.seed = graphs.size();
        options.max_weight = graphs.size() % 2 == 0 ? 1 : 5;
        graphs.push_back(options);
      }
    }
  }
  return graphs;
}

TEST(ConstructionTest, PutsVerticesAsTheHeaderSays) {
  for (const RandomSignedGraphOptions& options : Graphs()) {
    const SignedGraph graph = RandomSignedGraph(options);
    for (const double alpha : {0.0, 0.01, 0.3, 0.5, 0.9, 1.0}) {
      for (const LocalSearchKind kind :
           {LocalSearchKind::kSparse, LocalSearchKind::kDense}) {
        SCOPED_TRACE(absl::StrCat("seed ", options.seed, " alpha ", alpha));
        Random random(options.seed);
        Random naive_random(options.seed);
        const LocalSearchFactory factory = MakeLocalSearchFactory(graph, kind);
        const std::unique_ptr<LocalSearch> search = factory();
        // Twice: the previous state of the object must not matter.
        for (int i = 0; i < 2; ++i) {
          Construct(alpha, &random, nullptr, search.get());
          const Labels expected =
              NaiveConstruction(graph, alpha, &naive_random);
          ASSERT_EQ(search->labels(), expected);
          EXPECT_EQ(search->imbalance(), NaiveImbalance(graph, expected));
          EXPECT_EQ(random.Next(), naive_random.Next());  // As many draws.
        }
      }
    }
  }
}

TEST(ConstructionTest, AStopPutsAllVertices) {
  RandomSignedGraphOptions options;
  options.num_vertices = 3000;
  options.density = 1;
  const SignedGraph graph = RandomSignedGraph(options);
  SearchControl control;
  control.RequestStop();
  const LocalSearchFactory factory = MakeLocalSearchFactory(graph);
  const std::unique_ptr<LocalSearch> search = factory();
  for (const double alpha : {0.5, 1.0}) {
    Random random(1);
    Construct(alpha, &random, &control, search.get());
    for (const int32_t label : search->labels()) ASSERT_GE(label, 0);
    EXPECT_EQ(search->imbalance(), NaiveImbalance(graph, search->labels()));
  }
}

void ExpectNaiveStarts(const CorrelationOptions& options, int64_t end) {
  for (const RandomSignedGraphOptions& graph_options : Graphs()) {
    SCOPED_TRACE(graph_options.seed);
    const SignedGraph graph = RandomSignedGraph(graph_options);
    const std::unique_ptr<StartRunner> runner =
        NewCpuStartRunner(graph, options);
    SearchControl control;
    for (int64_t begin = 0; begin < end; begin += 3) {
      const absl::StatusOr<std::vector<StartResult>> results =
          runner->Run(begin, begin + 3, control);
      ASSERT_TRUE(results.ok()) << results.status();
      ASSERT_EQ(results->size(), 3u);
      for (size_t i = 0; i < 3; ++i) {
        const Labels expected =
            NaiveStart(graph, options, begin + static_cast<int64_t>(i));
        const StartResult& result = (*results)[i];
        ASSERT_EQ(result.labels, expected);
        EXPECT_EQ(result.imbalance, NaiveImbalance(graph, expected));
        EXPECT_FALSE(result.aborted);
      }
    }
  }
}

TEST(StartsTest, GraspStartsAreThoseOfTheHeader) {
  CorrelationOptions options;
  options.num_threads = 2;
  for (const CorrelationMethod method :
       {CorrelationMethod::kSeqGrasp, CorrelationMethod::kGraspCudaVnd}) {
    options.method = method;
    for (const double alpha : {0.4, 1.0}) {
      options.alpha = alpha;
      ExpectNaiveStarts(options, 9);
    }
  }
}

TEST(StartsTest, IlsRestartsAreThoseOfTheHeader) {
  CorrelationOptions options;
  options.num_threads = 2;
  options.perturbation_max = 5;
  options.ils_iterations = 2;
  options.seed = 17;
  for (const CorrelationMethod method :
       {CorrelationMethod::kSeqIls, CorrelationMethod::kIlsCudaVnd}) {
    options.method = method;
    ExpectNaiveStarts(options, 3);
  }
}

TEST(StartsTest, PairsAreMovedAsTheHeaderSays) {
  CorrelationOptions options;
  options.num_threads = 1;
  options.neighborhood = 2;
  for (const RandomSignedGraphOptions& graph_options : Graphs()) {
    if (graph_options.num_vertices > 10) continue;
    const SignedGraph graph = RandomSignedGraph(graph_options);
    for (const CorrelationMethod method :
         {CorrelationMethod::kSeqGrasp, CorrelationMethod::kSeqIls,
          CorrelationMethod::kGraspCudaVnd, CorrelationMethod::kIlsCudaVnd}) {
      options.method = method;
      options.perturbation_max = 3;
      const std::unique_ptr<StartRunner> runner =
          NewCpuStartRunner(graph, options);
      SearchControl control;
      const absl::StatusOr<std::vector<StartResult>> results =
          runner->Run(5, 6, control);
      ASSERT_TRUE(results.ok()) << results.status();
      EXPECT_EQ(results->front().labels, NaiveStart(graph, options, 5));
    }
  }
}

}  // namespace
}  // namespace warpclust
