// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What choices among settings by expected B-cubed (expected_bcubed.h) have in
// common.

#ifndef WARPCLUST_GRAPH_SIGNIFICANCE_CANDIDATES_H_
#define WARPCLUST_GRAPH_SIGNIFICANCE_CANDIDATES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/numbers/decimal.h"

namespace warpclust {

// Fewer documents have too few pairs to estimate chances.
inline constexpr int32_t kFewestComparedDocuments = 64;

// 0.05, 0.1, ..., last / 20.
inline std::vector<Decimal> ThresholdCandidates(int last) {
  std::vector<Decimal> thresholds;
  for (int k = 1; k <= last; ++k) {
    const bool odd = k % 2 != 0;
    thresholds.push_back({odd ? k * 5 : k / 2, odd ? 100 : 10});
  }
  return thresholds;
}

// The place of the highest expected.f; of equal ones `preferred`, then the
// first.
template <typename Candidate>
size_t BestCandidate(const std::vector<Candidate>& candidates,
                     size_t preferred) {
  size_t best = preferred;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].expected.f > candidates[best].expected.f) best = i;
  }
  return best;
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_SIGNIFICANCE_CANDIDATES_H_
