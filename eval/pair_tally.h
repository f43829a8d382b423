// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PairTally: for one item e and all items f (including e), how many f share a
// clusters of one cover and b clusters of the other with e, as sums that
// extended BCubed and the omega index need. All are integers, so every way to
// fill it gives the same result. Private to eval.

#ifndef WARPCLUST_EVAL_PAIR_TALLY_H_
#define WARPCLUST_EVAL_PAIR_TALLY_H_

#include <cstdint>
#include <vector>

namespace warpclust::eval_internal {

// One cover's half of the tally; index k is the number of shared clusters of
// that cover. Entry 0 is unused, since it follows from the others.
struct SideTally {
  // Items f with exactly k shared clusters.
  std::vector<int64_t> count;
  // Over those f, the sum of min(a, b).
  std::vector<int64_t> min_sum;
};

struct PairTally {
  SideTally clusters;
  SideTally truth;
  // Items f with a = b, including a = b = 0.
  int64_t equal = 0;

  // Zeros for an item in `num_clusters` and `num_truth` clusters.
  void Reset(int64_t num_clusters, int64_t num_truth) {
    clusters.count.assign(num_clusters + 1, 0);
    clusters.min_sum.assign(num_clusters + 1, 0);
    truth.count.assign(num_truth + 1, 0);
    truth.min_sum.assign(num_truth + 1, 0);
    equal = 0;
  }
};

}  // namespace warpclust::eval_internal

#endif  // WARPCLUST_EVAL_PAIR_TALLY_H_
