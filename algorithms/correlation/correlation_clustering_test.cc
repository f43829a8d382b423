// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the checks of the entry point; each method has its own tests.

#include "algorithms/correlation/correlation_clustering.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/local_search/one_opt.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

constexpr CorrelationMethod kMethods[] = {
    CorrelationMethod::kAuto, CorrelationMethod::kSeqGrasp,
    CorrelationMethod::kSeqIls, CorrelationMethod::kGraspCudaVnd,
    CorrelationMethod::kIlsCudaVnd};

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

TEST(CorrelationClusteringTest, RefusesOptionsOutOfRange) {
  const SignedGraph graph = TestGraph();
  const auto code = [&](const CorrelationOptions& options) {
    return CorrelationClustering(graph, options).status().code();
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
    CorrelationOptions bad_threads = good;
    bad_threads.num_threads = -1;
    EXPECT_EQ(code(bad_threads), absl::StatusCode::kInvalidArgument);
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
  EXPECT_EQ(CorrelationClustering(graph, OnOneThread(CorrelationMethod::kAuto))
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(CorrelationClusteringTest, TheMethodsAreThoseAskedFor) {
  const SignedGraph graph = TestGraph();
  // A start of GRASP is only a construction and a descent, so it is worse.
  const absl::StatusOr<CorrelationResult> grasp =
      CorrelationClustering(graph, OnOneThread(CorrelationMethod::kSeqGrasp));
  ASSERT_TRUE(grasp.ok()) << grasp.status();
  EXPECT_EQ(grasp->starts, 1);
  for (const CorrelationMethod method :
       {CorrelationMethod::kAuto, CorrelationMethod::kSeqIls,
        CorrelationMethod::kIlsCudaVnd}) {
    SearchControl control;
    const absl::StatusOr<CorrelationResult> result =
        CorrelationClustering(graph, OnOneThread(method), &control);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_LT(result->imbalance, grasp->imbalance);
    EXPECT_EQ(Imbalance(graph, result->labels), result->imbalance);
    EXPECT_EQ(control.best(), result->imbalance);
  }
}

TEST(CorrelationClusteringTest, TheLocalSearchesDiffer) {
  const SignedGraph graph = TestGraph();
  int differences = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    CorrelationOptions options = OnOneThread(CorrelationMethod::kSeqGrasp);
    options.seed = seed;
    const absl::StatusOr<CorrelationResult> first =
        CorrelationClustering(graph, options);
    options.method = CorrelationMethod::kGraspCudaVnd;
    const absl::StatusOr<CorrelationResult> best =
        CorrelationClustering(graph, options);
    ASSERT_TRUE(first.ok() && best.ok());
    differences += first->labels != best->labels;
  }
  EXPECT_GT(differences, 0);
}

TEST(CorrelationClusteringTest, MethodsHaveNames) {
  for (const CorrelationMethod method : kMethods) {
    const absl::StatusOr<CorrelationMethod> parsed =
        ParseCorrelationMethod(CorrelationMethodName(method));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, method);
  }
  EXPECT_EQ(*ParseCorrelationMethod("grasp"), CorrelationMethod::kSeqGrasp);
  EXPECT_EQ(*ParseCorrelationMethod("ils"), CorrelationMethod::kSeqIls);
  EXPECT_EQ(ParseCorrelationMethod("SeqGRASP").status().code(),
            absl::StatusCode::kInvalidArgument);
}

// What all ranks of a job find; they must agree.
CorrelationResult OnRanks(int num_ranks, const SignedGraph& graph,
                          const CorrelationOptions& options,
                          int stopped_rank = -1, int limit = 0) {
  std::vector<CorrelationResult> results(num_ranks);
  const absl::Status status =
      RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
        std::atomic<int64_t> readings = 0;
        SearchControl control(limit,
                              [&] { return (ranks.rank() + 1) * ++readings; });
        if (ranks.rank() == stopped_rank) control.RequestStop();
        absl::StatusOr<CorrelationResult> result =
            CorrelationClustering(graph, options, &control, &ranks);
        if (result.ok()) results[ranks.rank()] = *std::move(result);
        return result.status();
      });
  EXPECT_TRUE(status.ok()) << status;
  for (const CorrelationResult& result : results) {
    EXPECT_EQ(result.labels, results[0].labels);
    EXPECT_EQ(result.imbalance, results[0].imbalance);
    EXPECT_EQ(result.starts, results[0].starts);
    EXPECT_EQ(result.stopped, results[0].stopped);
  }
  return results[0];
}

