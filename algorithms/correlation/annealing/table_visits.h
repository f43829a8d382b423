// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The visits of a sweep by the table engine (annealing_engines.h), split so
// that vector instructions make sixteen at a time: what a visit draws depends
// on no partition; and few visits move a vertex, so the next one that does is
// looked for.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_TABLE_VISITS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_TABLE_VISITS_H_

#include <cstdint>
#include <type_traits>
#include <vector>

#include "algorithms/correlation/annealing/annealing.h"

namespace warpclust::internal {

// What is compared with sums of that type.
template <typename Weight>
using LimitOf =
    std::conditional_t<std::is_same_v<Weight, int64_t>, int64_t, int32_t>;

// What the visits of a sweep draw, by position.
template <typename Limit>
struct DrawnVisits {
  explicit DrawnVisits(int32_t num_positions)
      : neighbors(num_positions), limits(num_positions) {}
  // The position of the drawn neighbor; num_positions is a new cluster.
  std::vector<int32_t> neighbors;
  // The largest delta that is accepted, at least 0. The largest Limit stands
  // for all above, since no delta is larger.
  std::vector<Limit> limits;
};

template <typename Limit>
void DrawVisits(const AnnealingPlan& plan, uint64_t sweep_key,
                double temperature, DrawnVisits<Limit>* visits);

// The first position from `begin` on whose visit accepts another column than
// its own; num_positions if none does. The column of position p is columns[p],
// the empty one columns[num_positions]; w(p, column) is sums[column * stride +
// p]. One more sum behind them may be read.
template <typename Weight>
int32_t NextMove(const DrawnVisits<LimitOf<Weight>>& visits,
                 const int32_t* columns, const Weight* sums, int64_t stride,
                 int32_t begin);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_TABLE_VISITS_H_
