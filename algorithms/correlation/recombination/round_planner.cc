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

// Good partitions of a dense graph have little in common, so recombination
// gains little and the length of the chains counts: a round has few of them
// (kMostDenseChains), and longer ones than the round before. Those of a sparse
// graph agree on most of it. Deep annealing of the little that remains costs
// less than one chain, and reaches what the chains reach together: many short
// ones, which differ more than long ones.
constexpr int64_t kMostSparseChains = 64;
// The most chains of a round of the search of a core, and of a round that is
// followed by such a search.
constexpr int64_t kCoreChains = 16;
constexpr int64_t kChainsBeforeCore = 4;
// In some dense graphs, those with half of the edges negative, long chains are
// no better than short ones, so that their number counts. So from round
// kFirstDenseRounds on, each of some chains is replaced by kShortChains of
// 1 / kShortChains of the length. kManyLong chains stay long if the long ones
// did better in the last round; otherwise kMostDenseChains - kManyLong do.
// After rounds in which the long ones did better, all chains become four times
// as long. If they did no better than those of the length before, there is a
// second round of this length first: it costs a quarter of a longer one.
constexpr int kShortChains = 8;
constexpr int64_t kManyLong = 12;
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
         : context_.prefers_table ? kMostDenseChains
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
      std::min(r, kFirstDenseRounds - 1) + 2 * lengthenings_;
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
  if (prefers_short_) return;
  if (best_of_length_ >= best_of_length_before_ && !repeated_) {
    repeated_ = true;
    return;
  }
  repeated_ = false;
  best_of_length_before_ = best_of_length_;
  best_of_length_ = std::numeric_limits<int64_t>::max();
  ++lengthenings_;
}

absl::StatusOr<RoundSize> RoundPlanner::SizeOf(int64_t r) {
  RoundSize size;
  if (r >= kFirstDenseRounds) LengthenIfItPays();
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
                                   const StartPortfolio& portfolio) const {
  RoundChains chains;
  if (context_.is_core || !context_.prefers_table || r < kFirstDenseRounds ||
      size.num_chains < kMostDenseChains) {
    chains.strategies = portfolio.Choose(context_.is_core ? kFirstCoreRound : r,
                                         size.num_chains);
    chains.sweeps.assign(chains.strategies.size(), size.sweeps);
    return chains;
  }
  const int64_t num_long =
      prefers_short_ ? kMostDenseChains - kManyLong : kManyLong;
  const int64_t num_short = (kMostDenseChains - num_long) * kShortChains;
  const std::vector<int> of_long = portfolio.Choose(r, num_long);
  const std::vector<int> of_short = portfolio.Choose(r, num_short);
  // Evenly mixed, since each rank gets a range of them.
  const int64_t count = num_long + num_short;
  for (int64_t i = 0, next_long = 0; i < count; ++i) {
    const bool is_long = next_long * count <= i * num_long;
    chains.strategies.push_back(is_long ? of_long[next_long]
                                        : of_short[i - next_long]);
    chains.sweeps.push_back(is_long ? size.sweeps
                                    : std::max(1, size.sweeps / kShortChains));
    next_long += is_long;
  }
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
