// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts on the GPU: NewCudaStartRunner of starts.h, with what tests and
// benchmarks may choose. Only builds with CUDA have this.
//
// One thread block makes one start at a time, move by move in the order of the
// CPU; hundreds of blocks are at work side by side (start_kernel.cuh). A whole
// start, with all descents of an ILS restart, needs nothing of the host; the
// host looks at the clock between slices of a launch.
//
// On CPU threads after all, with the same results: neighborhood 2 (pairs),
// alpha below 1, graphs without vertices.
//
// Device memory: the graph, 16 bytes an entry (32 if sums of weights need 64
// bits; dense graphs 8 and 16), and for each start side by side 45 bytes a
// vertex and 11 to 43 bytes an entry, twice that with 64 bits (dense graphs: 4
// or 8 bytes for each pair of vertices). With little memory fewer starts are
// side by side; ResourceExhausted if not one fits.
//
// Speed: a move takes about 2 us, dense or sparse, while up to 132 restarts of
// ILS take no longer than one; hundreds of starts of GRASP are side by side.

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
  // Of a block: a multiple of 32 from 64 to 512; 0: chosen.
  int threads = 0;
  // Starts side by side, at most; 0: chosen.
  int64_t workspaces = 0;
  double slice_seconds = 0.02;
};

absl::StatusOr<std::unique_ptr<StartRunner>> NewCudaStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options,
    const CudaStartTuning& tuning);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_STARTS_CUDA_H_
