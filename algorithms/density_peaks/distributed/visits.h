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
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The points i of `num_points` with is_wanted(i), which ascend.
template <typename IsWanted>
std::vector<int32_t> PointsThat(int32_t num_points, int num_threads,
                                const IsWanted& is_wanted) {
  const int threads = ThreadsFor(num_points, 1 << 14, num_threads);
  std::vector<std::vector<int32_t>> parts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    const int64_t end = int64_t{num_points} * (thread + 1) / threads;
    for (int64_t i = int64_t{num_points} * thread / threads; i < end; ++i) {
      const auto point = static_cast<int32_t>(i);
      if (is_wanted(point)) parts[thread].push_back(point);
    }
  }
  std::vector<int32_t> points = std::move(parts[0]);
  for (int thread = 1; thread < threads; ++thread) {
    points.insert(points.end(), parts[thread].begin(), parts[thread].end());
  }
  return points;
}

// The rank that the first visitors go to.
inline int FirstVisited(const Communicator& ranks) {
  return (ranks.rank() + 1) % ranks.size();
}

// Sends choose(r), a vector of some of `points`, to each other rank r,
// together with query(i), a Query, for each i of them. search(visitors,
// queries, answers) sets an Answer for each visitor from another rank, and
// take(r, i, answer) gets those of rank r. Visitors are chosen, queries made
// and answers taken step by step. query() may run on several threads at once.
template <typename Answer, typename ChooseVisitors, typename MakeQuery,
          typename Search, typename Take>
absl::Status VisitOtherRanks(Communicator& ranks, const PointMatrix& points,
                             int num_threads, const ChooseVisitors& choose,
                             const MakeQuery& query, const Search& search,
                             const Take& take) {
  using Query = decltype(query(int32_t{0}));
  const int32_t d = points.num_dimensions;
  for (int step = 1; step < ranks.size(); ++step) {
    const int to = (FirstVisited(ranks) + step - 1) % ranks.size();
    const int from = (ranks.rank() - step + ranks.size()) % ranks.size();
    const std::vector<int32_t> visitors = choose(to);
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
    RETURN_IF_ERROR(search(others, absl::MakeConstSpan(other_queries),
                           absl::MakeSpan(answers)));
    others = PointMatrix();
    ASSIGN_OR_RETURN(
        const std::vector<Answer> mine,
        ranks.SendReceiveAll(absl::MakeConstSpan(answers), from, to));
    for (size_t v = 0; v < visitors.size(); ++v) {
      take(to, visitors[v], mine[v]);
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_VISITS_H_
