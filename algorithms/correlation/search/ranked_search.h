// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of one search (base/communicator/communicator.h) share. Every
// rank has the graph and takes the same decisions. Only the work on numbered
// items (starts, chains, candidates) is dealt to the ranks, and what an item
// gives depends on its number alone. So the result does not depend on the
// number of ranks.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_RANKED_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_RANKED_SEARCH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// Items [begin, end).
struct ItemRange {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end - begin; }
};

// Those of `count` items that are dealt to this rank. The items of rank r come
// before those of rank r + 1.
inline ItemRange ItemsOfRank(const Communicator& ranks, int64_t count) {
  return {count * ranks.rank() / ranks.size(),
          count * (ranks.rank() + 1) / ranks.size()};
}

// Whether the search is to stop on any rank: a decision that all ranks take
// alike. If so, `control` stops what this rank does alone, too.
absl::StatusOr<bool> ShouldStopOnAnyRank(Communicator& ranks,
                                         SearchControl& control);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_RANKED_SEARCH_H_
