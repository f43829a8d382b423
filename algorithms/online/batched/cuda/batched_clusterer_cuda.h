// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact batched online clustering on a GPU: Q documents at a time, with the
// clusters of Serial Clusterer 2. batch_kernel.cuh says how.
//
// Cost of a batch: one pass over the lists of its documents' terms; then a few
// rounds that compare the documents of the batch with one another, each with
// Q^2 * K / 8 look-ups in shared memory, and that take each new version from
// the documents before it in its cluster, L^2 * K / 2 look-ups for a cluster
// that L documents join; and barriers. One launch clusters up to a million
// documents of a call. If it needs more room it ends early, and the next launch
// continues. Documents and cluster numbers are copied once. With expire_after,
// closed clusters are removed, by way of the host, after as many documents as
// there are clusters (at least 262,144).
//
// Merging: clusters that changed since the last pass are compared with all at
// once, and each merge is a few launches (device_merging.h). With too little
// memory for that there is no Merge, and the caller merges by the state.
//
// Memory: that of DeviceClusters, 104 K + 1,800 bytes per document of a batch,
// and 16 K + 20 per document of a call (of at most a million at a time); for
// merging, 32 K bytes for each of 4,096 clusters and 16 per similar pair.
// ResourceExhausted if the device does not have it; the engine says then which
// documents are decided (num_decided), and can only be asked for its state. A
// block takes 224 KB of shared memory where the GPU has them (compute
// capability 9.0 and 10.0), else up to 99 KB with half the threads, smaller
// tables, and batches of at most about 2,000 documents.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCHED_CLUSTERER_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCHED_CLUSTERER_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// `options` and `state` must be valid, and `batch` (Q) at least 1; values above
// kMaxCudaBatch (batch_view.h) count as that. Unavailable without a GPU.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch);

namespace internal {

// Removes closed clusters after `clear_after` documents, for tests.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch,
    int64_t clear_after);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCHED_CLUSTERER_CUDA_H_
