// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VerifyPairs: the exact cosines of listed pairs of documents on the GPU, in
// the arithmetic of graph/cosine/decision/cosine_decision.h. One warp per pair
// looks the terms of the shorter document up in the longer one by binary
// search.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_VERIFY_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_VERIFY_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

// Sets cosines[p] to the cosine of documents rows[p] and columns[p] if it
// reaches β, else to -1. All pointers are device pointers. Runs on the default
// stream and does not wait for it.
absl::Status VerifyPairs(const DeviceDocuments& documents,
                         const CosineDecision& decision, int64_t num_pairs,
                         const int32_t* rows, const int32_t* columns,
                         float* cosines);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_VERIFY_CUDA_H_
