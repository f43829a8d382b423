// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The clusters of a state as words, in a pack for each of several owners.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_STATE_PACK_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_STATE_PACK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/online/distributed/cluster_pack.h"
#include "algorithms/online/state/online_state.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// Cluster c goes to list c modulo `num_owners`.
inline RankLists<int64_t> PackState(const OnlineState& state, int num_owners) {
  RankLists<int64_t> packs;
  for (int owner = 0; owner < num_owners; ++owner) {
    for (int32_t c = owner; c < state.num_clusters(); c += num_owners) {
      AppendPacked(c, state.sizes[c], state.last_times[c], state.TermsOf(c),
                   state.SumsOf(c), &packs.values);
    }
    packs.offsets.push_back(static_cast<int64_t>(packs.values.size()));
  }
  return packs;
}

// The inverse: `num_clusters` clusters.
inline OnlineState UnpackState(const RankLists<int64_t>& packs,
                               int32_t num_clusters) {
  OnlineState state;
  std::vector<size_t> at(packs.size());
  for (int32_t c = 0; c < num_clusters; ++c) {
    const int owner = c % packs.size();
    const PackedCluster cluster = UnpackCluster(packs.Of(owner), &at[owner]);
    state.sizes.push_back(cluster.num_documents);
    state.last_times.push_back(cluster.last_time);
    state.terms.insert(state.terms.end(), cluster.terms.begin(),
                       cluster.terms.end());
    state.sums.insert(state.sums.end(), cluster.sums.begin(),
                      cluster.sums.end());
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
  }
  return state;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_STATE_PACK_H_
