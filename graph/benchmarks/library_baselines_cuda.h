// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Library baselines of the cosine graph, for benchmarks only: NVIDIA's
// libraries called on the same documents.
//   SpGEMM  cuSPARSE: A · Aᵀ with normalised rows, CSR, float, in panels of
//   rows
//           whose products fit; then a kernel over the product's entries.
//   GEMM    cuBLAS: rows as dense bf16 in panels, panel · panelᵀ added up in
//           float over chunks of the vocabulary; then a kernel over the tile.
// Both count pairs at or above β and write no graph, so they do less than
// CosineGraphOnDevice. Rounding to float (bf16) decides, so neither is exact.
//
// The libraries are opened at run time, not linked. They are looked for in the
// directories of WARPCLUST_CUDA_LIBRARIES (separated by colons; for a Python
// environment its nvidia/cusparse/lib, nvidia/cublas/lib or nvidia/cu13/lib),
// then by the loader's rules, then in $CUDA_HOME/lib64 and
// /usr/local/cuda/lib64. Functions return Unavailable, with the loader's
// message, if a library is not found.
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
  // GEMM: only tiles on and above the diagonal, half of the work.
  bool half = false;
  // SpGEMM: most products of a panel; a row with more is a panel of its own.
  int64_t panel_products = int64_t{1} << 29;
  // GEMM: most rows of a panel and most terms of a chunk.
  int32_t panel_rows = 16384;
  int32_t chunk_terms = 16384;
};

struct LibraryBaselineResult {
  // Pairs i < j whose cosine, by the library's arithmetic, reaches β.
  int64_t num_edges = 0;
  // By events on the device, after a warm-up. Documents are on the device,
  // transposed, and memory is allocated.
  double seconds = 0;
  // Panels of rows (SpGEMM) or tiles (GEMM).
  int64_t num_panels = 0;
  // DeviceMemoryPeakBytes of the run, without what the library allocates.
  int64_t peak_bytes = 0;
};

absl::StatusOr<LibraryBaselineResult> SpGemmBaseline(
    const DeviceDocuments& documents, const LibraryBaselineOptions& options);

absl::StatusOr<LibraryBaselineResult> GemmBaseline(
    const DeviceDocuments& documents, const LibraryBaselineOptions& options);

// Bytes per second, read and written, of a copy inside the device's memory: the
// best of three, timed by events.
absl::StatusOr<double> MeasureCopyRate();
// Operations per second of a bf16 product of 8192 × 8192 random matrices
// (cuBLAS), timed likewise.
absl::StatusOr<double> MeasureGemmRate();

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_LIBRARY_BASELINES_CUDA_H_
