// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact batched online clustering on the CPU: Q documents at a time, on all
// cores, with the clusters of Serial Clusterer 2, to the byte.
//
// Only clusters that a batch itself touches can change the answer of one of its
// documents. So all documents of a batch look for their nearest clusters in the
// clusters as they were, at once; then one after the other decides between the
// first of these that is untouched and the best of the touched ones, whose
// vectors are kept up to date in small term lists. One thread decides a batch
// while the others bring the large lists up to date with the batch before and
// search for the batch behind.
//
// Use it wherever Serial Clusterer 2 is used: the search (nearest_search.h) is
// faster on one thread too.
//
// Determinism: the batch size and the number of threads never show. Memory: 24
// K + 60 bytes a cluster and what its sums outside the K largest take (as
// cluster_sums.h), 8 to 16 an entry of the lists, 12 a cluster for each
// thread, 72 a term number, and about 100 K a document of the batch.
// Thread-safety, errors: those of OnlineEngine (online_engine.h).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCHED_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCHED_CLUSTERER_H_

#include <cstdint>
#include <memory>

#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

struct BatchedOptions {
  // Q: the most documents that look at the same clusters, at least 1.
  int32_t batch = 1024;
  // 0 is all cores (ResolveThreads).
  int threads = 0;
  // Deciding costs about what joining does. Where documents have fewer entries
  // of lists to look at than this, on average, there is nothing to gain from
  // more threads, and one is used.
  int64_t entries_worth_threads = 250;
};

// `options` and `state` must be valid.
std::unique_ptr<OnlineEngine> MakeBatchedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const BatchedOptions& batched_options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCHED_CLUSTERER_H_
