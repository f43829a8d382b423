// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Library baselines of the cosine graph, for benchmarks only: what one gets on
// a GPU by calling NVIDIA's libraries on the same documents.
//   SpGEMM  cuSPARSE: A · Aᵀ with normalised rows, CSR, float, in panels
//           of rows whose products fit; then a kernel over the product's
//           entries.
//   GEMM    cuBLAS: rows as dense bf16 in panels, panel · panelᵀ added up in
//           float over chunks of the vocabulary; then a kernel over the tile.
// Both count pairs at or above β and write no graph, so they do less than
// CosineGraphOnDevice; float (bf16) rounding decides, so neither is exact.
//
// Nothing is linked: the libraries are opened at run time. They are looked for
// in the directories of WARPCLUST_CUDA_LIBRARIES (separated by colons; for a
// Python environment its nvidia/cusparse/lib, nvidia/cublas/lib or
// nvidia/cu13/lib), then by the loader's rules, then in $CUDA_HOME/lib64 and
// /usr/local/cuda/lib64. Unavailable, with the loader's words, if not found.
//
// Not thread-safe: for a single-threaded program.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_LIBRARY_BASELINES_CUDA_H_
#define WARPCLUST_GRAPH_BENCHMARKS_LIBRARY_BASELINES_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"

namespace warpclust {

struct LibraryBaselineOptions {
  double beta = 0.25;
  // GEMM: only tiles on and above the diagonal, half of the work. The plain
  // product computes all.
  bool half = false;
  // SpGEMM: products of a panel at most (and of its one row, if that has more).
  int64_t panel_products = int64_t{1} << 29;
  // GEMM: rows of a panel and terms of a chunk at most.
  int32_t panel_rows = 16384;
  int32_t chunk_terms = 16384;
};

struct LibraryBaselineResult {
  // Pairs i < j whose cosine, as the library's arithmetic has it, reaches β.
  int64_t num_edges = 0;
  // By events on the device, after a warm-up; documents were there already,
  // transposed, and memory was allocated.
  double seconds = 0;
  // Panels of rows (SpGEMM) or tiles (GEMM).
  int64_t num_panels = 0;
  // DeviceMemoryPeakBytes of the run: without what the library takes itself.
  int64_t peak_bytes = 0;
};

absl::StatusOr<LibraryBaselineResult> SpGemmBaseline(
    const DeviceDocuments& documents, const LibraryBaselineOptions& options);

absl::StatusOr<LibraryBaselineResult> GemmBaseline(
    const DeviceDocuments& documents, const LibraryBaselineOptions& options);

// What the machine does at best: seconds are by events, the best of three.
// Bytes a second, read and written, of a copy inside the device's memory.
absl::StatusOr<double> MeasureCopyRate();
// Operations a second of a bf16 product of 8192 × 8192 matrices of random
// numbers (cuBLAS).
absl::StatusOr<double> MeasureGemmRate();

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_LIBRARY_BASELINES_CUDA_H_
