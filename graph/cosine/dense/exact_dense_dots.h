// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ExactDenseDots: the dot products that decide edges, several at a time. Each
// is the sum of its exact products in double in ascending order of the
// dimensions, so it has the same bits however the pairs are grouped.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_EXACT_DENSE_DOTS_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_EXACT_DENSE_DOTS_H_

#include <cstdint>

namespace warpclust {

// Pairs that one call multiplies.
constexpr int kDenseDots = 16;

// Sets dots[i] to rows[i] · columns[i] for i < kDenseDots.
void ExactDenseDots(const float* const* rows, const float* const* columns,
                    int32_t num_dimensions, double* dots);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_EXACT_DENSE_DOTS_H_
