// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaBestImprovement: CUDAVND, the local search of Levorato et al. 2015,
// section 3.3, on the GPU. It makes the moves of BestImprovement
// (best_improvement.h), in many partitions side by side.
//
//   ASSIGN_OR_RETURN(std::unique_ptr<CudaBestImprovement> descent,
//                    NewCudaBestImprovement(graph, /*neighborhood=*/1));
//   RETURN_IF_ERROR(descent->Descend(control, partitions));
//
// As in the paper, two matrices in global memory hold the positive and the
// negative weight of every vertex to every cluster. A round is three steps on
// the GPU: all n (c + 1) moves are evaluated, one thread each; a reduction
// finds the best one; the labels and the matrices are updated. The labels are
// in global memory too, so shared memory does not limit the number of vertices.
// The host launches several rounds at a time and then asks which partitions are
// done.
//
// Neighborhood 2: where no vertex gains, one thread per edge evaluates the
// moves of its two ends to all pairs of clusters. Pairs without an edge gain
// nothing there (two_opt.h).
//
// Cost of a round: two sums per vertex and cluster are read once, 8 n (c + 1)
// bytes for each partition (16 if the weights of a vertex need 64 bits). Device
// memory: the graph, and 8 n C bytes (16) for each partition side by side; C is
// c rounded up, and grows when a descent founds more clusters. With little
// memory fewer partitions run side by side; ResourceExhausted if not one fits.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_BEST_IMPROVEMENT_CUDA_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_BEST_IMPROVEMENT_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class CudaBestImprovement {
 public:
  struct Partition {
    Labels labels;          // In [0, n), all clustered.
    int64_t imbalance = 0;  // I(P) of the labels, after Descend.
    // The labels are a local optimum; false if the control ended the descent.
    bool complete = false;
    // How many rounds of Descend moved a vertex or a pair.
    int64_t moves = 0;
  };

  virtual ~CudaBestImprovement() = default;

  // Descends from each partition.
  virtual absl::Status Descend(const SearchControl& control,
                               absl::Span<Partition* const> partitions) = 0;
};

// `graph` has vertices and must outlive the object; `neighborhood` is 1 or 2.
// `side_by_side` is the most partitions that run at a time, and `rounds` the
// most rounds between two looks at the clock; no result depends on them.
// Unavailable without a GPU.
absl::StatusOr<std::unique_ptr<CudaBestImprovement>> NewCudaBestImprovement(
    const SignedGraph& graph, int neighborhood, int64_t side_by_side = 256,
    int rounds = 64);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CUDA_BEST_IMPROVEMENT_CUDA_H_
