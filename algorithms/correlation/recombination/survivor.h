// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Survivor: population annealing (Hukushima and Iba 2003). Chains of a
// population cool side by side, in steps of the temperature; at each step,
// better partitions are copied over worse ones. So the population leaves the
// basins in which a single chain would end.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SURVIVOR_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SURVIVOR_H_

#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/recombination/polish.h"

namespace warpclust {

// Populations are consecutive ranges of `population_size` of all candidates.
// Returns the member of its population that takes the place of candidate `i`
// when the temperature falls from `from` to `to`: itself, or one that `random`
// draws and that is better.
//
// With b = 1 / to - 1 / from, a partition that is better by d takes the place
// with probability 1 - exp(-b d). For a small b, that changes the share of a
// partition by the factor 1 + b (mean I - I), as drawing in proportion to
// exp(-b I) does.
int64_t Survivor(absl::Span<const Candidate> candidates, int64_t i,
                 int64_t population_size, double from, double to,
                 uint64_t random);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SURVIVOR_H_
