// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact batched online clustering on a GPU: Q documents at a time, and the
// clusters that Serial Clusterer 2 gives (see batch_kernel.cuh for how).
//
// Cost of a batch: one pass over the lists of its documents' terms, then a few
// rounds over the documents of the batch against one another, Q² · K / 8
// look-ups in shared memory each, and barriers. One launch clusters all
// documents of a call; they are copied once, and so are the cluster numbers.
//
// Memory: that of DeviceClusters, 24 K + 130 bytes a document of a batch, 20 a
// term, 8 K + 20 a document of a call (of a million at a time).
// ResourceExhausted if the device has not as much. Thread-safety: one thread at
// a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CLUSTERER_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CLUSTERER_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/online_engine.h"
#include "algorithms/online/online_options.h"
#include "algorithms/online/online_state.h"

namespace warpclust {

// `options` and `state` must be valid, `batch` (Q) at least 1; more than
// kMaxCudaBatch (batch_view.h) means that. Unavailable without a GPU.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeBatchedClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CLUSTERER_CUDA_H_
