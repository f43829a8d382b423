// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Measurements of the CUDA cosine graph and its baselines over one collection
// and one β: what cosine_graph_cuda_benchmark prints. For benchmarks only.
//
// Not thread-safe: for a single-threaded program with the GPU to itself.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_COSINE_GRAPH_MEASUREMENT_CUDA_H_
#define WARPCLUST_GRAPH_BENCHMARKS_COSINE_GRAPH_MEASUREMENT_CUDA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

enum class CosineGraphBaseline {
  kPaper,     // paper_similarity_cuda.h
  kSpGemm,    // library_baselines_cuda.h
  kGemm,      // the same, all tiles
  kGemmHalf,  // the same, tiles on and above the diagonal
};

// "paper", "spgemm", "gemm" or "gemm_half"; InvalidArgument for anything else.
absl::StatusOr<CosineGraphBaseline> ParseCosineGraphBaseline(
    const std::string& name);

struct CosineGraphMeasurementOptions {
  Decimal beta = "0.25";
  // Timed runs; the median counts. A run of a second or more is not repeated.
  int repeat = 5;
  std::vector<CosineGraphBaseline> baselines;
  // The paper's method is run from about this many documents, evenly spread,
  // and its time multiplied, if the collection has more than twice as many.
  int32_t paper_sources = 15000;
};

struct CosineGraphTiming {
  // "ours" (documents on the device, graph left there), "ours_upload" (from
  // documents on the host), "ours_host" (and the graph copied to the host),
  // "join" and "symmetric" (the phases of ours), or a baseline's name.
  std::string method;
  double seconds = 0;
  // -1: not known.
  int64_t num_edges = -1;
  // Peak of device memory that this code allocated, documents included; 0 if
  // not measured.
  int64_t peak_bytes = 0;
  // For the reader; why there is no figure if `available` is false.
  std::string note;
  bool available = true;
};

// Multiply-adds of a half join over term lists: Σ over terms of the pairs of
// documents that share it.
double HalfJoinAdditions(const DocumentMatrix& documents);

// Ours first. A baseline that is not available is a timing that says so; an
// error of ours is an error. `documents` must be valid.
absl::StatusOr<std::vector<CosineGraphTiming>> MeasureCosineGraph(
    const DocumentMatrix& documents,
    const CosineGraphMeasurementOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_COSINE_GRAPH_MEASUREMENT_CUDA_H_
