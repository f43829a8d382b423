// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChooseIndex: builds the NeighborIndex that is fastest on the CPU for the
// given points and radius, as far as a model knows.
//
// Up to 5 dimensions it takes a box tree, which was never slower by more than a
// few percent. Above, it takes the fastest of box tree, VP-tree and brute force
// by ForecastIndexes (index_forecast.h), which counts the distances of samples;
// from 256 dimensions on, with Euclidean distances, brute force. Below 2,048
// points it takes a box tree up to 8 dimensions, then brute force.
// vptree/BENCHMARKS.md has the measurements.
//
// Cost: a few percent of the searches. The choice depends on the arguments
// alone; answers do not depend on it.

#ifndef WARPCLUST_VPTREE_CHOOSE_INDEX_H_
#define WARPCLUST_VPTREE_CHOOSE_INDEX_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "kernels/device/device.h"
#include "vptree/index_forecast.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// `radius_key`: the radius that CountWithin will get. `num_threads` 0: all
// cores. The points must outlive the index. InvalidArgument if they are invalid
// or the key is negative or NaN.
absl::StatusOr<std::unique_ptr<NeighborIndex>> ChooseIndex(
    const PointMatrix& points, Norm norm, double radius_key, int num_threads);

// The index that ChooseIndex builds. `points` are valid.
absl::StatusOr<IndexKind> ChooseIndexKind(const PointMatrix& points, Norm norm,
                                          double radius_key);

// For the k nearest points, a CPU of many threads has been faster than a tree
// on a GPU up to here (vptree/BENCHMARKS.md).
inline constexpr int32_t kMostDimensionsOnCpu = 9;

// For the k nearest points on the GPU: the box tree up to 5 dimensions. Above,
// brute force up to 2^33 pairs of queries and points, then the box tree. Never
// the VP-tree, which no measured set was fastest with.
IndexKind ChooseKNearestIndexOnGpu(int64_t num_points, int64_t num_queries,
                                   int32_t num_dimensions);

// The device for the k nearest points: `requested`, except that kAuto becomes
// kCpu where a GPU would search a tree, which is `index` or, without one, that
// of ChooseKNearestIndexOnGpu, of at most kMostDimensionsOnCpu dimensions.
Device DeviceForKNearest(Device requested, std::optional<IndexKind> index,
                         int64_t num_points, int64_t num_queries,
                         int32_t num_dimensions);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_CHOOSE_INDEX_H_
