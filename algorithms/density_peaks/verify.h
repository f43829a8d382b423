// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VerifySample: checks a decision graph against brute force at some points. Use
// it to gain trust in an answer on your own data.
//
//   absl::Status status = VerifySample(points, Metric::kEuclidean, graph,
//                                      /*count=*/100, /*seed=*/1);
//
// Cost: one pass over all points for each checked one, on all threads.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_VERIFY_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_VERIFY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Draws `count` points (all if there are no more), adds the point of rank 0,
// and computes the density, dependent point and dependent distance of each by
// their definition, given the densities of all. `points` are prepared for
// `metric`. Internal naming the wrong point of smallest id, with the expected
// and the found value; InvalidArgument if the graph is not a graph of these
// points or `num_threads` (0: all cores) is negative.
absl::Status VerifySample(const PointMatrix& points, Metric metric,
                          const DecisionGraph& graph, int32_t count,
                          uint64_t seed, int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_VERIFY_H_
