// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The join of dense_join_cuda.h for compute capability 9.0, whose tensor cores
// reach their rate only with products of whole warpgroups.
//
// How. Two blocks, a cluster, take 128 rows each. A warp of each block copies
// 128 bytes of 256 columns at a time, half of them for itself and half for the
// other block, so that both read the columns from L2 once; two warpgroups
// multiply 64 rows each by all 256.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_JOIN_HOPPER_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_JOIN_HOPPER_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/dense/cuda/dense_join_cuda.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"

namespace warpclust {

struct DenseJoinArguments;

// Fills `plan` if this build and this GPU can run the join that way.
absl::Status PlanDenseJoinOnHopper(int32_t digit_bytes, DenseJoinPlan* plan);

absl::Status LaunchDenseJoinOnHopper(const DenseJoinPlan& plan,
                                     const DensePart& part, int32_t padded_rows,
                                     const DenseJoinArguments& arguments);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_JOIN_HOPPER_CUDA_H_
