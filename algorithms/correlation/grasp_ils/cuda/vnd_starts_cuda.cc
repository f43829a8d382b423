// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/cuda/vnd_starts_cuda.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/correlation/grasp_ils/starts/construction.h"
#include "algorithms/correlation/grasp_ils/starts/perturbation.h"
#include "algorithms/correlation/local_search/cluster_slots.h"
#include "algorithms/correlation/local_search/cuda/best_improvement_cuda.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/machine/threads.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"

namespace warpclust::internal {
namespace {

// Vertices of all starts side by side that keep a GPU busy. More starts of
// GRASP than that may be wasted at the end of the search.
constexpr int64_t kManyVertices = int64_t{1} << 17;
constexpr int64_t kMostGraspStarts = 256;
constexpr int64_t kMostIlsStarts = 64;

class VndStartRunner final : public StartRunner {
 public:
  VndStartRunner(const SignedGraph& graph, const CorrelationOptions& options)
      : graph_(graph),
        options_(options),
        num_threads_(ResolveThreads(options.num_threads)),
        factory_(MakeLocalSearchFactory(graph)),
        searches_(num_threads_) {}

  absl::Status Prepare() {
    ASSIGN_OR_RETURN(descent_,
                     NewCudaBestImprovement(graph_, options_.neighborhood));
    return absl::OkStatus();
  }

  int64_t batch() const override {
    if (IsIls(options_.method)) return kMostIlsStarts;
    return std::clamp<int64_t>(kManyVertices / graph_.num_vertices(), 16,
                               kMostGraspStarts);
  }

  absl::StatusOr<std::vector<StartResult>> Run(
      int64_t begin, int64_t end, SearchControl& control) override {
    std::vector<StartResult> results;
    for (; begin < end; begin += batch()) {
      const int64_t count = std::min(batch(), end - begin);
      // Start 0 is made in any case: there must be a partition.
      if (begin > 0 && control.ShouldStop()) {
        results.resize(results.size() + static_cast<size_t>(count),
                       {{}, std::numeric_limits<int64_t>::max(), true});
        continue;
      }
      RETURN_IF_ERROR(RunWave(begin, count, control, &results));
    }
    return results;
  }

 private:
  // A start in progress.
  struct Start {
    Start(const CorrelationOptions& options, int64_t number)
        : random(options.seed, static_cast<uint64_t>(number)), level(options) {}

    Random random;
    PerturbationLevel level;
    CudaBestImprovement::Partition present;
    // Of the best partition so far.
    StartResult result;
  };

  // Starts [begin, begin + count), side by side.
  absl::Status RunWave(int64_t begin, int64_t count, SearchControl& control,
                       std::vector<StartResult>* results) {
    std::vector<Start> starts;
    starts.reserve(count);
    for (int64_t i = 0; i < count; ++i)
      starts.emplace_back(options_, begin + i);
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 1)
    for (int64_t i = 0; i < count; ++i) {
      std::unique_ptr<LocalSearch>& search = searches_[omp_get_thread_num()];
      if (search == nullptr) search = factory_();
      Construct(options_.alpha, &starts[i].random, &control, search.get());
      starts[i].present.labels = search->labels();
    }
    std::vector<Start*> active;
    for (Start& start : starts) active.push_back(&start);
    RETURN_IF_ERROR(Descend(active, control));
    for (Start& start : starts) Keep(start, control);
    if (IsIls(options_.method)) RETURN_IF_ERROR(Iterate(active, control));
    for (Start& start : starts) results->push_back(std::move(start.result));
    return absl::OkStatus();
  }

  absl::Status Descend(const std::vector<Start*>& starts,
                       const SearchControl& control) {
    std::vector<CudaBestImprovement::Partition*> partitions;
    for (Start* start : starts) partitions.push_back(&start->present);
    return descent_->Descend(control, partitions);
  }

  // The present partition is the best one of the start.
  void Keep(Start& start, SearchControl& control) const {
    start.result = {start.present.labels, start.present.imbalance,
                    !start.present.complete};
    if (IsIls(options_.method)) control.Report(start.result.imbalance);
  }

  // Perturbs and descends until each restart has ended.
  absl::Status Iterate(std::vector<Start*> active, SearchControl& control) {
    while (true) {
      std::erase_if(active, [&](const Start* start) {
        return start->result.aborted || start->level.AtEnd() ||
               start->result.imbalance <= graph_.constant_cost;
      });
      if (active.empty()) return absl::OkStatus();
      for (Start* start : active) Perturb(*start);
      RETURN_IF_ERROR(Descend(active, control));
      const bool stops = control.ShouldStop();
      for (Start* start : active) {
        if (start->present.imbalance < start->result.imbalance) {
          Keep(*start, control);
          start->level.Succeed();
        } else {
          start->level.Fail();
        }
        start->result.aborted |= stops || !start->present.complete;
      }
    }
  }

  // Perturbs the best partition of a restart.
  void Perturb(Start& start) const {
    Labels& labels = start.present.labels;
    labels = start.result.labels;
    ClusterSlots slots(graph_.num_vertices());
    for (const int32_t label : labels) slots.Add(label);
    for (int64_t i = 0; i < start.level.level(); ++i) {
      const PerturbationMove move =
          DrawPerturbation(labels, slots, &start.random);
      if (move.vertex < 0) continue;
      const int32_t label =
          move.label >= 0 ? move.label : slots.SmallestUnused();
      slots.Remove(labels[move.vertex]);
      slots.Add(label);
      labels[move.vertex] = label;
    }
  }

  const SignedGraph& graph_;
  const CorrelationOptions options_;
  const int num_threads_;
  const LocalSearchFactory factory_;
  // For the construction, by thread.
  std::vector<std::unique_ptr<LocalSearch>> searches_;
  std::unique_ptr<CudaBestImprovement> descent_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<StartRunner>> NewVndStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options) {
  auto runner = std::make_unique<VndStartRunner>(graph, options);
  RETURN_IF_ERROR(runner->Prepare());
  return runner;
}

}  // namespace warpclust::internal
