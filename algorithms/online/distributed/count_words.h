// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineCounts as words, to be sent to other ranks.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_COUNT_WORDS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_COUNT_WORDS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/state/online_engine.h"

namespace warpclust {

inline std::vector<int64_t> CountWords(const OnlineCounts& counts) {
  return {counts.partial_products,
          counts.candidates,
          counts.batches,
          counts.rounds,
          counts.repeated,
          counts.list_entries,
          counts.lists,
          counts.tail_bytes};
}

// Adds the counts of another rank.
inline void AddCounts(absl::Span<const int64_t> words, OnlineCounts* counts) {
  counts->partial_products += words[0];
  counts->candidates += words[1];
  counts->batches += words[2];
  counts->rounds += words[3];
  counts->repeated += words[4];
  counts->list_entries += words[5];
  counts->lists += words[6];
  counts->tail_bytes += words[7];
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_COUNT_WORDS_H_
