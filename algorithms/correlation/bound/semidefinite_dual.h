// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindSemidefiniteDual: floating-point numbers near an optimum of the dual of
// the semidefinite relaxation. semidefinite_bound.h turns them into a proof; a
// bad solution gives a bad bound, never a wrong one.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SEMIDEFINITE_DUAL_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SEMIDEFINITE_DUAL_H_

#include <cstdint>
#include <vector>

#include "algorithms/correlation/search/search_control.h"

namespace warpclust {

// Matrices have n rows of SemidefiniteStride(n) entries; those beyond n are 0.
int64_t SemidefiniteStride(int32_t n);

// With the weights W, symmetric, of diagonal 0: diag(diagonal) - W - repulsion
// is nearly positive semidefinite and the sum of `diagonal` small.
struct SemidefiniteDual {
  std::vector<float> diagonal;
  // Symmetric, at least 0, of diagonal 0: what an inner product of at least 0
  // is worth.
  std::vector<float> repulsion;
};

// The primal is to maximize <W, X> over positive semidefinite X >= 0 of
// diagonal 1. X has a fixed low rank, one unit vector per vertex (Burer and
// Monteiro 2003), improved vector by vector (Wang, Chang, Kolter 2017, the
// mixing method). X >= 0 is relaxed by an augmented Lagrangian, whose
// multipliers are the repulsion; its penalty shrinks in `rounds` steps. In the
// end the multipliers are fixed, so that the vectors tell the diagonal.
//
// The root of the mean square of all weights is about 1. Serial; the same bytes
// on every machine. O(rounds * n^2) time, 4 n^2 bytes beside arguments and
// result. A request to `control`, unless null, ends it early, with any numbers.
SemidefiniteDual FindSemidefiniteDual(const std::vector<float>& weights,
                                      int32_t n, int rounds,
                                      const SearchControl* control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_SEMIDEFINITE_DUAL_H_
