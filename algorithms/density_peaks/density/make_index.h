// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MakeIndex: builds the CPU index that a DensityPeaksIndex names.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_MAKE_INDEX_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_MAKE_INDEX_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Which index searches. kAuto on a CPU: ChooseIndex (vptree/choose_index.h), a
// model fitted to measurements. On a GPU: the box tree up to 3 dimensions, then
// box tree or brute force, by their seconds on a sample, and the latter where
// building a tree would take a large part of them; never the VP-tree. The
// search for the neighbors of kNeighbors and kAdaptive chooses for itself
// (vptree/nearest_neighbors.h). The answer is the same.
enum class DensityPeaksIndex { kAuto, kBoxTree, kVpTree, kBruteForce };

// Up to this many dimensions kAuto on a GPU takes the box tree without looking
// at the points: it has never been slower than another index there.
inline constexpr int32_t kSurelyBoxTree = 3;

// `points` are prepared for `metric` and must outlive the index. kAuto chooses
// for the cutoff distance, which is positive. Errors of the builders.
absl::StatusOr<std::unique_ptr<NeighborIndex>> MakeIndex(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_MAKE_INDEX_H_
