// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Assignment on the GPU (Liu et al. 2023, section 4.3): labels by pointer
// jumping up the dependency forest. The number of rounds is the logarithm of
// its depth; the paper's propagation from the peaks takes the depth.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_ASSIGNMENT_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_ASSIGNMENT_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"

namespace warpclust {

// AssignClusters of assignment.h, with the same result. Unavailable in a build
// without CUDA or without a GPU; ResourceExhausted if device memory does not
// suffice.
absl::StatusOr<Clusters> AssignClustersCuda(const DecisionGraph& graph,
                                            absl::Span<const int32_t> peaks,
                                            int32_t density_min,
                                            int num_threads = 0);

// By point: the number, in `roots`, of the one to which its dependent points
// lead. Points without a dependent point are roots; others may be. Errors as
// above.
absl::StatusOr<std::vector<int32_t>> NearestRootsCuda(
    absl::Span<const int32_t> dependents, absl::Span<const int32_t> roots,
    int num_threads);

// FindChainEnds of chain_ends.h. Errors as above; `next` is then as it was.
absl::Status FindChainEndsCuda(absl::Span<int32_t> next);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_ASSIGNMENT_CUDA_H_
