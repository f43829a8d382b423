// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VisitOtherRanks: points of each rank search among those of others. In step s
// rank r sends its visitors to rank r + s and answers those of rank r - s, so a
// rank holds the visitors from one rank at a time. In few dimensions, where few
// points have something near on another rank, that is an exchange of halos; in
// many, where all points visit all ranks, it is a ring of blocks.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_VISITS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_VISITS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The most ranks whose visitors one pass chooses.
inline constexpr int kVisitedAtOnce = 8;

// The rank that this one visits in a step.
inline int RankVisited(const Communicator& ranks, int step) {
  return (ranks.rank() + step) % ranks.size();
}

// For each rank visited in the steps from `step` on, up to kVisitedAtOnce, the
// points i with wants(rank, i), which ascend. One pass over the points; the
// lists take up to 4 * kVisitedAtOnce bytes per point.
template <typename Wants>
std::vector<std::vector<int32_t>> ChooseVisitors(const Communicator& ranks,
                                                 int step, int32_t num_points,
                                                 int num_threads,
                                                 const Wants& wants) {
  using Lists = std::vector<std::vector<int32_t>>;
  const int count = std::min(kVisitedAtOnce, ranks.size() - step);
  const int threads = ThreadsFor(num_points, 1 << 14, num_threads);
  std::vector<Lists> parts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    Lists part(count);
    const int64_t end = int64_t{num_points} * (thread + 1) / threads;
    for (int64_t i = int64_t{num_points} * thread / threads; i < end; ++i) {
      const auto point = static_cast<int32_t>(i);
      for (int k = 0; k < count; ++k) {
        if (wants(RankVisited(ranks, step + k), point)) {
          part[k].push_back(point);
        }
      }
    }
    parts[thread] = std::move(part);
  }
  Lists lists = std::move(parts[0]);
  for (int thread = 1; thread < threads; ++thread) {
    for (int k = 0; k < count; ++k) {
      const std::vector<int32_t>& more = parts[thread][k];
      lists[k].insert(lists[k].end(), more.begin(), more.end());
    }
  }
  return lists;
}

// Whether answers change what wants() says.
enum class Wanting { kIsFixed, kDependsOnAnswers };

// Sends those of `points` with wants(r, i) to each other rank r, together with
// query(i), a Query, for each i of them. search(visitors, queries, answers)
// sets an Answer for each visitor from another rank, and take(r, i, answer)
// gets those of rank r. `chosen` is empty, or what ChooseVisitors found for
// step 1. Before each step, wants() is asked again if it depends on answers;
// queries are made and answers taken step by step. wants() and query() may run
// on several threads at once.
template <typename Answer, typename Wants, typename MakeQuery, typename Search,
          typename Take>
absl::Status VisitOtherRanks(Communicator& ranks, const PointMatrix& points,
                             int num_threads,
                             std::vector<std::vector<int32_t>> chosen,
                             Wanting wanting, const Wants& wants,
                             const MakeQuery& query, const Search& search,
                             const Take& take) {
  using Query = decltype(query(int32_t{0}));
  const int32_t d = points.num_dimensions;
  Stopwatch stopwatch;
  for (int step = 1; step < ranks.size(); ++step) {
    const int to = RankVisited(ranks, step);
    const int from = RankVisited(ranks, ranks.size() - step);
    const int place = (step - 1) % kVisitedAtOnce;
    if (place == 0 && (step > 1 || chosen.empty())) {
      chosen =
          ChooseVisitors(ranks, step, points.num_points, num_threads, wants);
      stopwatch.Lap("choice of visitors");
    }
    std::vector<int32_t> visitors = std::move(chosen[place]);
    if (place > 0 && wanting == Wanting::kDependsOnAnswers) {
      // What they found on the ranks before may suffice.
      std::erase_if(visitors, [&](int32_t i) { return !wants(to, i); });
    }
    const auto count = static_cast<int64_t>(visitors.size());
    std::vector<Query> queries(count);
    std::vector<double> rows(count * d);
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int64_t v = 0; v < count; ++v) {
      queries[v] = query(visitors[v]);
      std::copy_n(points.Row(visitors[v]), d, rows.data() + v * d);
    }
    PointMatrix others;
    others.num_dimensions = d;
    ASSIGN_OR_RETURN(others.values,
                     ranks.SendReceiveAll(absl::MakeConstSpan(rows), to, from));
    rows = std::vector<double>();
    ASSIGN_OR_RETURN(
        const std::vector<Query> other_queries,
        ranks.SendReceiveAll(absl::MakeConstSpan(queries), to, from));
    others.num_points = static_cast<int32_t>(other_queries.size());
    std::vector<Answer> answers(other_queries.size());
    stopwatch.Lap("exchange of visitors");
    RETURN_IF_ERROR(search(others, absl::MakeConstSpan(other_queries),
                           absl::MakeSpan(answers)));
    others = PointMatrix();
    stopwatch.Lap("search for visitors");
    ASSIGN_OR_RETURN(
        const std::vector<Answer> mine,
        ranks.SendReceiveAll(absl::MakeConstSpan(answers), from, to));
    for (size_t v = 0; v < visitors.size(); ++v) {
      take(to, visitors[v], mine[v]);
    }
    stopwatch.Lap("exchange of answers");
  }
  return absl::OkStatus();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_VISITS_H_
