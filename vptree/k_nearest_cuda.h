// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The k nearest points of many queries on the GPU, from and to host memory.
// Call FindNearestNeighbors (vptree/nearest_neighbors.h), which chooses the
// device.

#ifndef WARPCLUST_VPTREE_K_NEAREST_CUDA_H_
#define WARPCLUST_VPTREE_K_NEAREST_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "vptree/index_forecast.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Sets nearest[q * k + j] to the j-th nearest point of query q, by key and then
// by id. `points` and `queries` are prepared and have one number of dimensions;
// there are at least k points, and k is at least 1. Leaves `nearest` undefined
// if the owner of `work`, which may be null, asks for the end. Unavailable in a
// build without CUDA or without a GPU; ResourceExhausted if device memory does
// not suffice for the points and a query.
absl::Status KNearestCuda(const PointMatrix& points, const PointMatrix& queries,
                          Norm norm, IndexKind index, int32_t k,
                          const WorkShare* work,
                          absl::Span<NearestPoint> nearest);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_K_NEAREST_CUDA_H_
