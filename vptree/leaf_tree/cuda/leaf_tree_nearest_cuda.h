// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest point of higher rank in a CudaLeafTree, from scratch or as an
// update after some ranks changed.
//
// The update is that of Liu et al. 2023, section 5.3, with both of its cases. A
// point whose dependent point was removed or no longer has a higher rank
// searches anew. Every other point keeps its old distance as a bound: only a
// point that rose above it can be nearer, and such a point has gained more
// density, so subtrees that gained no more are skipped.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_NEAREST_CUDA_H_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_NEAREST_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"

namespace warpclust {

// Device arrays by id.
struct CudaNearestUpdate {
  // The change of each point's density; INT32_MAX for new points.
  const int32_t* gains;
  // 1 where the old answer is void.
  const uint8_t* restart;
};

// Device arrays by id. `ids` and `keys` are the answers; with `update` (may be
// null) they hold the old answers where restart is 0. Elements of ids that are
// not in the tree stay as they are. Adds to *evaluations on the device.
absl::Status FindNearestOfHigherRank(const CudaLeafTree::Arrays& arrays,
                                     const int32_t* ranks,
                                     const CudaNearestUpdate* update,
                                     int32_t* ids, double* keys,
                                     uint64_t* evaluations);

// Sets the smallest id below each node (INT32_MAX without points), which breaks
// ties.
absl::Status FillNodeMinIds(const CudaLeafTree::Arrays& arrays,
                            DeviceBuffer<int32_t>& node_min_ids);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_NEAREST_CUDA_H_
