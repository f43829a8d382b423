// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/cycle_packing.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/bound/engine/agreeing_edges.h"
#include "algorithms/correlation/bound/fractional_packing.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "kernels/device/device_choice.h"

namespace warpclust {
namespace {

using Found = AgreeingEdges::Found;

// Longer cycles are left to the exchange.
constexpr int kMostGreedyPath = 32;
constexpr int64_t kMostGreedyVisits = 100'000;
constexpr int kMostExchangePath = 64;
// Of the exchange, in the trace.
constexpr int64_t kMostSteps = 200;

using Cycle = PackedCycle;

// Of the fractional packing, by the number of contradicting pairs: the table of
// algorithms/correlation/bound/BENCHMARKS.md.
ExpectedSeconds Expect(int64_t num_contradicting, int num_threads) {
  const auto demands = static_cast<double>(num_contradicting);
  return {3e-4 * demands / ResolveThreads(num_threads), 0.05 + 1e-5 * demands};
}

class Packer {
 public:
  // Weights become `parts` times as large.
  Packer(const SignedGraph& graph, absl::Span<const int32_t> labels,
         int64_t parts, const CyclePackingOptions& options,
         const SearchControl* control)
      : options_(options),
        parts_(parts),
        constant_cost_(graph.constant_cost),
        control_(control),
        edges_(graph, labels),
        cycles_of_(edges_.pairs.size()) {
    for (SignedPair& pair : edges_.pairs) {
      if (!pair.agrees) imbalance_ += pair.left;
      pair.left *= parts;
    }
  }

  // That of the labels, without the constant cost.
  int64_t imbalance() const { return imbalance_; }

  // Packs cycles by growing length. False if it gave up.
  bool PackShortest() {
    std::vector<int32_t> open;
    // One part of the weight of each pair.
    std::vector<int64_t> portion(parts_ > 1 ? edges_.pairs.size() : 0);
    for (size_t i = 0; i < portion.size(); ++i) {
      portion[i] = edges_.pairs[i].left / parts_;
    }
    for (size_t i = 0; i < edges_.pairs.size(); ++i) {
      if (!edges_.pairs[i].agrees) open.push_back(static_cast<int32_t>(i));
    }
    for (int length = 2; !open.empty(); ++length) {
      std::vector<int32_t> longer;
      // One part of the weight of each at a time.
      for (size_t i = 0; i < open.size(); ++i) {
        const int32_t pair = open[i];
        if (MustStop() || edges_.visits() > options_.max_greedy_visits) {
          return false;
        }
        Found found = Found::kPath;
        while (edges_.pairs[pair].left > 0 && found == Found::kPath) {
          found = edges_.Search(
              pair, {.length = length, .visits = kMostGreedyVisits});
          if (found != Found::kPath) break;
          if (parts_ == 1) {
            Add(pair, edges_.pairs[pair].left);
            continue;
          }
          Add(pair, std::min(portion[pair], edges_.pairs[pair].left));
          break;
        }
        if (edges_.pairs[pair].left == 0) continue;
        if (found == Found::kPath) {
          open.push_back(pair);
          continue;
        }
        (found == Found::kTooLong && length < kMostGreedyPath ? longer
                                                              : waiting_)
            .push_back(pair);
      }
      open.swap(longer);
      NoteStep();
    }
    return true;
  }

  // Gives cycles to pairs that wait, at the expense of others.
  void Exchange() {
    Random random(1);
    std::deque<int32_t> queue(waiting_.begin(), waiting_.end());
    const int64_t last_visit = edges_.visits() + options_.max_visits;
    int64_t exchanges = 0;
    size_t failures = 0;  // In a row.
    int64_t next_note = 0;
    Save();
    while (!queue.empty()) {
      if (edges_.visits() >= next_note) {
        NoteStep();
        next_note = edges_.visits() + options_.max_visits / kMostSteps;
        if (total_ > saved_total_ + saved_total_ / 1000) Save();
        // Exchanges lose more than they gain.
        if (total_ < saved_total_ - saved_total_ / 50) return;
      }
      const int32_t pair = queue.front();
      queue.pop_front();
      while (edges_.pairs[pair].left > 0) {
        if (exchanges++ >= options_.max_exchanges) return;
        if (edges_.visits() > last_visit || MustStop()) return;
        PathLimits limits = {.length = kMostExchangePath,
                             .visits = options_.max_path_visits,
                             .shuffle = 1 + (random.Next() >> 40)};
        if (edges_.Search(pair, limits) == Found::kPath) {
          Add(pair, edges_.pairs[pair].left);
          continue;
        }
        // Mostly the total stays. Two expelled cycles leave a dead end.
        limits.used_up = random.Below(3) == 0 ? 2 : 1;
        if (edges_.Search(pair, limits) != Found::kPath) {
          queue.push_back(pair);
          if (++failures > 64 * queue.size()) return;
          break;
        }
        failures = 0;
        Expel(pair, &random, &queue);
      }
    }
  }

