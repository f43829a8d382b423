// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact batched online clustering of dense documents: Q at a time, with the
// clusters of DenseSerialClusterer, to the byte.
//
// A search (batch_search.h) on all cores, or on a GPU, finds for all documents
// of a batch at once what they may join: clusters as they were before the
// batch, and clusters of earlier documents of the batch. Then one thread
// decides them in order, by exact similarities with the clusters as they are.
//
// Batch size and number of threads do not show in the result. Cost: O(clusters
// * dimensions) per document, at the speed of the search. Memory: that of
// DenseClusters and of the search, 4 bytes per element of a batch, and 24 per
// candidate, of which there are at most DenseBatchSearch::kMostCandidates.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_BATCHED_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_BATCHED_CLUSTERER_H_

#include <cstdint>
#include <memory>

#include "algorithms/online/dense/batch_search.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

struct DenseBatchedOptions {
  // More would cost memory and comparisons of the documents of a batch.
  static constexpr int32_t kMostBatch = 1 << 13;

  // Q, at least 1; what exceeds kMostBatch has no effect.
  int32_t batch = 1024;
  int num_threads = 0;  // 0: all cores.
};

// `options` and `state` must be valid, `state` of dense documents. Searches by
// `search`, or on the CPU if that is null.
std::unique_ptr<DenseOnlineEngine> MakeDenseBatchedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const DenseBatchedOptions& batched_options,
    std::unique_ptr<DenseBatchSearch> search = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_BATCHED_CLUSTERER_H_
