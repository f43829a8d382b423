// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ByteSearch: DenseBatchSearch on the tensor cores of a GPU, by the join of the
// dense cosine graph (graph/cosine/dense/cuda/dense_join_cuda.h).
//
// The device holds one array of rows: those of the batch first, then those of
// the clusters. Their tiles meet the columns of the batch, which come before
// them as the join wants it; so do the tiles of the batch. Only digits of
// clusters that changed go to the device, and only candidates come back. They
// come without products, so all of them are compared.
//
// The cosine of two rows with an inner product above b is above b - 3p, for
// their lengths are at most 1 + 1.01 p (batch_search.h).
//
// Device memory: a byte per dimension of each cluster and of kMostBatch
// documents, and 64 MiB.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_CUDA_BYTE_SEARCH_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_CUDA_BYTE_SEARCH_CUDA_H_

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/dense/batch_search.h"

namespace warpclust {

// `num_threads`, as ResolveThreads gives it, make the digits. Unavailable
// without a GPU of compute capability 8.0 or more. Calls of the search return
// ResourceExhausted if the clusters do not fit.
absl::StatusOr<std::unique_ptr<DenseBatchSearch>> MakeByteSearchCuda(
    int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_CUDA_BYTE_SEARCH_CUDA_H_
