// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The runs of the determinism report, one function per algorithm. Each runs the
// algorithm in every way that must not change the result.

#ifndef WARPCLUST_TOOLS_DETERMINISM_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_RUNS_H_

#include "absl/status/status.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/run_table.h"

namespace warpclust {

// The cosine graph at a beta of 0.25: counts decided in integers and in double,
// and tf-idf weights; of embeddings at 0.7. Digests cover the arrays of the
// graph and the edge list as written. New embeddings against others, in batches
// of several sizes, and the same edges of their graph.
absl::Status RunCosineGraph(const DeterminismInputs& inputs,
                            DeterminismRunner* runner);

// Relevances of the vertices, and the clusters of OClustR, from documents and
// from their graph; tf, tf-idf and embeddings.
absl::Status RunOClustR(const DeterminismInputs& inputs,
                        DeterminismRunner* runner);

// The single-linkage hierarchy of the graph that each device and number of
// threads gives; tf, tf-idf and embeddings.
absl::Status RunHierarchy(const DeterminismInputs& inputs,
                          DeterminismRunner* runner);

// Stores of DClustR with different histories that end with the same documents.
// Exact mode, tf, tf-idf (reweighted at the end) and embeddings: OClustR and
// all stores are one group. The rules of the paper: one group per history,
// since clusters depend on it. Stores are created in `scratch`, one after the
// other.
absl::Status RunDClustR(const DeterminismInputs& inputs,
                        DeterminismRunner* runner);

// Every exact method of online clustering, with thresholds of 0.1 and 0.5, and
// with clusters that expire and merge; of embeddings, with a threshold of 0.7
// and with clusters that merge. The column `batch` is the documents per
// batch, or per call of Add if the method has no batches. One run changes the
// method halfway, through the saved state. Then RunOnlineSuggestion.
absl::Status RunOnline(const DeterminismInputs& inputs,
                       DeterminismRunner* runner);

// SuggestOnline, and its candidates again: clusters of the batched method on
// every device, chances and measures with every number of threads.
absl::Status RunOnlineSuggestion(const StreamInput& stream,
                                 DeterminismRunner* runner);

// GRASP, ILS and our correlation clustering, each for a number of iterations
// and without a time limit. How many starts a run made is not promised.
absl::Status RunCorrelation(const DeterminismInputs& inputs,
                            DeterminismRunner* runner);

// Density peaks, one group per metric: each index on all points at once, and
// RunIncremental; others for each density and for RunDensityPeaksSweeps. A
// metric that refuses the points is left out with a note.
absl::Status RunDensityPeaks(const DeterminismInputs& inputs,
                             DeterminismRunner* runner);

// Sweeps over cutoff distances and over numbers of neighbors, with each index,
// and one run per value. `options` has peaks by significance.
absl::Status RunDensityPeaksSweeps(const PointsInput& input,
                                   const DensityPeaksOptions& options,
                                   DeterminismRunner* runner);

// Incremental density peaks: points that come and go in batches of 1 to 1,024
// and end with those of the input; either tree, either way of updating
// densities. Guests, duplicates of other points, come with the points and leave
// one batch later. `options` has a cutoff distance.
absl::Status RunIncremental(const PointsInput& input, const RunGroup& group,
                            const DensityPeaksOptions& options,
                            DeterminismRunner* runner);

// The ten nearest neighbors of each point, and of new points, by each metric
// with each index. A metric that refuses the points is left out with a note.
absl::Status RunNearestNeighbors(const DeterminismInputs& inputs,
                                 DeterminismRunner* runner);

// Every evaluation measure, on the CPU: overlapping clusters against the labels
// of the documents and against other clusters, and two partitions of the
// stream.
absl::Status RunEvaluation(const DeterminismInputs& inputs,
                           DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_RUNS_H_
