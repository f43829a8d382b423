// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MeetOtherBlocks: the points of each pair of ranks meet once, on one of the
// two. Blocks go half-way round a ring: in step s rank r has the block of rank
// r + s. With an even number of ranks, both of a pair would meet in the last
// step; then each takes half of the pairs. This is for many dimensions, where
// all points meet all others.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MEETINGS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MEETINGS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The points [begin, begin + num_mine) of this rank, and the first ones of
// another rank; those of the smaller rank are first.
struct BlockMeeting {
  int other_rank = 0;
  int32_t begin = 0;
  int32_t num_mine = 0;
  int32_t num_others = 0;
  bool mine_are_first = false;
  PointMatrix both;

  int32_t first_part() const { return mine_are_first ? num_mine : num_others; }
  // Rows of `both`.
  int32_t RowOfMine(int32_t i) const {
    return (mine_are_first ? 0 : num_others) + i - begin;
  }
  int32_t RowOfOther(int32_t place) const {
    return (mine_are_first ? num_mine : 0) + place;
  }
};

// query(i), a Query, goes with point i to the rank that it meets. meet(meeting,
// queries, answers) gets those of the others, keeps what it finds for its own
// points, and sets an Answer for each of the others. take(rank, i, answer) gets
// those for this rank's points.
template <typename Answer, typename MakeQuery, typename Meet, typename Take>
absl::Status MeetOtherBlocks(Communicator& ranks, const PointMatrix& points,
                             const MakeQuery& query, const Meet& meet,
                             const Take& take) {
  using Query = decltype(query(int32_t{0}));
  const int p = ranks.size();
  const int64_t d = points.num_dimensions;
  for (int step = 1; step <= p / 2; ++step) {
    const int to = (ranks.rank() - step + p) % p;
    const int from = (ranks.rank() + step) % p;
    int32_t num_sent = points.num_points;
    BlockMeeting meeting;
    meeting.other_rank = from;
    meeting.mine_are_first = ranks.rank() < from;
    if (2 * step == p && ranks.rank() >= step) {
      num_sent /= 2;
      meeting.begin = num_sent;
    }
    meeting.num_mine = points.num_points - meeting.begin;
    std::vector<Query> queries;
    for (int32_t i = 0; i < num_sent; ++i) queries.push_back(query(i));
    ASSIGN_OR_RETURN(
        const std::vector<Query> other_queries,
        ranks.SendReceiveAll(absl::MakeConstSpan(queries), to, from));
    queries = std::vector<Query>();
    meeting.num_others = static_cast<int32_t>(other_queries.size());

    const absl::Span<const double> values = points.values;
    const absl::Span<const double> my_rows = values.subspan(meeting.begin * d);
    PointMatrix& both = meeting.both;
    both.num_dimensions = points.num_dimensions;
    both.num_points = meeting.num_mine + meeting.num_others;
    ASSIGN_OR_RETURN(
        both.values,
        ranks.SendReceiveAll(values.subspan(0, num_sent * d), to, from));
    both.values.insert(
        meeting.mine_are_first ? both.values.begin() : both.values.end(),
        my_rows.begin(), my_rows.end());

    std::vector<Answer> answers(other_queries.size());
    RETURN_IF_ERROR(meet(meeting, absl::MakeConstSpan(other_queries),
                         absl::MakeSpan(answers)));
    both = PointMatrix();
    ASSIGN_OR_RETURN(
        const std::vector<Answer> mine,
        ranks.SendReceiveAll(absl::MakeConstSpan(answers), from, to));
    for (int32_t i = 0; i < num_sent; ++i) take(to, i, mine[i]);
  }
  return absl::OkStatus();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MEETINGS_H_
