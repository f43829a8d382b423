// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/fractional_packing.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "algorithms/correlation/bound/cheapest_path.h"

namespace warpclust {
namespace {

constexpr int64_t kMostParts = int64_t{1} << 16;
constexpr int64_t kMostCapacity = int64_t{1} << 50;
// A cycle must be that much better than the worth of its contradicting pair.
constexpr float kLeastGain = 1e-3F;
// Pairs of the pool, over all steps.
constexpr int64_t kMostStepWork = 10'000'000'000;
// How many times as many steps the last round has.
constexpr int kLastSteps = 4;
// Pairs of the pool, and searches, that are worth a thread.
constexpr size_t kPairsPerThread = 200'000;
constexpr size_t kDemandsPerThread = 2'000;

class Solver {
 public:
  Solver(const AgreeingEdges& edges, const std::vector<int64_t>& capacities,
         const FractionalOptions& options, const SearchControl* control)
      : edges_(edges),
        capacities_(capacities),
        options_(options),
        control_(control),
        paths_(edges),
        prices_(capacities.size(), 0) {
    double sum = 0;
    int64_t largest = 1;
    for (size_t i = 0; i < capacities.size(); ++i) {
      if (!edges.pairs[i].agrees) {
        demands_.push_back(static_cast<int32_t>(i));
      }
      sum += static_cast<double>(capacities[i]);
      largest = std::max(largest, capacities[i]);
    }
    unit_ = sum / static_cast<double>(std::max<size_t>(1, capacities.size()));
    while (parts_ < kMostParts && parts_ * largest < kMostCapacity) parts_ *= 2;
    worths_.assign(demands_.size(), 0);
    first_.assign(demands_.size() + 1, 0);
    for (int t = 0; t < options.num_threads; ++t)
      workspaces_.emplace_back(paths_);
  }

