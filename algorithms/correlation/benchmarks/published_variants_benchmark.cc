// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The four variants of Levorato et al. 2015 at the paper's parameters, as in
// Tables 2 to 5, and one round of CUDAVND. Without --data, on a small generated
// network.
//
//   published_variants_benchmark --data=FOLDER --seeds=5
//
// Variant/NETWORK/METHOD: SeqGRASP and SeqILS on one CPU thread, their CUDAVND
// versions on the GPU. The time is that of a whole run, the mean over the
// seeds. Counters: imbalance (the mean); speedup and gap_percent, of a CUDAVND
// version against its sequential one in this run, as in the tables; paper,
// paper_s and paper_speedup, what the paper has for them (known_values.h).
//
// Round/NETWORK/side_by_side: descents from c = 32 random clusters, many at a
// time; the time is that of all of them. Counters: rounds (the longest
// descent's), us_per_round, and floor_us, the time that the memory needs at
// 4.3 TB/s, the copy bandwidth measured on an H200.
//
// The floor of a round of one partition: each of the two matrices is read once,
// 2 * 4 bytes * n * c; the labels and the sums to the own clusters are read
// once by each group of clusters, 12 n bytes; an update reads and writes two
// sums per neighbor of the moved vertex, 24 bytes. For n = 600 and c = 32 that
// is 154 KB, or 0.04 us, and about three operations for each of the 19,800
// moves. So one partition is bound by the launches of two kernels, about 5 us,
// and only hundreds side by side come near the memory: 256 need 9 us.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/benchmarks/known_values.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/local_search/cuda/best_improvement_cuda.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "benchmark/benchmark.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "kernels/device/device.h"

ABSL_FLAG(int, seeds, 5, "runs of each variant, with seeds 1, 2, ...");
ABSL_FLAG(double, time_limit, 7200, "seconds per run; the paper's two hours");

