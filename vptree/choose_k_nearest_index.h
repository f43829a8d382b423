// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChooseKNearestIndex: the index with which the CPU finds the k nearest points
// fastest, as far as a model knows. FindNearestNeighbors (nearest_neighbors.h)
// follows it.
//
// Model, per query, with n points of d dimensions. A tree computes E distances,
// each for a constant plus d; brute force computes n, with fewer operations
// each. Both keep what may be among the k nearest: a tree in a list that it
// selects from and sorts at the end, with k^2 comparisons in vectors for the
// usual k; brute force in a heap, which k (1 + ln(n / k)) points enter if they
// come in random order. That favors trees for large k.
//
// E is counted: both trees are built over a sample of one in 16 points, and
// over half of the sample, and some of their leaves are searched. As many
// times fewer neighbors are asked for as there are fewer points, so that they
// are as far away as among all; but at least one, for which the growth from the
// half makes up, roughly. That growth is continued up to n. The model counts
// and does not time, so the choice is the same in every run and with any number
// of threads.
//
// Below 2,048 points samples would cost more than a wrong choice: the box tree
// up to 63 dimensions, then the VP-tree.
//
// Cost: a few percent of the search, up to a fifth for one neighbor, with as
// many queries as points. The model was fitted to such jobs; for few queries it
// is not known how well it chooses. vptree/BENCHMARKS.md has the figures.

#ifndef WARPCLUST_VPTREE_CHOOSE_K_NEAREST_INDEX_H_
#define WARPCLUST_VPTREE_CHOOSE_K_NEAREST_INDEX_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "vptree/index_forecast.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Distances that a tree computes per query.
struct KNearestWork {
  double box = 0;
  double vp = 0;
};

// The fastest index by the model for this work. Ties: the first of the
// enumeration.
IndexKind FastestForKNearest(const KNearestWork& work, Norm norm,
                             int32_t num_points, int32_t num_queries,
                             int32_t num_dimensions, int32_t k);

// `points` are valid, k is from 1 to num_points, and num_queries is at least
// 1. The queries are taken to lie as the points do.
absl::StatusOr<IndexKind> ChooseKNearestIndex(const PointMatrix& points,
                                              Norm norm, int32_t num_queries,
                                              int32_t k, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_CHOOSE_K_NEAREST_INDEX_H_
