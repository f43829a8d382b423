// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts on the GPU: NewCudaStartRunner of starts.h, with tuning for tests and
// benchmarks. Only builds with CUDA have it.
//
// One thread block makes one start at a time, move by move in the order of the
// CPU; hundreds of blocks run side by side (start_kernel.cuh). A start, with
// all descents of an ILS restart, needs nothing from the host, which reads the
// clock between slices of a launch. Neighborhood 2 (pairs), alpha below 1 and
// graphs without vertices run on CPU threads, with the same results. All this
// is SeqGRASP and SeqILS; vnd_starts_cuda.h has the starts of CUDAVND.
//
// Device memory: the graph, 16 bytes per entry (32 if sums of weights need 64
// bits; dense graphs 8 and 16), and for each start side by side 45 bytes per
// vertex and 11 to 43 bytes per entry, twice that with 64 bits (dense graphs: 4
// or 8 bytes per pair of vertices). With little memory fewer starts run side by
// side; ResourceExhausted if not one fits.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_STARTS_CUDA_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_STARTS_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/correlation/grasp_ils/starts/starts.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "graph/signed/signed_graph.h"

namespace warpclust::internal {

// Speed and memory only: no result depends on it.
struct CudaStartTuning {
  enum class Sums { kChosen, kHash, kDirect };  // cluster_sums.cuh
  Sums sums = Sums::kChosen;
  // Threads of a block: a multiple of 32 from 64 to 512; 0: chosen.
  int threads = 0;
  // The most starts side by side; 0: chosen.
  int64_t workspaces = 0;
  double slice_seconds = 0.02;
};

absl::StatusOr<std::unique_ptr<StartRunner>> NewCudaStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options,
    const CudaStartTuning& tuning);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_STARTS_CUDA_H_
