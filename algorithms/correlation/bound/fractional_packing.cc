// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/fractional_packing.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "algorithms/correlation/bound/engine/fractional_engine.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"

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
// Searches for the first cycles, and the price of a pair with nothing left.
constexpr int kMostFirstSearches = 16;
constexpr float kUsedUp = 2;
// Entries of rows that a search may look at.
constexpr int64_t kPriceVisits = 3'000;
constexpr int64_t kMostVisits = 48'000;

class Solver {
 public:
  Solver(const AgreeingEdges& edges, const std::vector<int64_t>& capacities,
         const FractionalOptions& options, const SearchControl* control)
      : capacities_(capacities),
        options_(options),
        control_(control),
        problem_{edges, {}, {}},
        demands_(problem_.demands) {
    double sum = 0;
    int64_t largest = 1;
    for (size_t i = 0; i < capacities.size(); ++i) {
      if (!edges.pairs[i].agrees) {
        problem_.demands.push_back(static_cast<int32_t>(i));
      }
      sum += static_cast<double>(capacities[i]);
      largest = std::max(largest, capacities[i]);
    }
    unit_ = sum / static_cast<double>(std::max<size_t>(1, capacities.size()));
    for (const int64_t capacity : capacities) {
      problem_.capacities.push_back(InUnits(capacity));
    }
    while (parts_ < kMostParts && parts_ * largest < kMostCapacity) parts_ *= 2;
    flows_.worths.assign(demands_.size(), 0);
    flows_.prices.assign(capacities.size(), 0);
    pool_.first.assign(demands_.size() + 1, 0);
  }

  absl::StatusOr<FractionalPacking> Solve(
      const std::vector<PackedCycle>& cycles) {
    RETURN_IF_ERROR(AddFirstCycles(cycles));
    int64_t most = 0;
    for (const int32_t pair : demands_) most += capacities_[pair] * parts_;
    int64_t before = 0;
    int64_t step_work = 0;
    for (int round = 0; round < options_.rounds && !MustStop(); ++round) {
      size_t added = 0;
      // The first cycles come first.
      if (round > 0 || pool_.pairs.empty()) {
        ASSIGN_OR_RETURN(added, Price());
      } else {
        added = demands_.size();
      }
      const bool last = added == 0 || round + 1 == options_.rounds ||
                        visits_ > options_.max_visits;
      // Fewer in huge graphs.
      const auto step = static_cast<int64_t>(pool_.pairs.size());
      const int64_t steps = std::min<int64_t>(
          last ? kLastSteps * options_.steps : options_.steps,
          (kMostStepWork - step_work) / std::max<int64_t>(1, step));
      step_work += steps * step;
      Stopwatch stopwatch;
      RETURN_IF_ERROR(OnEngine([&](FractionalEngine& engine) {
        return engine.Improve(pool_, steps, &flows_);
      }));
      stopwatch.Lap("flows of cycles");
      if (last) break;
      const bool few = added < demands_.size() / 20;
      if (!few && !MayCoverAll()) continue;
      const std::vector<int64_t> weights = RoundedWeights();
      const int64_t total =
          std::accumulate(weights.begin(), weights.end(), int64_t{0});
      if (total == most) break;
      // Few cycles were added, and helped little.
      if (few && total - before < total / 20'000) {
        if (price_visits_ >= kMostVisits) break;
        price_visits_ *= 4;
      }
      before = total;
    }
    return Packing();
  }

 private:
  bool MustStop() const {
    return control_ != nullptr && control_->StopRequested();
  }

  // Calls `use` with the engine, and once more with that of the CPU if memory
  // of the GPU runs out.
  template <typename Use>
  absl::Status OnEngine(const Use& use) {
    if (engine_ == nullptr && options_.device == Device::kCuda) {
      absl::StatusOr<std::unique_ptr<FractionalEngine>> engine =
          NewFractionalEngineCuda(problem_, control_);
      if (engine.ok()) {
        engine_ = *std::move(engine);
      } else if (!absl::IsResourceExhausted(engine.status())) {
        return engine.status();
      }
    }
    if (engine_ != nullptr) {
      const absl::Status status = use(*engine_);
      if (!absl::IsResourceExhausted(status)) return status;
    }
    engine_ = NewFractionalEngineCpu(problem_, options_.num_threads, control_);
    return use(*engine_);
  }

  // Cycles that join the pool: those of demand d are the paths [first[d],
  // first[d + 1]).
  struct NewCycles {
    std::vector<int64_t> first = {0};
    std::vector<int64_t> offsets = {0};
    std::vector<int32_t> pairs;
    std::vector<float> flows;
  };

