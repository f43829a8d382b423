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
#include <cstdint>
#include <future>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/machine/keep_where.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The most ranks whose visitors one pass chooses.
inline constexpr int kVisitedAtOnce = 8;

// The number of ranks that are visited in the steps from `step` on and whose
// visitors one pass chooses.
inline int NumVisitedAtOnce(const Communicator& ranks, int step) {
  return std::min(kVisitedAtOnce, ranks.size() - step);
}

// For each of these ranks, the points i with wants(rank, i), which ascend. One
// pass over the points; the lists take up to 4 * kVisitedAtOnce bytes per
// point.
template <typename Wants>
std::vector<std::vector<int32_t>> ChooseVisitors(const Communicator& ranks,
                                                 int step, int32_t num_points,
                                                 int num_threads,
                                                 const Wants& wants) {
  const int count = NumVisitedAtOnce(ranks, step);
  return CollectNumbers(num_points, count, num_threads,
                        [&](int32_t point, auto* lists) {
                          for (int k = 0; k < count; ++k) {
                            if (wants(ranks.After(step + k), point)) {
                              (*lists)[k].push_back(point);
                            }
                          }
                        });
}

// Points of this rank visit each other rank r, with their coordinates and a
// Query each. choose(step) returns a list of points for each of
// NumVisitedAtOnce(ranks, step) ranks. rows_of(r, &points), called before the
// visit, returns the coordinates of those of a list, and may leave out some:
// what they found on the ranks before may suffice. queries_of(points) returns a
// vector of their queries. search(visitors, queries, answers) sets an Answer
// for each visitor from another rank, and take(r, visitors, answers) gets those
// of rank r; an empty Answer does not travel. If there is a meanwhile(), it
// runs while the first visitors travel, and must not use `ranks`; with one rank
// it runs all the same. Errors of these functions are returned.
template <typename Answer, typename Choose, typename RowsOf, typename QueriesOf,
          typename Search, typename Take>
absl::Status VisitOtherRanks(
    Communicator& ranks, int32_t num_dimensions, int num_threads,
    const Choose& choose, const RowsOf& rows_of, const QueriesOf& queries_of,
    const Search& search, const Take& take,
    std::optional<absl::FunctionRef<absl::Status()>> meanwhile = std::nullopt) {
  if (ranks.size() == 1 && meanwhile.has_value()) return (*meanwhile)();
  std::vector<std::vector<int32_t>> chosen;
  Stopwatch stopwatch;
  for (int step = 1; step < ranks.size(); ++step) {
    const int to = ranks.After(step);
    const int from = ranks.Before(step);
    const int place = (step - 1) % kVisitedAtOnce;
    if (place == 0) {
      ASSIGN_OR_RETURN(chosen, choose(step));
      stopwatch.Lap("choice of visitors");
    }
    std::vector<int32_t> visitors = std::move(chosen[place]);
    ASSIGN_OR_RETURN(std::vector<double> rows, rows_of(to, &visitors));
    ASSIGN_OR_RETURN(const auto queries,
                     queries_of(absl::MakeConstSpan(visitors)));
    stopwatch.Lap("visitors");
    PointMatrix others;
    std::decay_t<decltype(queries)> other_queries;
    const bool is_beside = step == 1 && meanwhile.has_value();
    const auto exchange = [&]() -> absl::Status {
      Stopwatch travel;
      ASSIGN_OR_RETURN(
          other_queries,
          ranks.SendReceiveAll(absl::MakeConstSpan(queries), to, from));
      others.num_points = static_cast<int32_t>(other_queries.size());
      others.num_dimensions = num_dimensions;
      // The other threads are busy.
      ResizeVector(others.num_points * int64_t{num_dimensions},
                   is_beside ? 1 : num_threads, &others.values);
      RETURN_IF_ERROR(ranks.SendReceiveValues(
          absl::MakeConstSpan(rows), to, absl::MakeSpan(others.values), from));
      rows = std::vector<double>();
      travel.Lap("exchange of visitors");
      return absl::OkStatus();
    };
    if (is_beside) {
      std::future<absl::Status> travelling =
          std::async(std::launch::async, exchange);
      const absl::Status done = (*meanwhile)();
      RETURN_IF_ERROR(travelling.get());
      RETURN_IF_ERROR(done);
    } else {
      RETURN_IF_ERROR(exchange());
    }
    std::vector<Answer> answers(other_queries.size());
    stopwatch.Lap();
    RETURN_IF_ERROR(search(others, absl::MakeConstSpan(other_queries),
                           absl::MakeSpan(answers)));
    others = PointMatrix();
    stopwatch.Lap("search for visitors");
    std::vector<Answer> mine(visitors.size());
    if constexpr (!std::is_empty_v<Answer>) {
      RETURN_IF_ERROR(ranks.SendReceiveValues(absl::MakeConstSpan(answers),
                                              from, absl::MakeSpan(mine), to));
    }
    RETURN_IF_ERROR(
        take(to, absl::MakeConstSpan(visitors), absl::MakeConstSpan(mine)));
    stopwatch.Lap("exchange of answers");
  }
  return absl::OkStatus();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_VISITS_H_
