// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The engines of annealing chains on the CPU (see annealing.h). Both make the
// same moves; they differ in how they find w(v, cluster):
//
// - rows: by a walk along v's row. O(degree) a visit that is not void, 4 bytes
//   a vertex and chain. For sparse graphs.
// - table: from a table of w(v, cluster) for all v and clusters, which a move
//   keeps up to date by adding a row of the dense adjacency matrix to one
//   column of the table and subtracting it from another (SIMD). O(1) a visit,
//   O(n) a move. Memory: up to 2 n^2 weights of 4 bytes (8 if sums need them) a
//   thread. For dense graphs of up to kMostTablePositions vertices.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CHAINS_ANNEALING_CPU_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CHAINS_ANNEALING_CPU_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/annealing/chains/annealing.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust::internal {

enum class AnnealingEngine { kAuto, kRows, kTable };

// As RunAnnealingChains on the CPU; kTable needs kMostTablePositions at most.
void RunAnnealingChainsCpu(const AnnealingPlan& plan, AnnealingEngine engine,
                           int num_threads, const SearchControl& control,
                           absl::Span<AnnealingChain> chains);

// One chain each. New clusters get labels from `first_label` on, at least
// plan.num_vertices; when all below 2^32 are used, clusters are numbered anew.
void RunChainByRows(const AnnealingPlan& plan, const SearchControl& control,
                    uint64_t first_label, AnnealingChain* chain);

// The dense adjacency matrix of a plan: row p is
// weights[p * stride, (p + 1) * stride), zero where there is no edge.
template <typename Weight>
struct AdjacencyMatrix {
  explicit AdjacencyMatrix(const AnnealingPlan& plan);
  int64_t stride = 0;
  std::vector<Weight> weights;
};
template <typename Weight>
void RunChainByTable(const AnnealingPlan& plan,
                     const AdjacencyMatrix<Weight>& rows,
                     const SearchControl& control, AnnealingChain* chain);

// Labels of all vertices, canonical, from any labels of the positions; isolated
// vertices are alone.
Labels LabelsOfVertices(const AnnealingPlan& plan,
                        absl::Span<const uint32_t> position_labels);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CHAINS_ANNEALING_CPU_H_