// With two threads each.
void ExpectSameOnRanks(const SignedGraph& graph, CorrelationOptions options,
                       const CorrelationResult& alone) {
  options.num_threads = 2;
  for (const int num_ranks : {1, 3}) {
    SCOPED_TRACE(num_ranks);
    const CorrelationResult result = OnRanks(num_ranks, graph, options);
    EXPECT_EQ(result.labels, alone.labels);
    EXPECT_EQ(result.imbalance, alone.imbalance);
    EXPECT_EQ(result.starts, alone.starts);
  }
}

TEST(CorrelationClusteringTest, RanksDoNotShow) {
  for (const CorrelationMethod method : kMethods) {
    // Dense graphs have chains and searches of their own.
    for (const int density : {5, 60}) {
      RandomSignedGraphOptions random;
      random.num_vertices = 90;
      random.density = density;
      random.max_weight = density == 5 ? 1 : 3;
      random.seed = 7;
      const SignedGraph graph = RandomSignedGraph(random);
      CorrelationOptions options = OnOneThread(method);
      // Four rounds make starts of every kind.
      options.iterations = method == CorrelationMethod::kAuto ? 4 : 25;
      options.no_improvement = method == CorrelationMethod::kAuto ? 4 : 5;
      options.perturbation_max = 3;
      const absl::StatusOr<CorrelationResult> alone =
          CorrelationClustering(graph, options);
      ASSERT_TRUE(alone.ok()) << alone.status();
      for (int num_ranks = 1; num_ranks <= 7; ++num_ranks) {
        SCOPED_TRACE(testing::Message()
                     << CorrelationMethodName(method) << ", density " << density
                     << ", ranks " << num_ranks);
        const CorrelationResult result = OnRanks(num_ranks, graph, options);
        EXPECT_EQ(result.labels, alone->labels);
        EXPECT_EQ(result.imbalance, alone->imbalance);
        EXPECT_EQ(result.num_clusters, alone->num_clusters);
        EXPECT_EQ(result.starts, alone->starts);
        EXPECT_FALSE(result.stopped);
      }
    }
  }
}

// One large cluster, and a sparse rest of as many friends as enemies: it has a
// core (recombination/core.h).
SignedGraph LargeClusterAndRest() {
  constexpr int32_t kVertices = 1600;
  constexpr int32_t kLarge = 1000;
  Random random(1);
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < kVertices; ++v) {
    for (int32_t u = 0; u < v; ++u) {
      if (random.Unit() >= (v < kLarge ? 0.02 : 0.005)) continue;
      const double negative = v < kLarge ? 0.1 : 0.5;
      edges.push_back({u, v, random.Unit() < negative ? -1 : 1});
    }
  }
  return *BuildSignedGraph(kVertices, edges);
}

TEST(CorrelationClusteringTest, RanksAndThreadsDoNotShowInSearchesOfCores) {
  const SignedGraph graph = LargeClusterAndRest();
  CorrelationOptions options = OnOneThread(CorrelationMethod::kAuto);
  options.iterations = 2;
  const absl::StatusOr<CorrelationResult> alone =
      CorrelationClustering(graph, options);
  ASSERT_TRUE(alone.ok()) << alone.status();
  // Two rounds have five chains; the others are those of the cores.
  EXPECT_GT(alone->starts, 5);
  ExpectSameOnRanks(graph, options, *alone);
}

