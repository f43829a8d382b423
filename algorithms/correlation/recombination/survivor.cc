// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/survivor.h"

#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"

namespace warpclust {

int64_t Survivor(absl::Span<const Candidate> candidates, int64_t i,
                 int64_t population_size, double from, double to,
                 uint64_t random) {
  const int64_t first = i / population_size * population_size;
  const int64_t other =
      first + internal::DrawnNeighbor(
                  random, static_cast<int32_t>(population_size - 1));
  const auto worse_by = static_cast<double>(candidates[i].imbalance -
                                            candidates[other].imbalance);
  // Metropolis' rule (annealing.h) at the temperature 1 / b decides whether
  // candidate i stays.
  const double temperature = to * from / (from - to);
  const double noise = internal::NoiseTable()[internal::NoiseIndex(random)];
  return worse_by > temperature * noise ? other : i;
}

}  // namespace warpclust
