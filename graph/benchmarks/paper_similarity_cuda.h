// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The similarity graph as CUDA-OClus itself builds it (González-Soler,
// Pérez-Suárez, Chang, Informatica 41, section 3.1, Algorithm 1): for each
// document v a dense vector P_v of its weights, and one launch of blocks of
// t × t threads (t = 32) over the documents after v. A column of a block is a
// document, a row takes every t-th term, and a reduction in shared memory adds
// up. The similarities are copied to the host, which decides the edges and adds
// up AIS.
//
// The paper's baseline, for benchmarks only: use CosineGraph. Floats decide, so
// edges near β may differ from the exact graph's. One point favors the paper:
// P_v is written on the device, not on the host.
//
// Cost: O(n · entries) on the device, n² / 2 floats to the host.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_PAPER_SIMILARITY_CUDA_H_
#define WARPCLUST_GRAPH_BENCHMARKS_PAPER_SIMILARITY_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct PaperSimilarityOptions {
  float beta = 0.25f;
  // Only documents v = 0, stride, 2 · stride, … are processed, each against all
  // documents after it: the time of a large collection is `seconds` · stride.
  int32_t stride = 1;
};

struct PaperSimilarityResult {
  // Ascending by document, then by the neighbor after it.
  std::vector<WeightedEdge> edges;
  // AIS: the mean similarity of each document's edges.
  std::vector<float> ais;
  // Wall-clock time; documents and norms are on the device at the start.
  double seconds = 0;
};

// `documents` must be valid. Unavailable without a GPU, ResourceExhausted if
// they do not fit.
absl::StatusOr<PaperSimilarityResult> PaperSimilarityGraph(
    const DocumentMatrix& documents, const PaperSimilarityOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_PAPER_SIMILARITY_CUDA_H_
