// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "algorithms/correlation/bound/engine/cheapest_path.h"
#include "algorithms/correlation/bound/engine/fractional_engine.h"

namespace warpclust {
namespace {

// Pairs of the pool, and searches, that are worth a thread.
constexpr int64_t kPairsPerThread = 100'000;
constexpr int64_t kDemandsPerThread = 500;

class Engine : public FractionalEngine {
 public:
  Engine(const FractionalProblem& problem, int num_threads,
         const SearchControl* control)
      : problem_(problem),
        num_threads_(num_threads),
        control_(control),
        paths_(problem.edges) {
    for (int t = 0; t < num_threads; ++t) workspaces_.emplace_back(paths_);
  }

  absl::Status FindPaths(const std::vector<float>& prices,
                         const std::vector<float>& limits, int64_t max_visits,
                         FoundPaths* found) override {
    paths_.SetPrices(prices);
    const auto size = static_cast<int64_t>(problem_.demands.size());
    std::vector<std::vector<int32_t>> paths(problem_.demands.size());
    for (CheapestPaths::Workspace& workspace : workspaces_) {
      workspace.visits = 0;
    }
#pragma omp parallel num_threads(Threads(size, kDemandsPerThread))
    {
      CheapestPaths::Workspace& workspace = workspaces_[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 16)
      for (int64_t d = 0; d < size; ++d) {
        if (limits[d] > 0 && !MustStop() &&
            paths_.Search(problem_.demands[d], limits[d], max_visits,
                          &workspace)) {
          paths[d] = workspace.path;
        }
      }
    }
    *found = {.offsets = {0}, .pairs = {}};
    for (const std::vector<int32_t>& path : paths) {
      found->pairs.insert(found->pairs.end(), path.begin(), path.end());
      found->offsets.push_back(static_cast<int64_t>(found->pairs.size()));
    }
    for (const CheapestPaths::Workspace& workspace : workspaces_) {
      found->visits += workspace.visits;
    }
    return absl::OkStatus();
  }

  absl::Status Improve(const CyclePool& pool, int64_t steps,
                       CycleFlows* flows) override {
    // Extrapolated by as much as they changed.
    std::vector<float> ahead(flows->flow.size());
    std::vector<int32_t> used;
    for (size_t pair = 0; pair < flows->prices.size(); ++pair) {
      if (pool.use_offsets[pair] < pool.use_offsets[pair + 1]) {
        used.push_back(static_cast<int32_t>(pair));
      }
    }
    for (int64_t step = 0; step < steps && !MustStop(); ++step) {
      Step(pool, used, flows, &ahead);
    }
    return absl::OkStatus();
  }

 private:
  bool MustStop() const {
    return control_ != nullptr && control_->StopRequested();
  }

  int Threads(int64_t work, int64_t per_thread) const {
    return static_cast<int>(
        std::min(int64_t{num_threads_}, 1 + work / per_thread));
  }

  // One step of the primal variables and the worths of demands, then one of the
  // prices.
  void Step(const CyclePool& pool, const std::vector<int32_t>& used,
            CycleFlows* flows, std::vector<float>* ahead) const {
    const int threads =
        Threads(static_cast<int64_t>(pool.pairs.size()), kPairsPerThread);
    const auto num_demands = static_cast<int64_t>(problem_.demands.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t d = 0; d < num_demands; ++d) {
      float& worth = flows->worths[d];
      float sum = 0;
      for (int64_t c = pool.first[d]; c < pool.first[d + 1]; ++c) {
        float gain = 1 - worth;
        for (int64_t i = pool.offsets[c]; i < pool.offsets[c + 1]; ++i) {
          gain -= flows->prices[pool.pairs[i]];
        }
        const auto length =
            static_cast<float>(pool.offsets[c + 1] - pool.offsets[c]);
        const float before = flows->flow[c];
        flows->flow[c] = std::max(0.0F, before + gain / (length + 1));
        (*ahead)[c] = 2 * flows->flow[c] - before;
        sum += (*ahead)[c];
      }
      const int64_t count = pool.first[d + 1] - pool.first[d];
      if (count == 0) continue;
      const float excess = sum - problem_.capacities[problem_.demands[d]];
      worth = std::max(0.0F, worth + excess / static_cast<float>(count));
    }
    const auto num_used = static_cast<int64_t>(used.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t k = 0; k < num_used; ++k) {
      const int32_t pair = used[k];
      const int64_t begin = pool.use_offsets[pair];
      const int64_t count = pool.use_offsets[pair + 1] - begin;
      const float sum = Sum(*ahead, pool.uses.data() + begin, count);
      const float excess = sum - problem_.capacities[pair];
      flows->prices[pair] = std::max(
          0.0F, flows->prices[pair] + excess / static_cast<float>(count));
    }
  }

  static float Sum(const std::vector<float>& ahead, const int32_t* uses,
                   int64_t count) {
    if (count <= kMostSerialUses) {
      float sum = 0;
      for (int64_t i = 0; i < count; ++i) sum += ahead[uses[i]];
      return sum;
    }
    float sums[kSumLanes] = {};
    for (int64_t i = 0; i < count; ++i) sums[i % kSumLanes] += ahead[uses[i]];
    for (int half = kSumLanes / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
    }
    return sums[0];
  }

  const FractionalProblem& problem_;
  const int num_threads_;
  const SearchControl* const control_;
  CheapestPaths paths_;
  std::vector<CheapestPaths::Workspace> workspaces_;
};

}  // namespace

std::unique_ptr<FractionalEngine> NewFractionalEngineCpu(
    const FractionalProblem& problem, int num_threads,
    const SearchControl* control) {
  return std::make_unique<Engine>(problem, num_threads, control);
}

}  // namespace warpclust
