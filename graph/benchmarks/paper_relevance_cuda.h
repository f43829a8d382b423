// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances as CUDA-OClus itself computes them (González-Soler, Pérez-Suárez,
// Chang, Informatica 41, section 3.1, Algorithm 2): blocks of t × t threads (t
// = 32). A column of a block is a vertex, a row takes every t-th neighbor, and
// a reduction in shared memory adds up. As printed, line 7 reads the degree of
// vertex tid_y; meant is that of the tid_y-th neighbor.
//
// The paper's baseline, for benchmarks only: use RelevancesCuda. AIS are
// floats, so averages that differ by rounding only may compare otherwise.
//
// Cost: O(edges) on the device, but a warp of 32 vertices takes as long as the
// one of largest degree. Device memory: 8 bytes per vertex.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_PAPER_RELEVANCE_CUDA_H_
#define WARPCLUST_GRAPH_BENCHMARKS_PAPER_RELEVANCE_CUDA_H_

#include <vector>

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"

namespace warpclust {

// AIS of each vertex: the mean weight of its edges in float, 0 if it is
// isolated. The paper's host adds them up while it decides the edges.
std::vector<float> PaperAis(const CsrGraph& graph);

// The relevance of each vertex of `graph`, 0 if it is isolated. `ais` is of the
// same graph; it is uploaded, and the relevances are copied to the host.
// Unavailable without a GPU, ResourceExhausted if they do not fit.
absl::StatusOr<std::vector<float>> PaperRelevances(
    const DeviceGraph& graph, const std::vector<float>& ais);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_PAPER_RELEVANCE_CUDA_H_
