// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindNearestNeighbors: the k nearest neighbors of many points, exact, on the
// CPU or the GPU. For single queries use BoxTree or VpTree
// (leaf_tree/leaf_tree_index.h).
//
//   NearestNeighborsOptions options;
//   ASSIGN_OR_RETURN(const NearestNeighbors found,
//                    FindNearestNeighbors(points, /*k=*/10, options));
//   for (int32_t j = 0; j < found.k; ++j) Use(found.ids[i * found.k + j]);
//
// Neighbors are ordered by their keys (points/distance_key.h), then by id, so
// every index, device and number of threads gives the same bytes.
//
// Cost: a search of a box tree or VP-tree, O(log n) per query in few
// dimensions, or brute force, a distance per query and point. Memory: the
// points, the index, that of the queries, 12 bytes per answer, and on the CPU
// about 800 k bytes per thread that searches a tree; by brute force or on a GPU
// 16 bytes per answer more while it searches, and on the GPU 24 bytes per
// answer for a part of the queries at a time.

#ifndef WARPCLUST_VPTREE_NEAREST_NEIGHBORS_H_
#define WARPCLUST_VPTREE_NEAREST_NEIGHBORS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/machine/work_share.h"
#include "kernels/device/device.h"
#include "vptree/index_forecast.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct NearestNeighborsOptions {
  Metric metric = Metric::kEuclidean;
  // None: on the CPU that of ChooseKNearestIndex (choose_k_nearest_index.h), on
  // the GPU that of ChooseKNearestIndexOnGpu (choose_index.h).
  std::optional<IndexKind> index = std::nullopt;
  // kAuto: the GPU if there is one, unless DeviceForKNearest (choose_index.h)
  // prefers the CPU.
  Device device = Device::kAuto;
  int num_threads = 0;  // 0: all cores.
  // Unless null, its owner may end the search: Cancelled, on the GPU after the
  // part of the queries that it is at.
  const WorkShare* work = nullptr;
};

struct NearestNeighbors {
  // Neighbors per query: as asked, or all points if there are fewer.
  int32_t k = 0;
  // What searched them.
  IndexKind index = IndexKind::kBoxTree;
  // Those of query q, nearest first, from element q * k on.
  std::vector<int32_t> ids;
  std::vector<double> distances;
};

// The neighbors of each point among the others. InvalidArgument for bad points
// (PrepareForMetric), a negative k or a negative num_threads; Unavailable if
// the device is; ResourceExhausted if device memory does not suffice.
absl::StatusOr<NearestNeighbors> FindNearestNeighbors(
    PointMatrix points, int32_t k, const NearestNeighborsOptions& options);

// The same for points that PrepareForMetric has prepared, without a copy.
absl::StatusOr<NearestNeighbors> FindNearestOfPrepared(
    const PointMatrix& points, int32_t k,
    const NearestNeighborsOptions& options);

// The neighbors of each query among the points. The same errors;
// InvalidArgument too if the queries have another number of dimensions, or for
// 2^31 points and queries or more by brute force on the CPU.
absl::StatusOr<NearestNeighbors> FindNearestNeighbors(
    PointMatrix points, PointMatrix queries, int32_t k,
    const NearestNeighborsOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_NEAREST_NEIGHBORS_H_
