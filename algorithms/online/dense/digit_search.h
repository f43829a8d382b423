// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DigitSearch: DenseBatchSearch on all cores of the CPU, by the tiles of 16-bit
// digits of the dense cosine graph (graph/cosine/dense/digit_kernels.h).
//
// Let S be DigitScale and r = sqrt(dimensions) / (2 S). The digits A of a
// vector u are S u rounded, so |A / S - u| <= r, and
//   |A·B / S² - u·v| <= r (|u| + |v|) + r² <= 2r + r² + 3 p r,
// with p of batch_search.h. Sums do not overflow: |A| <= S (1 + 1.01 p) +
// sqrt(dimensions) / 2, which is at most 46,340 (dense_digits.h). |A_k| <=
// 32,767, for no weight exceeds 2^30.
//
// Memory: 2 bytes per dimension of each cluster and of each document of a
// batch.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_DIGIT_SEARCH_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_DIGIT_SEARCH_H_

#include <memory>

#include "algorithms/online/dense/batch_search.h"

namespace warpclust {

// `num_threads` as ResolveThreads gives it.
std::unique_ptr<DenseBatchSearch> MakeDigitSearch(int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_DIGIT_SEARCH_H_
