// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The similarity graph as CUDA-OClus itself builds it (González-Soler,
// Pérez-Suárez, Chang, Informatica 41, section 3.1, Algorithm 1): for each
// document v a dense vector P_v of its weights, one launch of blocks of t × t
// threads (t = 32) over the documents after v, a column a document and a row
// every t-th term, a reduction in shared memory; the similarities are copied
// to the host, which decides the edges and adds up AIS.
//
// The paper's baseline, for benchmarks only: use CosineGraph. Floats decide, so
// the graph is exact only up to their rounding at β. Kinder than the paper in
// one point: P_v is written on the device, not on the host.
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
  // documents after it, so that the time of a large collection is found as
  // `seconds` · stride.
  int32_t stride = 1;
};

struct PaperSimilarityResult {
  // By document, then by the neighbor after it.
  std::vector<WeightedEdge> edges;
  // Sum of the similarities at each document, over its degree: AIS.
  std::vector<float> ais;
  // Wall clock, documents and norms being on the device.
  double seconds = 0;
};

// `documents` must be valid. Unavailable without a GPU, ResourceExhausted if
// they do not fit.
absl::StatusOr<PaperSimilarityResult> PaperSimilarityGraph(
    const DocumentMatrix& documents, const PaperSimilarityOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_PAPER_SIMILARITY_CUDA_H_