  void AddToPool(const NewCycles& added) {
    Stopwatch stopwatch;
    CyclePool pool;
    const auto num_demands = static_cast<int64_t>(demands_.size());
    pool.first.resize(demands_.size() + 1);
    pool.offsets.resize(pool_.offsets.size() + added.flows.size());
    pool.pairs.resize(pool_.pairs.size() + added.pairs.size());
    std::vector<float> flow(flows_.flow.size() + added.flows.size());
    // What a demand has begins behind what those before it have in both.
#pragma omp parallel for num_threads(options_.num_threads) schedule(static)
    for (int64_t d = 0; d <= num_demands; ++d) {
      int64_t next = pool_.first[d] + added.first[d];
      int64_t i = pool_.offsets[pool_.first[d]] + added.offsets[added.first[d]];
      pool.first[d] = next;
      if (d == num_demands) {
        pool.offsets[next] = i;
        continue;
      }
      const auto append = [&](const auto& from, const std::vector<float>& own) {
        for (int64_t c = from.first[d]; c < from.first[d + 1]; ++c) {
          pool.offsets[next] = i;
          flow[next++] = own[c];
          for (int64_t k = from.offsets[c]; k < from.offsets[c + 1]; ++k) {
            pool.pairs[i++] = from.pairs[k];
          }
        }
      };
      append(pool_, flows_.flow);
      append(added, added.flows);
    }
    pool.use_offsets.assign(capacities_.size() + 1, 0);
    for (const int32_t pair : pool.pairs) ++pool.use_offsets[pair + 1];
    for (size_t i = 0; i < capacities_.size(); ++i) {
      pool.use_offsets[i + 1] += pool.use_offsets[i];
    }
    pool.uses.resize(pool.pairs.size());
    std::vector<int64_t> next(pool.use_offsets.begin(),
                              pool.use_offsets.end() - 1);
    for (size_t c = 0; c < flow.size(); ++c) {
      for (int64_t i = pool.offsets[c]; i < pool.offsets[c + 1]; ++i) {
        pool.uses[next[pool.pairs[i]]++] = static_cast<int32_t>(c);
      }
    }
    pool_ = std::move(pool);
    flows_.flow = std::move(flow);
    stopwatch.Lap("pool of cycles");
  }

  // Adds these cycles, and those that fit beside them.
  absl::Status AddFirstCycles(const std::vector<PackedCycle>& cycles) {
    std::vector<int32_t> demand_of(capacities_.size(), -1);
    for (size_t d = 0; d < demands_.size(); ++d) {
      demand_of[demands_[d]] = static_cast<int32_t>(d);
    }
    std::vector<int64_t> left = capacities_;
    std::vector<std::vector<PackedCycle>> added(demands_.size());
    for (const PackedCycle& cycle : cycles) {
      if (cycle.weight == 0) continue;
      left[cycle.contradicting] -= cycle.weight;
      for (const int32_t pair : cycle.path) left[pair] -= cycle.weight;
      added[demand_of[cycle.contradicting]].push_back(cycle);
    }
    std::vector<float> prices(capacities_.size());
    std::vector<float> limits(demands_.size());
    FoundPaths found;
    int64_t max_visits = kPriceVisits;
    for (int s = 0; s < kMostFirstSearches && options_.rounds > 0; ++s) {
      if (MustStop() || visits_ > options_.max_visits) break;
      for (size_t i = 0; i < left.size(); ++i) {
        prices[i] = left[i] > 0 ? 0 : kUsedUp;
      }
      for (size_t d = 0; d < demands_.size(); ++d) {
        limits[d] = left[demands_[d]] > 0 ? 1 : 0;
      }
      RETURN_IF_ERROR(Find(prices, limits, max_visits, &found));
      // The shortest first.
      std::vector<std::pair<int64_t, int32_t>> order;
      for (size_t d = 0; d < demands_.size(); ++d) {
        const int64_t length = found.offsets[d + 1] - found.offsets[d];
        if (length > 0) order.emplace_back(length, static_cast<int32_t>(d));
      }
      std::sort(order.begin(), order.end());
      for (const auto& [length, d] : order) {
        const int32_t* const path = found.pairs.data() + found.offsets[d];
        int64_t weight = left[demands_[d]];
        for (int64_t i = 0; i < length; ++i) {
          weight = std::min(weight, left[path[i]]);
        }
        left[demands_[d]] -= weight;
        for (int64_t i = 0; i < length; ++i) left[path[i]] -= weight;
        // One that does not fit may have its part later.
        added[d].push_back({weight, demands_[d], {path, path + length}});
      }
      if (order.size() < demands_.size() / 200 + 1) {
        if (max_visits == kMostVisits) break;
        max_visits = kMostVisits;
      }
    }
    NewCycles first;
    for (const std::vector<PackedCycle>& own : added) {
      for (const PackedCycle& cycle : own) {
        first.pairs.insert(first.pairs.end(), cycle.path.begin(),
                           cycle.path.end());
        first.offsets.push_back(static_cast<int64_t>(first.pairs.size()));
        first.flows.push_back(InUnits(cycle.weight));
      }
      first.first.push_back(static_cast<int64_t>(first.flows.size()));
    }
    AddToPool(first);
    return absl::OkStatus();
  }

  absl::Status Find(const std::vector<float>& prices,
                    const std::vector<float>& limits, int64_t max_visits,
                    FoundPaths* found) {
    Stopwatch stopwatch;
    RETURN_IF_ERROR(OnEngine([&](FractionalEngine& engine) {
      return engine.FindPaths(prices, limits, max_visits, found);
    }));
    visits_ += found->visits;
    stopwatch.Lap("search for cycles");
    return absl::OkStatus();
  }

