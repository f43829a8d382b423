// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The visits of a sweep by the table engine (annealing_engines.h), in two steps
// that vector instructions do for many visits at a time. DrawVisits draws for
// all visits of a sweep at once, since the draws do not depend on the
// partition. NextMove then finds the next visit that moves a vertex, since few
// visits do.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_TABLE_VISITS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_TABLE_VISITS_H_

#include <cstdint>
#include <type_traits>
#include <vector>

#include "algorithms/correlation/annealing/annealing.h"

namespace warpclust::internal {

// The type of a limit on differences of sums of type Weight.
template <typename Weight>
using LimitOf =
    std::conditional_t<std::is_same_v<Weight, int64_t>, int64_t, int32_t>;

// The draws of the visits of a sweep, by position.
template <typename Limit>
struct DrawnVisits {
  explicit DrawnVisits(int32_t num_positions)
      : neighbors(num_positions), limits(num_positions) {}
  // The position of the drawn neighbor; num_positions is a new cluster.
  std::vector<int32_t> neighbors;
  // The largest delta that is accepted, at least 0; clamped to the largest
  // Limit, which no delta exceeds.
  std::vector<Limit> limits;
};

// `sweep_key` is SweepKey of the chain and the sweep.
template <typename Limit>
void DrawVisits(const AnnealingPlan& plan, uint64_t sweep_key,
                double temperature, DrawnVisits<Limit>* visits);

// The first position at or after `begin` whose visit changes its column;
// num_positions if no visit moves a vertex. Position p is in column columns[p],
// and columns[num_positions] is the empty column. Sum w(p, column) is at
// sums[column * stride + p]; one sum after the last must be readable, too.
template <typename Weight>
int32_t NextMove(const DrawnVisits<LimitOf<Weight>>& visits,
                 const int32_t* columns, const Weight* sums, int64_t stride,
                 int32_t begin);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_TABLE_VISITS_H_
