// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/round_planner.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

// Partitions of a sparse graph agree on most of it. Deep annealing of the
// little that remains costs less than one chain, and reaches what the chains
// reach together: many short ones, which differ more than long ones.
constexpr int64_t kMostSparseChains = 64;
// The most chains of a round of the search of a core, and of a round that is
// followed by such a search.
constexpr int64_t kCoreChains = 16;
constexpr int64_t kChainsBeforeCore = 4;
// Good partitions of a dense graph have little in common, so recombination
// gains little, and single chains end in basins that they cannot leave. So from
// round kFirstDenseRounds on, chains are in populations (survivor.h). In the
// end, each of these consists of variants of one partition; two give the
// recombination something to combine.
constexpr int64_t kPopulations = 2;
constexpr int64_t kPopulationSize = 16;
// A population is selected at most kMostSegments times, once per
// kSweepsOfSegment sweeps at most: to set up the table of a chain takes as long
// as dozens of sweeps.
constexpr int64_t kSweepsOfSegment = 100;
constexpr int64_t kMostSegments = 64;
// The first populations make 1 << kFirstPopulationShift times the sweeps of the
// first round. Where half of the edges are negative, new populations gain more
// than longer ones; where most edges are negative, longer ones do. So the
// number of sweeps doubles as long as that pays (LengthenIfItPays); then it
// starts over.
constexpr int64_t kFirstPopulationShift = 4;
// The sweeps of the first round make this many visits, within these bounds.
constexpr int64_t kFirstVisits = 20000;
constexpr int64_t kLeastFirstSweeps = 100;
constexpr int64_t kMostFirstSweeps = 400;
// Rounds before the sizes above hold; see WantedSweeps.
constexpr int64_t kFirstSparseRounds = 2;
constexpr int64_t kFirstDenseRounds = 3;
constexpr int32_t kLeastSweeps = 20;
// Bounds the memory of temperatures, too.
constexpr int64_t kMostSweeps = 1 << 20;
// The share of the remaining time that a round may be expected to take.
constexpr double kShareOfTime = 0.7;

}  // namespace

// The most chains of a round.
int64_t RoundPlanner::MostChains() const {
  return context_.is_core         ? kCoreChains
         : has_core_              ? kChainsBeforeCore
         : context_.prefers_table ? kPopulations * kPopulationSize
                                  : kMostSparseChains;
}

// The chains that the ranks run side by side.
int64_t RoundPlanner::ChainsAtOnce() const {
  return context_.ranks.size() *
         (context_.device == Device::kCuda ? MostChains() : context_.threads);
}

// The sweeps of round r if there is time.
int64_t RoundPlanner::WantedSweeps(int64_t r) const {
  const int64_t first = std::clamp(kFirstVisits / plan_.num_positions(),
                                   kLeastFirstSweeps, kMostFirstSweeps);
  if (context_.is_core) return first;
  if (!context_.prefers_table) {
    return r < kFirstSparseRounds ? first : first / 3;
  }
  const int64_t doublings =
      r < kFirstDenseRounds ? r : kFirstPopulationShift + lengthenings_;
  return std::min(kMostSweeps, first << std::min<int64_t>(doublings, 20));
}

// The sweeps of round r: fewer if time is short, 0 if it is up.
int32_t RoundPlanner::SweepsOf(int64_t r, int64_t num_chains) {
  const int64_t wanted = WantedSweeps(r);
  const double left = context_.control.SecondsLeft() * kShareOfTime;
  if (left <= 0) {
    shortened_ = true;
    return 0;
  }
  const int64_t parallel = ChainsAtOnce();
  const double seconds =
      seconds_per_sweep_ * static_cast<double>(wanted) *
      static_cast<double>((num_chains + parallel - 1) / parallel);
  if (seconds <= left) return static_cast<int32_t>(wanted);
  shortened_ = true;
  const double fitting = static_cast<double>(wanted) * left / seconds;
  return fitting < kLeastSweeps ? 0 : static_cast<int32_t>(fitting);
}

// The chains of round r that there is time for.
int64_t RoundPlanner::ChainsInTime(int64_t r) const {
  if (seconds_per_sweep_ <= 0) return MostChains();
  const double batches =
      context_.control.SecondsLeft() * kShareOfTime /
      (seconds_per_sweep_ * static_cast<double>(WantedSweeps(r)));
  return ChainsAtOnce() * static_cast<int64_t>(std::min(
                              batches, static_cast<double>(MostChains())));
}

void RoundPlanner::LengthenIfItPays() {
  const int64_t none = std::numeric_limits<int64_t>::max();
  if (best_of_length_ < best_of_length_before_) {
    ++lengthenings_;
    best_of_length_before_ = best_of_length_;
  } else if (!repeated_) {
    repeated_ = true;
    return;
  } else {
    lengthenings_ = 0;
    best_of_length_before_ = none;
  }
  repeated_ = false;
  best_of_length_ = none;
}

absl::StatusOr<RoundSize> RoundPlanner::SizeOf(int64_t r) {
  RoundSize size;
  if (r > kFirstDenseRounds) LengthenIfItPays();
  size.num_chains =
      std::min(MostChains(), int64_t{1} << std::min<int64_t>(2 * r, 30));
  // Short of time, a sparse graph gets fewer chains before shorter ones.
  const int64_t fitting = std::max(ChainsInTime(r), ChainsAtOnce());
  if (!context_.prefers_table && fitting < size.num_chains) {
    size.num_chains = fitting;
    shortened_ = true;
  }
  size.sweeps = SweepsOf(r, size.num_chains);
  if (size.sweeps == 0 && size.num_chains > ChainsAtOnce()) {
    size.num_chains = ChainsAtOnce();
    size.sweeps = SweepsOf(r, size.num_chains);
  }
  size.shortened = shortened_ ? 1 : 0;
  RETURN_IF_ERROR(context_.ranks.Broadcast(absl::MakeSpan(&size, 1), 0));
  shortened_ = size.shortened != 0;
  return size;
}

RoundChains RoundPlanner::ChainsOf(int64_t r, const RoundSize& size,
                                   const StartPortfolio& portfolio,
                                   bool reheats_elite) const {
  RoundChains chains;
  chains.sweeps = size.sweeps;
  if (context_.is_core || !context_.prefers_table ||
      size.num_chains < kPopulations * kPopulationSize) {
    chains.strategies = portfolio.Choose(context_.is_core ? kFirstCoreRound : r,
                                         size.num_chains);
    return chains;
  }
  chains.strategies.assign(size.num_chains, kPopulationStrategy);
  if (reheats_elite) {
    std::fill_n(chains.strategies.begin() + kPopulationSize, kPopulationSize,
                kElitePopulationStrategy);
  }
  chains.population_size = kPopulationSize;
  chains.num_segments = static_cast<int32_t>(
      std::clamp<int64_t>(size.sweeps / kSweepsOfSegment, 1, kMostSegments));
  return chains;
}

void RoundPlanner::RecordTime(const RoundSize& size, double seconds) {
  seconds_per_sweep_ = seconds / size.sweeps;
  if (context_.device != Device::kCuda) {
    seconds_per_sweep_ /= static_cast<double>(
        (size.num_chains + ChainsAtOnce() - 1) / ChainsAtOnce());
  }
}

}  // namespace warpclust