  // Packs fractions of cycles, unless nothing can be gained.
  absl::Status PackFractionally() {
    TakeBest();
    if (total_ == imbalance_ * parts_ || MustStop()) return absl::OkStatus();
    std::vector<int64_t> capacities;
    int64_t num_contradicting = 0;
    for (const SignedPair& pair : edges_.pairs) {
      capacities.push_back(pair.left);
      num_contradicting += pair.agrees ? 0 : 1;
    }
    ASSIGN_OR_RETURN(
        const Device device,
        ResolveDevice(options_.device,
                      Expect(num_contradicting, options_.num_threads)));
    for (const Cycle& cycle : cycles_) {
      if (cycle.weight == 0) continue;
      capacities[cycle.contradicting] += cycle.weight;
      for (const int32_t pair : cycle.path) capacities[pair] += cycle.weight;
    }
    ASSIGN_OR_RETURN(
        FractionalPacking packing,
        PackFractions(edges_, capacities, cycles_,
                      {.rounds = options_.fraction_rounds,
                       .steps = options_.fraction_steps,
                       .max_visits = options_.max_fraction_visits,
                       .num_threads = ResolveThreads(options_.num_threads),
                       .device = device},
                      control_));
    stopped_ = packing.stopped;
    if (packing.total <= total_ * packing.parts) return absl::OkStatus();
    parts_ = packing.parts;
    total_ = packing.total;
    saved_total_ = 0;
    cycles_ = std::move(packing.cycles);
    NoteStep();
    return absl::OkStatus();
  }

  CyclePacking Result() {
    TakeBest();
    // The exchange may end a little below what it had.
    while (!steps_.empty() && steps_.back().bound >= Bound()) steps_.pop_back();
    NoteStep();
    CyclePacking result;
    result.steps = std::move(steps_);
    result.bound = Bound();
    result.parts = parts_;
    result.stopped = stopped_;
    for (const Cycle& cycle : cycles_) {
      if (cycle.weight == 0) continue;
      result.weights.push_back(cycle.weight);
      AppendVertices(cycle, &result.vertices);
      result.offsets.push_back(static_cast<int64_t>(result.vertices.size()));
    }
    return result;
  }

 private:
  void TakeBest() {
    if (total_ >= saved_total_) return;
    // What is left of the pairs is that of the other cycles.
    for (size_t i = 0; i < cycles_.size(); ++i) {
      if (cycles_[i].weight > 0) Change(cycles_[i], -cycles_[i].weight);
    }
    cycles_ = std::move(saved_);
    for (const Cycle& cycle : cycles_) {
      if (cycle.weight > 0) Change(cycle, cycle.weight);
    }
  }

  int64_t Bound() const {
    return constant_cost_ + (total_ + parts_ - 1) / parts_;
  }

  void Save() {
    saved_total_ = total_;
    saved_ = cycles_;
  }

  // Remembers the bound if it grew.
  void NoteStep() {
    if (control_ == nullptr) return;
    if (!steps_.empty() && Bound() <= steps_.back().bound) return;
    steps_.push_back({control_->seconds(), Bound()});
  }

  bool MustStop() {
    stopped_ = stopped_ || (control_ != nullptr && control_->StopRequested());
    return stopped_;
  }

  // Packs the path that was found, with the most weight up to `weight`.
  void Add(int32_t contradicting, int64_t weight) {
    const std::vector<int32_t>& path = edges_.path();
    for (const int32_t pair : path) {
      weight = std::min(weight, edges_.pairs[pair].left);
    }
    Change(contradicting, path, weight);
    if (free_.empty()) {
      free_.push_back(static_cast<int32_t>(cycles_.size()));
      cycles_.emplace_back();
    }
    const int32_t id = free_.back();
    free_.pop_back();
    for (const int32_t pair : path) cycles_of_[pair].push_back(id);
    cycles_[id] = {weight, contradicting, path};
  }

  void Remove(int32_t id, int64_t weight) {
    Cycle& cycle = cycles_[id];
    Change(cycle.contradicting, cycle.path, -weight);
    cycle.weight -= weight;
    if (cycle.weight > 0) return;
    for (const int32_t pair : cycle.path) {
      std::vector<int32_t>& ids = cycles_of_[pair];
      *std::find(ids.begin(), ids.end(), id) = ids.back();
      ids.pop_back();
    }
    free_.push_back(id);
  }

  void Change(const Cycle& cycle, int64_t weight) {
    Change(cycle.contradicting, cycle.path, weight);
  }

  void Change(int32_t contradicting, absl::Span<const int32_t> path,
              int64_t weight) {
    for (const int32_t pair : path) edges_.pairs[pair].left -= weight;
    edges_.pairs[contradicting].left -= weight;
    total_ += weight;
  }

