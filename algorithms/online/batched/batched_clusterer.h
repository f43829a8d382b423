// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact batched online clustering on the CPU: Q documents at a time, on all
// cores, with the clusters of Serial Clusterer 2, to the byte.
//
// Only clusters that a batch itself changes can change the answer of one of its
// documents. So all documents of a batch search for their nearest clusters in
// the clusters before it (the base, batch_base.h), at once. Then each in turn
// decides between the first of these that is unchanged and the best of the
// changed ones (the delta, batch_delta.h), whose vectors stand in small term
// lists. One thread decides a batch while the others bring the base up to date
// with the batch before and search for the batch after.
//
// Use it wherever Serial Clusterer 2 would do: its search (nearest_search.h) is
// faster on one thread too.
//
// Batch size and number of threads do not show in the result. Memory: 24 K + 60
// bytes per cluster, the sums outside its K largest (cluster_sums.h), 8 to 16
// per entry of the lists, 12 per cluster and thread, 72 per term number, and
// about 100 K per document of the batch.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCHED_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCHED_CLUSTERER_H_

#include <cstdint>
#include <memory>

#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

struct BatchedOptions {
  // Q, at least 1: documents that are searched for in the same base.
  int32_t batch = 1024;
  // Deciding a document costs about as much as joining it. With fewer entries
  // of lists per document than this, on average, more threads gain nothing, and
  // one is used.
  int64_t entries_worth_threads = 250;
  int num_threads = 0;  // 0: all cores.
};

// `options` and `state` must be valid.
std::unique_ptr<OnlineEngine> MakeBatchedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const BatchedOptions& batched_options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCHED_CLUSTERER_H_
