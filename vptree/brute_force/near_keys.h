// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VisitNearKeys: the distance keys below a bound among the pairs of a few
// thousand points in many dimensions, by the filter of brute force. Use it
// where few pairs are that near: of the others no key is computed.
//
// Cost: preparing the points (pair_filter.h), single precision along up to 64
// axes for each pair, and the keys below the bound. Memory: as brute_force.h.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_NEAR_KEYS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_NEAR_KEYS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_rows.h"

namespace warpclust {

// Gives each key below `bound`, which is positive, to `take` once, many at a
// time; each of `num_threads` threads, which is at least 1, calls it with its
// own number, from 0. The pairs are those of one of the first `first_part`
// points, which are valid, with one of the others, except where their `numbers`
// are equal; or all pairs of different points if `first_part` is 0.
void VisitNearKeys(
    PointRows points, absl::Span<const int32_t> numbers, int32_t first_part,
    Norm norm, double bound, int num_threads,
    absl::FunctionRef<void(int thread, absl::Span<const double> keys)> take);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_NEAR_KEYS_H_
