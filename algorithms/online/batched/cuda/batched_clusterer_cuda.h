// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact batched online clustering on a GPU: Q documents at a time, and the
// clusters that Serial Clusterer 2 gives (see batch_kernel.cuh for how).
//
// Cost of a batch: one pass over the lists of its documents' terms, then a few
// rounds over the documents of the batch against one another, Q² · K / 8
// look-ups in shared memory each, and barriers. A launch clusters up to a
// million documents of a call, again from where it was whenever more room is
// needed; they are copied once, and so are the cluster numbers. With
// expire_after, closed clusters are cleared out after as many documents as
// there are clusters (at least 262,144), by way of the host.
//
// Memory: that of DeviceClusters, 88 K + 1,800 bytes a document of a batch, 20
// a term number, 16 K + 20 a document of a call (of a million at a time).
// ResourceExhausted if the device has not as much; the engine is lost then. A
// block takes 224 KB of shared memory, which Hopper and later GPUs have:
// Unavailable on others. Thread-safety: one thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCHED_CLUSTERER_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCHED_CLUSTERER_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// `options` and `state` must be valid, `batch` (Q) at least 1; more than
// kMaxCudaBatch (batch_view.h) means that. Unavailable without a GPU.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch);

namespace internal {

// With another number of documents after which closed clusters are cleared out.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch,
    int64_t clear_after);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCHED_CLUSTERER_CUDA_H_
