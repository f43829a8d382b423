// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <omp.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/correlation/grasp_ils/starts/construction.h"
#include "algorithms/correlation/grasp_ils/starts/perturbation.h"
#include "algorithms/correlation/grasp_ils/starts/starts.h"
#include "algorithms/correlation/local_search/best_improvement.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/local_search/two_opt.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/machine/threads.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {
namespace {

// A step on a small graph takes a microsecond.
constexpr int64_t kStepsBetweenChecks = 16;

// Makes the starts of one thread.
class Worker {
 public:
  Worker(const LocalSearchFactory& factory, const SignedGraph& graph,
         const CorrelationOptions& options)
      : graph_(graph),
        options_(options),
        search_(factory()),
        two_opt_(options.neighborhood >= 2 && !IsCudaVnd(options.method)
                     ? std::make_unique<TwoOpt>(graph)
                     : nullptr),
        best_improvement_(
            IsCudaVnd(options.method)
                ? std::make_unique<BestImprovement>(graph, options.neighborhood)
                : nullptr) {}

  StartResult Grasp(int64_t start, SearchControl& control) {
    Random random(options_.seed, start);
    const bool complete = Begin(&random, control);
    return {search_->labels(), search_->imbalance(), !complete};
  }

  StartResult Ils(int64_t start, SearchControl& control) {
    Random random(options_.seed, start);
    bool complete = Begin(&random, control);
    int64_t best = search_->imbalance();
    control.Report(best);
    PerturbationLevel level(options_);
    int64_t steps = 0;
    while (complete && !level.AtEnd() && best > graph_.constant_cost) {
      if (++steps % kStepsBetweenChecks == 0 && control.ShouldStop()) {
        complete = false;
        break;
      }
      for (int64_t i = 0; i < level.level(); ++i) Perturb(&random);
      complete =
          control.TimeLocalSearch([&] { return Descend(&random, control); });
      if (search_->imbalance() < best) {
        best = search_->imbalance();
        search_->Keep();
        control.Report(best);
        level.Succeed();
      } else {
        search_->Undo();
        level.Fail();
      }
    }
    return {search_->labels(), best, !complete};
  }

 private:
  // Construction and descent; false if stopped.
  bool Begin(Random* random, SearchControl& control) {
    Construct(options_.alpha, random, &control, search_.get());
    search_->MarkAll(&control);
    const bool complete =
        control.TimeLocalSearch([&] { return Descend(random, control); });
    search_->Keep();
    return complete;
  }

  // Variable neighborhood descent; false if stopped.
  bool Descend(Random* random, const SearchControl& control) {
    const uint64_t n = graph_.num_vertices();
    if (n == 0) return true;
    if (best_improvement_ != nullptr) {
      return best_improvement_->Descend(&control, search_.get());
    }
    while (true) {
      const int32_t first = static_cast<int32_t>(random->Below(n));
      if (!search_->Descend(first, &control)) return false;
      if (two_opt_ == nullptr) return true;
      const int32_t pairs_first = static_cast<int32_t>(random->Below(n));
      if (!two_opt_->Improve(pairs_first, &control, search_.get())) {
        return !control.ShouldStop();
      }
    }
  }

  void Perturb(Random* random) {
    const PerturbationMove move =
        DrawPerturbation(search_->labels(), search_->slots(), random);
    if (move.vertex < 0) return;
    search_->Move(move.vertex,
                  move.label >= 0 ? move.label : search_->SmallestUnused(),
                  /*mark=*/true);
  }

  const SignedGraph& graph_;
  const CorrelationOptions& options_;
  const std::unique_ptr<LocalSearch> search_;
  // Null without pairs, and with best improvement, which has its own.
  const std::unique_ptr<TwoOpt> two_opt_;
  // Null with first improvement.
  const std::unique_ptr<BestImprovement> best_improvement_;
};

class CpuStartRunner final : public StartRunner {
 public:
  CpuStartRunner(const SignedGraph& graph, const CorrelationOptions& options)
      : options_(options), factory_(MakeLocalSearchFactory(graph)) {
    const int num_threads = ResolveThreads(options.num_threads);
    for (int i = 0; i < num_threads; ++i) {
      workers_.push_back(std::make_unique<Worker>(factory_, graph, options_));
    }
  }

  // Starts of GRASP differ in length: with some more starts than threads no
  // thread waits long. Few, since starts beyond the last one taken are wasted.
  int64_t batch() const override {
    const int64_t num_threads = static_cast<int64_t>(workers_.size());
    return !IsIls(options_.method) && num_threads > 1 ? 4 * num_threads
                                                      : num_threads;
  }

  absl::StatusOr<std::vector<StartResult>> Run(
      int64_t begin, int64_t end, SearchControl& control) override {
    std::vector<StartResult> results(end - begin);
    const int num_threads = static_cast<int>(workers_.size());
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 1)
    for (int64_t start = begin; start < end; ++start) {
      StartResult& result = results[start - begin];
      // Start 0 is made in any case: there must be a partition.
      if (start > 0 && control.ShouldStop()) {
        result.imbalance = std::numeric_limits<int64_t>::max();
        result.aborted = true;
        continue;
      }
      Worker& worker = *workers_[omp_get_thread_num()];
      result = IsIls(options_.method) ? worker.Ils(start, control)
                                      : worker.Grasp(start, control);
    }
    return results;
  }

 private:
  const CorrelationOptions options_;
  const LocalSearchFactory factory_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

std::unique_ptr<StartRunner> NewCpuStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options) {
  return std::make_unique<CpuStartRunner>(graph, options);
}

}  // namespace warpclust
