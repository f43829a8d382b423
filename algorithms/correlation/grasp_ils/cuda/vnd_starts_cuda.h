// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts of GRASP/CUDAVND and ILS/CUDAVND: as in the paper, the CPU constructs
// and perturbs, and the GPU descends (best_improvement_cuda.h). Many starts
// descend side by side. Restarts of ILS proceed in step: each is perturbed,
// then all descend, until the last one has ended.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_VND_STARTS_CUDA_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_VND_STARTS_CUDA_H_

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/correlation/grasp_ils/starts/starts.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "graph/signed/signed_graph.h"

namespace warpclust::internal {

// For the methods of IsCudaVnd; `graph` has vertices and must outlive the
// runner. Errors as NewCudaStartRunner.
absl::StatusOr<std::unique_ptr<StartRunner>> NewVndStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_VND_STARTS_CUDA_H_