TEST(CorrelationClusteringTest, RegionsImproveAnInitialPartition) {
  const SignedGraph graph = LargeClusterAndRest();
  CorrelationOptions options = OnOneThread(CorrelationMethod::kAuto);
  options.iterations = 1;
  const absl::StatusOr<CorrelationResult> before =
      CorrelationClustering(graph, options);
  ASSERT_TRUE(before.ok()) << before.status();
  options.initial = before->labels;
  options.seed = 2;
  SearchControl control;
  const absl::StatusOr<CorrelationResult> alone =
      CorrelationClustering(graph, options, &control);
  ASSERT_TRUE(alone.ok()) << alone.status();
  // Before the first chain, although all descents had ended.
  int64_t before_chains = before->imbalance;
  for (const auto& improvement : control.improvements()) {
    if (improvement.starts == 0) before_chains = improvement.imbalance;
  }
  EXPECT_LT(before_chains, before->imbalance);
  ExpectSameOnRanks(graph, options, *alone);
}

TEST(CorrelationClusteringTest, AnInitialPartitionDescendsBeforeAllElse) {
  const SignedGraph graph = LargeClusterAndRest();
  CorrelationOptions options = OnOneThread(CorrelationMethod::kAuto);
  options.iterations = 1;
  options.initial.resize(graph.num_vertices());
  std::iota(options.initial.begin(), options.initial.end(), 0);
  Labels descended = options.initial;
  OneOpt(graph).Descend(/*first=*/0, &descended);
  SearchControl control;
  ASSERT_TRUE(CorrelationClustering(graph, options, &control).ok());
  // Without the reduction and joins, which improve it.
  ASSERT_GT(control.improvements().size(), 1);
  EXPECT_EQ(control.improvements()[0].imbalance, Imbalance(graph, descended));
}

// Each reading of the clock is a second later than the one before. So the
// limits stop a search at each place where it looks at the clock, in turn.
void ExpectAPartitionAtEveryTimeLimit(const SignedGraph& graph) {
  CorrelationOptions options = OnOneThread(CorrelationMethod::kAuto);
  const absl::StatusOr<CorrelationResult> good =
      CorrelationClustering(graph, options);
  ASSERT_TRUE(good.ok()) << good.status();
  // One cluster without the vertices whose weights sum to less than 0.
  Labels almost_one(graph.num_vertices(), 0);
  for (int32_t v = 1; v < graph.num_vertices(); ++v) {
    const auto weights = graph.WeightsOf(v);
    if (std::accumulate(weights.begin(), weights.end(), int64_t{0}) < 0) {
      almost_one[v] = v;
    }
  }
  const int64_t cheap = Imbalance(graph, almost_one);
  EXPECT_LT(cheap, Imbalance(graph, Labels(graph.num_vertices(), 0)));
  for (const bool has_initial : {false, true}) {
    if (has_initial) options.initial = good->labels;
    options.iterations = 3;
    const absl::StatusOr<CorrelationResult> free =
        CorrelationClustering(graph, options);
    ASSERT_TRUE(free.ok()) << free.status();
    for (int limit = 1; limit < 1000; limit += 1 + limit / 8) {
      SCOPED_TRACE(testing::Message() << limit << ", initial " << has_initial);
      std::atomic<int64_t> readings = 0;
      SearchControl control(limit, [&readings] { return ++readings; });
      const absl::StatusOr<CorrelationResult> result =
          CorrelationClustering(graph, options, &control);
      ASSERT_TRUE(result.ok()) << result.status();
      if (!result->stopped) {
        EXPECT_EQ(result->labels, free->labels);
        break;
      }
      EXPECT_LT(readings, limit + 30);
      EXPECT_LE(result->imbalance, cheap);
      EXPECT_EQ(Imbalance(graph, result->labels), result->imbalance);
      EXPECT_EQ(control.best(), result->imbalance);
      Labels canonical = result->labels;
      EXPECT_EQ(MakeCanonical(&canonical), result->num_clusters);
      EXPECT_EQ(canonical, result->labels);
      if (has_initial) {
        EXPECT_LE(result->imbalance, good->imbalance);
      }
      for (const auto& [labels, imbalance] : result->alternatives) {
        EXPECT_EQ(Imbalance(graph, labels), imbalance);
      }
      if (limit > 40) continue;
      // Clocks of different speed.
      const CorrelationResult shared =
          OnRanks(3, graph, options, /*stopped_rank=*/-1, limit);
      EXPECT_EQ(Imbalance(graph, shared.labels), shared.imbalance);
      if (has_initial) {
        EXPECT_LE(shared.imbalance, good->imbalance);
      }
    }
  }
}

