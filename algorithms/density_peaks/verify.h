// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VerifySample: checks a decision graph against brute force, at some points.
// What a user runs to believe an answer on their own data.
//
// Cost: two passes over all points for each checked one, on all threads.
// Thread-safety: pure. Determinism: the seed draws the points.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_VERIFY_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_VERIFY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Draws `count` points (all if there are no more), adds the one of rank 0, and
// computes the density, dependent point and dependent distance of each with the
// definition, given the densities of all. `points` are prepared for `metric`.
// Internal naming the checked point of smallest id that is wrong, with what was
// expected and found; InvalidArgument if the graph is not one of these points.
absl::Status VerifySample(const PointMatrix& points, Metric metric,
                          const DecisionGraph& graph, int32_t count,
                          uint64_t seed, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_VERIFY_H_
