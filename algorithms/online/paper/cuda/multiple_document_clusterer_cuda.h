// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Parallel Clusterer 1 and Multiple Document Clusterers 1 and 2 of Teitler et
// al. 2010 (sections 2 to 4) on a GPU. Parallel Clusterer 1 is the last with
// one document at a time.
//
// The result is that of MakeMultipleDocumentClusterer with the same options,
// byte for byte; multiple_document_clusterer.h says what is approximate about
// it. With a batch of 1 and no buckets it is that of Serial Clusterer 2. For
// exact large batches, which are also faster, use batched_clusterer_cuda.h.
//
// Cost: O(K * L) per document for partial products, sorted if epsilon is 0; and
// about twenty launches and two waits per batch, which dominate a batch of 1.
// Memory: that of DeviceClusters and PaperSearch; the documents of a call are
// taken in pieces.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_MULTIPLE_DOCUMENT_CLUSTERER_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_MULTIPLE_DOCUMENT_CLUSTERER_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/paper/cuda/paper_search_cuda.h"
#include "algorithms/online/paper/multiple_document_clusterer.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// All arguments must be valid; threads do not count. Unavailable without a GPU,
// ResourceExhausted if the state does not fit.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeMultipleDocumentClustererCuda(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options);

namespace internal {

// With the size of tiles (PaperSearch::Options), for tests.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeMultipleDocumentClustererCuda(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options,
    int64_t tile_products);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_PAPER_CUDA_MULTIPLE_DOCUMENT_CLUSTERER_CUDA_H_