TEST(CorrelationClusteringTest, EveryTimeLimitEndsWithAPartition) {
  RandomSignedGraphOptions random;
  random.num_vertices = 1500;
  random.density = 4;
  random.negative = 40;
  ExpectAPartitionAtEveryTimeLimit(RandomSignedGraph(random));
  ExpectAPartitionAtEveryTimeLimit(LargeClusterAndRest());
}

TEST(CorrelationClusteringTest, AStopOnOneRankStopsAll) {
  const SignedGraph graph = TestGraph();
  for (const CorrelationMethod method : kMethods) {
    CorrelationOptions options = OnOneThread(method);
    options.iterations = 1 << 30;
    options.no_improvement = 1 << 30;
    const CorrelationResult result =
        OnRanks(3, graph, options, /*stopped_rank=*/1);
    EXPECT_TRUE(result.stopped) << CorrelationMethodName(method);
    EXPECT_EQ(Imbalance(graph, result.labels), result.imbalance);
  }
}

// The same ranks; one of their messages requests a stop.
class StoppingRanks : public Communicator {
 public:
  StoppingRanks(Communicator& ranks, int64_t message, SearchControl* control)
      : Communicator(ranks.rank(), ranks.size(), ranks.local_rank()),
        ranks_(ranks),
        message_(message),
        control_(control) {}

 private:
  absl::Status Transfer(absl::Span<const char> out, int to, absl::Span<char> in,
                        int from) override {
    if (++num_messages_ == message_) control_->RequestStop();
    return ranks_.SendReceive(out, to, in, from);
  }

  Communicator& ranks_;
  const int64_t message_;
  SearchControl* const control_;
  int64_t num_messages_ = 0;
};

TEST(CorrelationClusteringTest,
     AStopBetweenSegmentsOfChainsLeavesTruePartitions) {
  RandomSignedGraphOptions random;
  random.num_vertices = 60;
  random.density = 60;
  const SignedGraph graph = RandomSignedGraph(random);
  CorrelationOptions options = OnOneThread(CorrelationMethod::kAuto);
  options.iterations = 4;  // The last one has populations.
  options.no_improvement = 4;
  bool stopped = true;
  for (int64_t message = 1; stopped; message += 1 + message / 16) {
    SCOPED_TRACE(testing::Message() << "message " << message);
    ASSERT_LT(message, 10000);
    std::vector<CorrelationResult> results(2);
    const absl::Status status =
        RunOnThreads(2, [&](Communicator& ranks) -> absl::Status {
          SearchControl control;
          StoppingRanks stopping(ranks, ranks.rank() == 1 ? message : 0,
                                 &control);
          absl::StatusOr<CorrelationResult> result =
              CorrelationClustering(graph, options, &control, &stopping);
          if (result.ok()) results[ranks.rank()] = *std::move(result);
          return result.status();
        });
    ASSERT_TRUE(status.ok()) << status;
    stopped = results[0].stopped;
    for (const CorrelationResult& result : results) {
      EXPECT_EQ(Imbalance(graph, result.labels), result.imbalance);
      for (const auto& [labels, imbalance] : result.alternatives) {
        EXPECT_EQ(Imbalance(graph, labels), imbalance);
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