  FractionalPacking Solve(const std::vector<PackedCycle>& cycles) {
    AddCycles(cycles);
    int64_t most = 0;
    for (const int32_t pair : demands_) most += capacities_[pair] * parts_;
    int64_t before = 0;
    int64_t step_work = 0;
    for (int round = 0; round < options_.rounds && !MustStop(); ++round) {
      const size_t added = Price();
      const bool last = added == 0 || round + 1 == options_.rounds ||
                        Visits() > options_.max_visits;
      const int steps = last ? kLastSteps * options_.steps : options_.steps;
      for (int step = 0; step < steps && !MustStop(); ++step) {
        // Of huge graphs.
        step_work += static_cast<int64_t>(pairs_.size());
        if (step_work > kMostStepWork) break;
        Step();
      }
      const int64_t total = Round().total;
      if (last || total == most) break;
      // Few cycles were added, and helped little.
      if (added < demands_.size() / 20 && total - before < total / 20'000)
        break;
      before = total;
    }
    return Round();
  }

 private:
  bool MustStop() const {
    return control_ != nullptr && control_->StopRequested();
  }

  int64_t Visits() const {
    int64_t sum = 0;
    for (const CheapestPaths::Workspace& workspace : workspaces_) {
      sum += workspace.visits;
    }
    return sum;
  }

  // Adds paths to the pool: found[d] is that of demands_[d], or empty.
  // `flows` are theirs.
  void AddPaths(const std::vector<std::vector<std::vector<int32_t>>>& found,
                const std::vector<std::vector<float>>& flows) {
    std::vector<int64_t> first = {0};
    std::vector<int64_t> offsets = {0};
    std::vector<int32_t> pairs;
    std::vector<float> new_flows;
    for (size_t d = 0; d < demands_.size(); ++d) {
      for (int64_t c = first_[d]; c < first_[d + 1]; ++c) {
        pairs.insert(pairs.end(), pairs_.begin() + offsets_[c],
                     pairs_.begin() + offsets_[c + 1]);
        offsets.push_back(static_cast<int64_t>(pairs.size()));
        new_flows.push_back(flow_[c]);
      }
      for (size_t k = 0; k < found[d].size(); ++k) {
        pairs.insert(pairs.end(), found[d][k].begin(), found[d][k].end());
        offsets.push_back(static_cast<int64_t>(pairs.size()));
        new_flows.push_back(flows.empty() ? 0 : flows[d][k]);
      }
      first.push_back(static_cast<int64_t>(new_flows.size()));
    }
    first_.swap(first);
    offsets_.swap(offsets);
    pairs_.swap(pairs);
    flow_.swap(new_flows);
    ahead_.assign(flow_.size(), 0);
    // The transposed pool.
    use_offsets_.assign(capacities_.size() + 1, 0);
    for (const int32_t pair : pairs_) ++use_offsets_[pair + 1];
    for (size_t i = 0; i < capacities_.size(); ++i) {
      use_offsets_[i + 1] += use_offsets_[i];
    }
    uses_.resize(pairs_.size());
    std::vector<int64_t> next(use_offsets_.begin(), use_offsets_.end() - 1);
    for (size_t c = 0; c < flow_.size(); ++c) {
      for (int64_t i = offsets_[c]; i < offsets_[c + 1]; ++i) {
        uses_[next[pairs_[i]]++] = static_cast<int32_t>(c);
      }
    }
  }

  void AddCycles(const std::vector<PackedCycle>& cycles) {
    std::vector<int32_t> demand(capacities_.size(), -1);
    for (size_t d = 0; d < demands_.size(); ++d) {
      demand[demands_[d]] = static_cast<int32_t>(d);
    }
    std::vector<std::vector<std::vector<int32_t>>> found(demands_.size());
    std::vector<std::vector<float>> flows(demands_.size());
    for (const PackedCycle& cycle : cycles) {
      if (cycle.weight == 0) continue;
      const int32_t d = demand[cycle.contradicting];
      found[d].push_back(cycle.path);
      flows[d].push_back(
          static_cast<float>(static_cast<double>(cycle.weight) / unit_));
    }
    AddPaths(found, flows);
  }

  bool IsInPool(size_t d, const std::vector<int32_t>& path) const {
    for (int64_t c = first_[d]; c < first_[d + 1]; ++c) {
      if (offsets_[c + 1] - offsets_[c] == static_cast<int64_t>(path.size()) &&
          std::equal(path.begin(), path.end(), pairs_.begin() + offsets_[c])) {
        return true;
      }
    }
    return false;
  }

  // Adds the cheapest cycles that are better than those in the pool.
  size_t Price() {
    const int threads = Threads(demands_.size(), kDemandsPerThread);
    paths_.SetPrices(prices_);
    const auto size = static_cast<int64_t>(demands_.size());
    std::vector<std::vector<std::vector<int32_t>>> found(demands_.size());
#pragma omp parallel num_threads(threads)
    {
      CheapestPaths::Workspace& workspace = workspaces_[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 64)
      for (int64_t d = 0; d < size; ++d) {
        const float limit = 1 - worths_[d] - kLeastGain;
        if (limit <= 0 || MustStop()) continue;
        if (paths_.Search(demands_[d], limit, &workspace) &&
            !IsInPool(d, workspace.path)) {
          found[d].push_back(workspace.path);
        }
      }
    }
    size_t added = 0;
    for (const auto& paths : found) added += paths.size();
    if (added > 0) AddPaths(found, {});
    return added;
  }

  float Capacity(int64_t pair) const {
    return static_cast<float>(static_cast<double>(capacities_[pair]) / unit_);
  }

  // One step of the primal variables and the worths of contradicting pairs,
  // then one of the prices.
  void Step() {
    const int threads = Threads(pairs_.size(), kPairsPerThread);
    const auto num_demands = static_cast<int64_t>(demands_.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t d = 0; d < num_demands; ++d) {
      float sum = 0;
      for (int64_t c = first_[d]; c < first_[d + 1]; ++c) {
        float gain = 1 - worths_[d];
        for (int64_t i = offsets_[c]; i < offsets_[c + 1]; ++i) {
          gain -= prices_[pairs_[i]];
        }
        const auto length = static_cast<float>(offsets_[c + 1] - offsets_[c]);
        const float before = flow_[c];
        flow_[c] = std::max(0.0F, before + gain / (length + 1));
        ahead_[c] = 2 * flow_[c] - before;
        sum += ahead_[c];
      }
      const int64_t count = first_[d + 1] - first_[d];
      if (count == 0) continue;
      const float excess = sum - Capacity(demands_[d]);
      worths_[d] =
          std::max(0.0F, worths_[d] + excess / static_cast<float>(count));
    }
    const auto num_pairs = static_cast<int64_t>(capacities_.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t pair = 0; pair < num_pairs; ++pair) {
      const int64_t count = use_offsets_[pair + 1] - use_offsets_[pair];
      if (count == 0) continue;
      float sum = 0;
      for (int64_t i = use_offsets_[pair]; i < use_offsets_[pair + 1]; ++i) {
        sum += ahead_[uses_[i]];
      }
      const float excess = sum - Capacity(pair);
      prices_[pair] =
          std::max(0.0F, prices_[pair] + excess / static_cast<float>(count));
    }
  }

  int Threads(size_t work, size_t per_thread) const {
    return static_cast<int>(std::min(static_cast<size_t>(options_.num_threads),
                                     1 + work / per_thread));
  }

  // The flows as a packing.
  FractionalPacking Round() const {
    FractionalPacking result;
    result.parts = parts_;
    result.stopped = MustStop();
    std::vector<int64_t> left = capacities_;
    for (int64_t& capacity : left) capacity *= parts_;
    std::vector<int64_t> weights(flow_.size(), 0);
    const double scale = unit_ * static_cast<double>(parts_);
    for (const bool fill : {false, true}) {
      for (size_t d = 0; d < demands_.size(); ++d) {
        for (int64_t c = first_[d]; c < first_[d + 1]; ++c) {
          int64_t weight = left[demands_[d]];
          if (!fill) {
            const double flow = static_cast<double>(flow_[c]) * scale;
            if (flow < static_cast<double>(weight)) {
              weight = static_cast<int64_t>(flow);
            }
          }
          for (int64_t i = offsets_[c]; i < offsets_[c + 1]; ++i) {
            weight = std::min(weight, left[pairs_[i]]);
          }
          if (weight == 0) continue;
          for (int64_t i = offsets_[c]; i < offsets_[c + 1]; ++i) {
            left[pairs_[i]] -= weight;
          }
          left[demands_[d]] -= weight;
          weights[c] += weight;
          result.total += weight;
        }
      }
    }
    for (size_t d = 0; d < demands_.size(); ++d) {
      for (int64_t c = first_[d]; c < first_[d + 1]; ++c) {
        if (weights[c] == 0) continue;
        result.cycles.push_back(
            {weights[c],
             demands_[d],
             {pairs_.begin() + offsets_[c], pairs_.begin() + offsets_[c + 1]}});
      }
    }
    return result;
  }

  const AgreeingEdges& edges_;
  const std::vector<int64_t>& capacities_;
  const FractionalOptions& options_;
  const SearchControl* const control_;
  CheapestPaths paths_;
  std::vector<CheapestPaths::Workspace> workspaces_;
  double unit_ = 1;  // What a capacity of 1 is in floating-point numbers.
  int64_t parts_ = 1;
  std::vector<int32_t> demands_;  // The contradicting pairs.
  // Dual variables: of contradicting pairs by demand, of agreeing ones by pair.
  std::vector<float> worths_;
  std::vector<float> prices_;
  // The pool: demand d has the cycles [first_[d], first_[d + 1]), cycle c the
  // agreeing pairs_ in [offsets_[c], offsets_[c + 1]).
  std::vector<int64_t> first_;
  std::vector<int64_t> offsets_ = {0};
  std::vector<int32_t> pairs_;
  std::vector<float> flow_;   // Of cycles.
  std::vector<float> ahead_;  // Extrapolated by as much as it changed.
  // Pair i is in the cycles uses_ in [use_offsets_[i], use_offsets_[i + 1]).
  std::vector<int64_t> use_offsets_;
  std::vector<int32_t> uses_;
};

}  // namespace

FractionalPacking PackFractions(const AgreeingEdges& edges,
                                const std::vector<int64_t>& capacities,
                                const std::vector<PackedCycle>& cycles,
                                const FractionalOptions& options,
                                const SearchControl* control) {
  return Solver(edges, capacities, options, control).Solve(cycles);
}

}  // namespace warpclust