namespace warpclust {
namespace {

constexpr double kBytesPerSecond = 4.3e12;
constexpr int32_t kRoundClusters = 32;

constexpr CorrelationMethod kVariants[] = {
    CorrelationMethod::kSeqGrasp, CorrelationMethod::kGraspCudaVnd,
    CorrelationMethod::kSeqIls, CorrelationMethod::kIlsCudaVnd};

struct Network {
  std::string name;
  SignedGraph graph;
  KnownValues known;
};

// Mean I(P) and seconds of one variant.
struct Means {
  double imbalance = 0;
  double seconds = 0;
};

absl::StatusOr<Means> RunVariant(const Network& network,
                                 CorrelationMethod method,
                                 benchmark::State& state) {
  CorrelationOptions options;
  options.method = method;
  options.device = IsCudaVnd(method) ? Device::kCuda : Device::kCpu;
  options.num_threads = IsCudaVnd(method) ? 0 : 1;
  if (IsCudaVnd(method)) {  // CUDA starts once per process.
    SearchControl soon(0.1);
    RETURN_IF_ERROR(
        CorrelationClustering(network.graph, options, &soon).status());
  }
  Means means;
  const auto seeds = static_cast<double>(absl::GetFlag(FLAGS_seeds));
  options.seed = 0;
  for (auto _ : state) {
    ++options.seed;
    SearchControl control(absl::GetFlag(FLAGS_time_limit));
    ASSIGN_OR_RETURN(const CorrelationResult result,
                     CorrelationClustering(network.graph, options, &control));
    const double seconds = control.seconds();
    state.SetIterationTime(seconds);
    means.seconds += seconds / seeds;
    means.imbalance += static_cast<double>(result.imbalance) /
                       static_cast<double>(network.graph.units_per_one) / seeds;
  }
  return means;
}

absl::Status MeasureVariant(const Network& network, CorrelationMethod method,
                            benchmark::State& state) {
  // The sequential variants run first.
  static std::map<std::pair<std::string, bool>, Means> sequential;
  ASSIGN_OR_RETURN(const Means means, RunVariant(network, method, state));
  const bool ils = IsIls(method);
  const PaperValues& paper = ils ? network.known.ils : network.known.grasp;
  state.SetLabel(absl::StrFormat("I(P) %.10g", means.imbalance));
  state.counters["imbalance"] = means.imbalance;
  if (!IsCudaVnd(method)) {
    sequential[{network.name, ils}] = means;
    state.counters["paper"] = paper.imbalance;
    state.counters["paper_s"] = paper.seconds;
    return absl::OkStatus();
  }
  state.counters["paper"] = paper.cuda_imbalance;
  state.counters["paper_s"] = paper.cuda_seconds;
  if (paper.cuda_seconds > 0) {
    state.counters["paper_speedup"] = paper.seconds / paper.cuda_seconds;
  }
  const auto before = sequential.find({network.name, ils});
  if (before == sequential.end()) return absl::OkStatus();  // Filtered out.
  state.counters["speedup"] = before->second.seconds / means.seconds;
  if (before->second.imbalance > 0) {
    state.counters["gap_percent"] =
        100 * (means.imbalance / before->second.imbalance - 1);
  }
  return absl::OkStatus();
}

absl::Status MeasureRounds(const Network& network, int64_t side_by_side,
                           benchmark::State& state) {
  ASSIGN_OR_RETURN(
      const std::unique_ptr<CudaBestImprovement> descent,
      NewCudaBestImprovement(network.graph, /*neighborhood=*/1, side_by_side));
  const int32_t n = network.graph.num_vertices();
  Random random(1);
  std::vector<CudaBestImprovement::Partition> begin(side_by_side);
  for (CudaBestImprovement::Partition& partition : begin) {
    partition.labels.resize(n);
    for (int32_t& label : partition.labels) {
      label = static_cast<int32_t>(random.Below(std::min(n, kRoundClusters)));
    }
  }
  const SearchControl control;
  double seconds = 0;
  int64_t rounds = 0;
  for (auto _ : state) {
    std::vector<CudaBestImprovement::Partition> partitions = begin;
    std::vector<CudaBestImprovement::Partition*> pointers;
    for (auto& partition : partitions) pointers.push_back(&partition);
    const SearchControl clock;
    RETURN_IF_ERROR(descent->Descend(control, pointers));
    const double passed = clock.seconds();
    state.SetIterationTime(passed);
    seconds += passed;
    int64_t longest = 0;
    for (const auto& partition : partitions) {
      longest = std::max(longest, partition.moves + 1);
    }
    rounds += longest;
  }
  const double bytes =
      static_cast<double>(side_by_side) * n * (8.0 * kRoundClusters + 12.0);
  state.counters["rounds"] =
      static_cast<double>(rounds) / static_cast<double>(state.iterations());
  state.counters["us_per_round"] = 1e6 * seconds / static_cast<double>(rounds);
  state.counters["floor_us"] = 1e6 * bytes / kBytesPerSecond;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::shared_ptr<const Network>>> ReadNetworks() {
  std::vector<std::shared_ptr<const Network>> networks;
  for (const std::string& path : BenchmarkData(".txt.gz")) {
    const KnownValues known = FindKnownValues(path);
    if (known.grasp.imbalance == 0) continue;  // Not one of the paper's.
    ASSIGN_OR_RETURN(SignedEdgeList read, ReadSignedEdgeList(path));
    networks.push_back(std::make_shared<const Network>(Network{
        std::string(InstanceName(path)), std::move(read.graph), known}));
  }
  if (networks.empty()) {
    RandomSignedGraphOptions options;
    options.num_vertices = 60;
    networks.push_back(std::make_shared<const Network>(
        Network{"generated", RandomSignedGraph(options), KnownValues()}));
  }
  return networks;
}

// Registers `measure` under a name. An error skips it; without a GPU all that
// need one are skipped.
template <typename Measure>
benchmark::internal::Benchmark* Register(const std::string& name,
                                         const Measure& measure) {
  return benchmark::RegisterBenchmark(
      name.c_str(), [measure](benchmark::State& state) {
        const absl::Status status = measure(state);
        if (status.ok()) return;
        state.SkipWithError(
            absl::StrCat(absl::IsUnavailable(status) ? "skipped: " : "",
                         status.message())
                .c_str());
      });
}

}  // namespace

absl::Status RegisterBenchmarks() {
  if (absl::GetFlag(FLAGS_seeds) < 1) {
    return absl::InvalidArgumentError("--seeds: expected at least 1");
  }
  ASSIGN_OR_RETURN(const auto networks, ReadNetworks());
  for (const std::shared_ptr<const Network>& network : networks) {
    for (const CorrelationMethod method : kVariants) {
      Register(absl::StrCat("Variant/", network->name, "/",
                            CorrelationMethodName(method)),
               [network, method](benchmark::State& state) {
                 return MeasureVariant(*network, method, state);
               })
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime()
          ->Iterations(absl::GetFlag(FLAGS_seeds));
    }
    for (const int64_t side_by_side : {1, 16, 256}) {
      Register(absl::StrCat("Round/", network->name, "/", side_by_side),
               [network, side_by_side](benchmark::State& state) {
                 return MeasureRounds(*network, side_by_side, state);
               })
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime()
          ->Iterations(3);
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