  // Packs the path that was found, and removes cycles where nothing is left.
  void Expel(int32_t contradicting, Random* random,
             std::deque<int32_t>* queue) {
    std::vector<SignedPair>& pairs = edges_.pairs;
    int64_t weight = pairs[contradicting].left;
    for (const int32_t pair : edges_.path()) {
      // What is used up can give what its cycles have together.
      int64_t most = pairs[pair].left;
      if (most == 0) {
        for (const int32_t id : cycles_of_[pair]) most += cycles_[id].weight;
      }
      weight = std::min(weight, most);
    }
    for (const int32_t pair : edges_.path()) {
      while (pairs[pair].left < weight) {
        const std::vector<int32_t>& ids = cycles_of_[pair];
        const int32_t id = ids[random->Below(ids.size())];
        const int32_t loser = cycles_[id].contradicting;
        const int64_t removed =
            std::min(weight - pairs[pair].left, cycles_[id].weight);
        // A pair with something left is in the queue already.
        if (loser != contradicting && pairs[loser].left == 0) {
          queue->push_back(loser);
        }
        Remove(id, removed);
      }
    }
    Add(contradicting, weight);
  }

  // The vertices in order, from the ends of the negative pair.
  void AppendVertices(const Cycle& cycle, std::vector<int32_t>* out) const {
    const auto begin = static_cast<int64_t>(out->size());
    const SignedPair& closing = edges_.pairs[cycle.contradicting];
    int64_t first = static_cast<int64_t>(cycle.path.size());
    int32_t vertex = closing.u;
    for (const int32_t index : cycle.path) {
      const SignedPair& pair = edges_.pairs[index];
      if (pair.negative) first = static_cast<int64_t>(out->size()) - begin;
      out->push_back(vertex);
      vertex = pair.u == vertex ? pair.v : pair.u;
    }
    out->push_back(vertex);
    std::rotate(out->begin() + begin, out->begin() + begin + first, out->end());
  }

  const CyclePackingOptions options_;
  int64_t parts_;
  const int64_t constant_cost_;
  int64_t imbalance_ = 0;
  const SearchControl* const control_;
  bool stopped_ = false;
  std::vector<CyclePacking::Step> steps_;
  AgreeingEdges edges_;
  int64_t total_ = 0;
  std::vector<Cycle> cycles_;
  // The best packing so far, with that total.
  std::vector<Cycle> saved_;
  int64_t saved_total_ = 0;
  std::vector<int32_t> free_;  // Cycles of weight 0.
  std::vector<std::vector<int32_t>> cycles_of_;
  // Contradicting pairs whose weight PackShortest did not use up.
  std::vector<int32_t> waiting_;
};

}  // namespace

absl::StatusOr<CyclePacking> PackConflictedCycles(
    const SignedGraph& graph, absl::Span<const int32_t> labels,
    const CyclePackingOptions& options, const SearchControl* control) {
  RETURN_IF_ERROR(ValidateNumThreads(options.num_threads));
  if (options.parts < 0 || options.parts > 1024) {
    return absl::InvalidArgumentError(
        absl::StrCat("parts: expected 0 to 1024, found ", options.parts));
  }
  if (labels.size() != static_cast<size_t>(graph.num_vertices())) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a label for each of the ", graph.num_vertices(),
                     " vertices, found ", labels.size()));
  }
  constexpr size_t kMostPairs = std::numeric_limits<int32_t>::max();
  if (graph.neighbors.size() / 2 > kMostPairs) {
    return absl::InvalidArgumentError(absl::StrCat("expected at most ",
                                                   kMostPairs, " pairs, found ",
                                                   graph.neighbors.size() / 2));
  }
  Packer packer(graph, labels, 1, options, control);
  Stopwatch stopwatch;
  const bool has_shortest = packer.PackShortest();
  stopwatch.Lap("shortest cycles");
  if (has_shortest) packer.Exchange();
  stopwatch.Lap("exchange of cycles");
  if (options.fraction_rounds > 0) {
    RETURN_IF_ERROR(packer.PackFractionally());
  }
  CyclePacking packing = packer.Result();
  const int64_t cost = packer.imbalance();
  if (packing.bound - graph.constant_cost >= cost - cost / 20 ||
      options.parts == 0 || packing.stopped) {
    return packing;
  }
  const std::vector<int32_t> no_labels(labels.size(), 0);
  CyclePackingOptions whole = options;
  whole.max_greedy_visits = std::numeric_limits<int64_t>::max();
  Packer second(graph, no_labels, options.parts, whole, control);
  second.PackShortest();
  CyclePacking other = second.Result();
  packing.stopped = other.stopped;
  if (other.bound <= packing.bound) return packing;
  for (const CyclePacking::Step& step : other.steps) {
    if (step.bound > packing.bound) packing.steps.push_back(step);
  }
  other.steps = std::move(packing.steps);
  return other;
}

}  // namespace warpclust
