// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_labels.h"

#include <utility>

#include "absl/status/status.h"
#include "algorithms/density_peaks/peaks/chain_ends.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// If the points of all ranks are at most this / ranks times those that depend
// on another rank, each rank had better have all than exchange them in rounds.
constexpr int64_t kManyAway = 16;

// FindChainEnds on a device.
absl::Status FindEnds(Device device, int threads, absl::Span<int32_t> next) {
  if (device == Device::kCuda && !next.empty()) {
    absl::Status status = FindChainEndsCuda(next);
    if (!absl::IsResourceExhausted(status)) return status;
  }
  internal::FindChainEnds(threads, next);
  return absl::OkStatus();
}

// Where a point's chain has come to: a label, or a point of another rank.
struct ChainEnd {
  int32_t label = -1;
  PointPlace at;
};

// By pointer jumping.
absl::StatusOr<std::vector<int32_t>> JumpFromRankToRank(
    std::vector<int32_t> dependents, absl::Span<const DependentAway> away,
    absl::Span<const LabelledPoint> roots, Device device, int threads,
    Communicator& ranks) {
  const auto n = static_cast<int32_t>(dependents.size());
  Stopwatch stopwatch;
  // On this rank, chains end at roots and at points that depend on others.
  std::vector<int32_t>& ends = dependents;
  for (const DependentAway& dependent : away) {
    ends[dependent.point] = dependent.point;
  }
  for (const LabelledPoint& root : roots) ends[root.place] = root.place;
  RETURN_IF_ERROR(FindEnds(device, threads, absl::MakeSpan(ends)));
  stopwatch.Lap("chains of own points");
  // From here on, an end with a label has ~label, and one without has n + k, if
  // it goes on at ways[k].
  for (const LabelledPoint& root : roots) ends[root.place] = ~root.label;
  std::vector<PointPlace> ways;
  std::vector<int32_t> open;
  for (const DependentAway& dependent : away) {
    if (ends[dependent.point] < 0) continue;
    open.push_back(dependent.point);
    ends[dependent.point] = n + static_cast<int32_t>(ways.size());
    ways.push_back(dependent.at);
  }
  const auto end_of = [&](int32_t place) -> ChainEnd {
    int32_t end = ends[place];
    if (end >= 0 && end < n) end = ends[end];
    if (end < 0) return {~end, {}};
    return {-1, ways[end - n]};
  };
  for (;;) {
    ASSIGN_OR_RETURN(
        const int64_t left,
        ranks.AllReduce(Reduction::kSum, static_cast<int64_t>(open.size())));
    if (left == 0) break;
    // Each asks, in the order of `open`: finding those that ask for the same
    // point takes longer than sending a few bytes more.
    std::vector<std::vector<int32_t>> asked(ranks.size());
    for (const int32_t i : open) {
      const PointPlace at = ways[ends[i] - n];
      asked[at.rank].push_back(at.place);
    }
    RankLists<int32_t> questions;
    for (const std::vector<int32_t>& places : asked) questions.Append(places);
    ASSIGN_OR_RETURN(const RankLists<int32_t> places,
                     ranks.AllToAll(questions));
    const auto num_replies = static_cast<int64_t>(places.values.size());
    RankLists<ChainEnd> replies;
    replies.offsets = places.offsets;
    replies.values.resize(num_replies);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t k = 0; k < num_replies; ++k) {
      replies.values[k] = end_of(places.values[k]);
    }
    ASSIGN_OR_RETURN(const RankLists<ChainEnd> answers,
                     ranks.AllToAll(replies));
    std::vector<int64_t> next = answers.offsets;
    std::vector<int32_t> still_open;
    for (const int32_t i : open) {
      PointPlace& at = ways[ends[i] - n];
      const ChainEnd end = answers.values[next[at.rank]++];
      at = end.at;
      if (end.label < 0) {
        still_open.push_back(i);
      } else {
        ends[i] = ~end.label;
      }
    }
    open = std::move(still_open);
  }
  stopwatch.Lap("chains on other ranks");
  // Ends, which are negative, are read, and other points written.
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    if (ends[i] >= 0) ends[i] = ~ends[ends[i]];
  }
  const auto set_label = [&](int32_t end) {
    if (ends[end] < 0) ends[end] = ~ends[end];
  };
  for (const DependentAway& dependent : away) set_label(dependent.point);
  for (const LabelledPoint& root : roots) set_label(root.place);
  return dependents;
}

// On each rank all chains.
absl::StatusOr<std::vector<int32_t>> FollowAll(
    std::vector<int32_t> dependents, absl::Span<const DependentAway> away,
    absl::Span<const LabelledPoint> roots, Device device, int threads,
    Communicator& ranks) {
  const auto n = static_cast<int32_t>(dependents.size());
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const std::vector<int64_t> firsts, ranks.Begins(n));
  const auto first = static_cast<int32_t>(firsts[ranks.rank()]);
  // From here on, places count through all ranks, and a root has ~label.
  std::vector<int32_t>& next = dependents;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    if (next[i] >= 0 && next[i] < n) next[i] += first;
  }
  for (const DependentAway& dependent : away) {
    next[dependent.point] =
        static_cast<int32_t>(firsts[dependent.at.rank]) + dependent.at.place;
  }
  for (const LabelledPoint& root : roots) next[root.place] = ~root.label;
  ASSIGN_OR_RETURN(const RankLists<int32_t> all,
                   ranks.AllGather(absl::MakeConstSpan(next)));
  stopwatch.Lap("dependent points of all ranks");
  std::vector<int32_t> ends = all.values;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < static_cast<int32_t>(ends.size()); ++i) {
    if (ends[i] < 0) ends[i] = i;
  }
  RETURN_IF_ERROR(FindEnds(device, threads, absl::MakeSpan(ends)));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) next[i] = ~all.values[ends[first + i]];
  stopwatch.Lap("chains of all points");
  return dependents;
}

}  // namespace

absl::StatusOr<std::vector<int32_t>> FollowDependents(
    std::vector<int32_t> dependents, absl::Span<const DependentAway> away,
    absl::Span<const LabelledPoint> roots, Device device, int num_threads,
    Communicator& ranks) {
  int64_t counts[] = {static_cast<int64_t>(dependents.size()),
                      static_cast<int64_t>(away.size())};
  RETURN_IF_ERROR(ranks.AllReduce(Reduction::kSum, absl::MakeSpan(counts)));
  const auto follow = ranks.size() * counts[0] <= kManyAway * counts[1]
                          ? FollowAll
                          : JumpFromRankToRank;
  return follow(std::move(dependents), away, roots, device,
                ResolveThreads(num_threads), ranks);
}

}  // namespace warpclust
