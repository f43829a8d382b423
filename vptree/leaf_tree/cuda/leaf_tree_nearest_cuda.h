// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest point of higher rank in a CudaLeafTree, from scratch or as an
// update of what was known before some ranks changed.
//
// The update is that of Liu et al. 2023, section 5.3, with both of its cases: a
// point whose dependent point is gone or no longer of higher rank searches
// anew; every other has its old distance as a bound. What may now be nearer is
// only a point that did not have the higher rank before, and such a point has
// gained more density than the query: subtrees that have gained no more are
// skipped.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_NEAREST_CUDA_H_
#define WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_NEAREST_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"

namespace warpclust {

// Device arrays by id. No search starts from nothing if restart is 0 for all.
struct CudaNearestUpdate {
  // What each point's density has gained (or lost); INT32_MAX for new points.
  const int32_t* gains;
  // 1 where the old answer does not hold.
  const uint8_t* restart;
};

// Device arrays by id; `ids` and `keys` are the answers, and with `update` (may
// be null) the old ones where restart is 0. Elements of ids that are not in the
// tree are left alone. Adds to *evaluations on the device.
absl::Status FindNearestOfHigherRank(const CudaLeafTree::Arrays& arrays,
                                     const int32_t* ranks,
                                     const CudaNearestUpdate* update,
                                     int32_t* ids, double* keys,
                                     uint64_t* evaluations);

// The least id below each node (INT32_MAX: none), with which searches end ties.
absl::Status FillNodeMinIds(const CudaLeafTree::Arrays& arrays,
                            DeviceBuffer<int32_t>& node_min_ids);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_CUDA_LEAF_TREE_NEAREST_CUDA_H_
