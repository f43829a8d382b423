// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_SPLIT_SUMS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_SPLIT_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// Calls keep(slot, term, sum) for the K largest sums of a cluster of `state`,
// ascending by term, and leave(term, sum) for the others. `sums` are those of
// `state`. Returns the number kept.
template <typename Keep, typename Leave>
int32_t SplitSums(const OnlineState& state, const ClusterSums& sums,
                  int32_t cluster, Keep keep, Leave leave) {
  const absl::Span<const int32_t> terms = state.TermsOf(cluster);
  const absl::Span<const int64_t> all = state.SumsOf(cluster);
  const absl::Span<const int32_t> largest = sums.TermsOf(cluster);
  size_t slot = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (slot < largest.size() && terms[i] == largest[slot]) {
      keep(static_cast<int64_t>(slot++), terms[i], all[i]);
    } else {
      leave(terms[i], all[i]);
    }
  }
  return static_cast<int32_t>(slot);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_SPLIT_SUMS_H_
