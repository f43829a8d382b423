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
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"

namespace warpclust {

// In a step, the first num_sent points of this rank go to rank `to`. Its points
// [begin, begin + num_mine) meet the first ones of rank `from`; those of the
// smaller rank are the first rows.
struct BlockMeeting {
  int step = 0;
  int to = 0;
  int from = 0;
  int32_t num_sent = 0;
  int32_t begin = 0;
  int32_t num_mine = 0;
  int32_t num_others = 0;
  bool mine_are_first = false;

  int32_t num_rows() const { return num_mine + num_others; }
  int32_t RowOfMine(int32_t i) const {
    return (mine_are_first ? 0 : num_others) + i - begin;
  }
  int32_t RowOfOther(int32_t place) const {
    return (mine_are_first ? num_mine : 0) + place;
  }
};

inline int NumMeetings(const Communicator& ranks) { return ranks.size() / 2; }

// The meeting of step 1 … NumMeetings, before the others have come.
inline BlockMeeting MakeMeeting(const Communicator& ranks, int32_t num_points,
                                int step) {
  const int p = ranks.size();
  BlockMeeting meeting;
  meeting.step = step;
  meeting.to = ranks.Before(step);
  meeting.from = ranks.After(step);
  meeting.mine_are_first = ranks.rank() < meeting.from;
  meeting.num_sent = num_points;
  if (2 * step == p && ranks.rank() >= step) {
    meeting.num_sent /= 2;
    meeting.begin = meeting.num_sent;
  }
  meeting.num_mine = num_points - meeting.begin;
  return meeting;
}

enum class MeetingOrder { kAscending, kDescending };

// query(i), a Query, goes with point i to the rank that it meets; it may run on
// several threads at once. meet(meeting, queries, answers) gets those of the
// others, keeps what it finds for its own points, and sets an Answer for each
// of the others; it may exchange data with meeting.to and meeting.from.
// take(rank, answers) gets those for this rank's first points. A search that
// follows another in the opposite order begins with the block that the other
// ended with.
template <typename Answer, typename MakeQuery, typename Meet, typename Take>
absl::Status MeetOtherBlocks(Communicator& ranks, int32_t num_points,
                             int num_threads, MeetingOrder order,
                             const MakeQuery& query, const Meet& meet,
                             const Take& take) {
  using Query = decltype(query(int32_t{0}));
  const int num_meetings = NumMeetings(ranks);
  for (int k = 1; k <= num_meetings; ++k) {
    const int step =
        order == MeetingOrder::kAscending ? k : num_meetings + 1 - k;
    BlockMeeting meeting = MakeMeeting(ranks, num_points, step);
    Stopwatch stopwatch;
    std::vector<Query> queries(meeting.num_sent);
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int32_t i = 0; i < meeting.num_sent; ++i) queries[i] = query(i);
    ASSIGN_OR_RETURN(const std::vector<Query> other_queries,
                     ranks.SendReceiveAll(absl::MakeConstSpan(queries),
                                          meeting.to, meeting.from));
    queries = std::vector<Query>();
    meeting.num_others = static_cast<int32_t>(other_queries.size());
    std::vector<Answer> answers(other_queries.size());
    stopwatch.Lap("queries for another block");
    RETURN_IF_ERROR(meet(meeting, absl::MakeConstSpan(other_queries),
                         absl::MakeSpan(answers)));
    stopwatch.Lap();
    ASSIGN_OR_RETURN(const std::vector<Answer> mine,
                     ranks.SendReceiveAll(absl::MakeConstSpan(answers),
                                          meeting.from, meeting.to));
    take(meeting.to, absl::MakeConstSpan(mine));
    stopwatch.Lap("answers of another block");
  }
  return absl::OkStatus();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MEETINGS_H_