  // Adds the cheapest cycles that are better than those in the pool.
  absl::StatusOr<size_t> Price() {
    std::vector<float> limits(demands_.size());
    for (size_t d = 0; d < demands_.size(); ++d) {
      limits[d] = 1 - flows_.worths[d] - kLeastGain;
    }
    FoundPaths found;
    RETURN_IF_ERROR(Find(flows_.prices, limits, price_visits_, &found));
    NewCycles added;
    for (size_t d = 0; d < demands_.size(); ++d) {
      if (found.offsets[d] < found.offsets[d + 1] && !IsInPool(d, found)) {
        added.pairs.insert(added.pairs.end(),
                           found.pairs.begin() + found.offsets[d],
                           found.pairs.begin() + found.offsets[d + 1]);
        added.offsets.push_back(static_cast<int64_t>(added.pairs.size()));
        added.flows.push_back(0);
      }
      added.first.push_back(static_cast<int64_t>(added.flows.size()));
    }
    if (!added.flows.empty()) AddToPool(added);
    return added.flows.size();
  }

  bool IsInPool(size_t d, const FoundPaths& found) const {
    for (int64_t c = pool_.first[d]; c < pool_.first[d + 1]; ++c) {
      if (std::equal(pool_.pairs.begin() + pool_.offsets[c],
                     pool_.pairs.begin() + pool_.offsets[c + 1],
                     found.pairs.begin() + found.offsets[d],
                     found.pairs.begin() + found.offsets[d + 1])) {
        return true;
      }
    }
    return false;
  }

  float InUnits(int64_t capacity) const {
    return static_cast<float>(static_cast<double>(capacity) / unit_);
  }

  // Whether the flows sum to nearly all that is contradicted.
  bool MayCoverAll() const {
    double sum = 0;
    double most = 0;
    for (const float flow : flows_.flow) sum += static_cast<double>(flow);
    for (const int32_t pair : demands_) {
      most += static_cast<double>(problem_.capacities[pair]);
    }
    return sum > 0.999 * most;
  }

  // The flows as weights of cycles that fit.
  std::vector<int64_t> RoundedWeights() const {
    Stopwatch stopwatch;
    std::vector<int64_t> left = capacities_;
    for (int64_t& capacity : left) capacity *= parts_;
    std::vector<int64_t> weights(flows_.flow.size(), 0);
    const double scale = unit_ * static_cast<double>(parts_);
    for (const bool fill : {false, true}) {
      for (size_t d = 0; d < demands_.size(); ++d) {
        for (int64_t c = pool_.first[d]; c < pool_.first[d + 1]; ++c) {
          const auto begin = pool_.pairs.begin() + pool_.offsets[c];
          const auto end = pool_.pairs.begin() + pool_.offsets[c + 1];
          int64_t weight = left[demands_[d]];
          if (!fill) {
            const double flow = static_cast<double>(flows_.flow[c]) * scale;
            if (flow < static_cast<double>(weight)) {
              weight = static_cast<int64_t>(flow);
            }
          }
          for (auto i = begin; i < end && weight > 0; ++i) {
            weight = std::min(weight, left[*i]);
          }
          if (weight == 0) continue;
          for (auto i = begin; i < end; ++i) left[*i] -= weight;
          left[demands_[d]] -= weight;
          weights[c] += weight;
        }
      }
    }
    stopwatch.Lap("rounding");
    return weights;
  }

  FractionalPacking Packing() const {
    FractionalPacking result;
    result.parts = parts_;
    result.stopped = MustStop();
    const std::vector<int64_t> weights = RoundedWeights();
    for (size_t d = 0; d < demands_.size(); ++d) {
      for (int64_t c = pool_.first[d]; c < pool_.first[d + 1]; ++c) {
        if (weights[c] == 0) continue;
        result.total += weights[c];
        result.cycles.push_back({weights[c],
                                 demands_[d],
                                 {pool_.pairs.begin() + pool_.offsets[c],
                                  pool_.pairs.begin() + pool_.offsets[c + 1]}});
      }
    }
    return result;
  }

  const std::vector<int64_t>& capacities_;
  const FractionalOptions& options_;
  const SearchControl* const control_;
  double unit_ = 1;  // What a capacity of 1 is in floating-point numbers.
  int64_t parts_ = 1;
  FractionalProblem problem_;
  const std::vector<int32_t>& demands_;
  CyclePool pool_;
  CycleFlows flows_;
  int64_t visits_ = 0;
  int64_t price_visits_ = kPriceVisits;
  std::unique_ptr<FractionalEngine> engine_;
};

}  // namespace

absl::StatusOr<FractionalPacking> PackFractions(
    const AgreeingEdges& edges, const std::vector<int64_t>& capacities,
    const std::vector<PackedCycle>& cycles, const FractionalOptions& options,
    const SearchControl* control) {
  return Solver(edges, capacities, options, control).Solve(cycles);
}

}  // namespace warpclust
