// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The engines of annealing chains (annealing.h). All make the same moves; those
// of the CPU differ in how they find w(v, cluster):
//
// - Rows, for sparse graphs: by a walk along v's row. O(degree) per visit with
//   another cluster as target; 4 bytes per vertex and chain.
// - Table, for dense graphs of up to kMostTablePositions vertices: from a table
//   of w(v, cluster) for all v and clusters, sixteen visits at a time with
//   AVX-512 (table_visits.h). A move adds a row of the dense adjacency matrix
//   to one column of the table and subtracts it from another (SIMD). O(1) per
//   visit, O(n) per move; up to 2 n^2 weights of 2 bytes (4 or 8 if sums need
//   them) per thread.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_ENGINES_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_ENGINES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/machine/aligned_buffer.h"

namespace warpclust::internal {

enum class AnnealingEngine { kAuto, kRows, kTable };

// Runs all chains, as many side by side as there are threads; several threads
// share each of few chains of a large plan. A chain
// stopped by `control` keeps its present partition. kTable needs a plan of at
// most kMostTablePositions positions.
void RunAnnealingChainsCpu(const AnnealingPlan& plan, AnnealingEngine engine,
                           int num_threads, const SearchControl& control,
                           absl::Span<AnnealingChain> chains);

// From this many entries on, all blocks of a GPU save more time in a sweep than
// the launches of its classes take.
inline constexpr int64_t kSharedEntriesCuda = 1 << 21;

// The same on the GPU, one block per chain, or all blocks for each class of
// vertices in a plan of at least `shared_entries` entries without a table; the
// threads number the clusters of the results. Device memory: the plan and 4
// bytes per vertex and chain; with tables n^2 weights, and n (n + 1) more per
// chain. If it is short, fewer chains run side by side; ResourceExhausted if
// not one fits. Unavailable without CUDA or a GPU. In cuda/annealing_cuda.cc or
// cuda/annealing_cuda_unavailable.cc.
absl::Status RunAnnealingChainsCuda(
    const AnnealingPlan& plan, int num_threads, const SearchControl& control,
    absl::Span<AnnealingChain> chains,
    int64_t shared_entries = kSharedEntriesCuda);

// Runs one chain, on num_threads threads. New clusters get labels from
// `first_label` on, which is at least plan.num_vertices; when all labels below
// 2^32 are used, clusters are renumbered.
void RunChainByRows(const AnnealingPlan& plan, int num_threads,
                    const SearchControl& control, uint64_t first_label,
                    AnnealingChain* chain);

// About how long that takes on num_threads threads, in the time on one.
double RelativeTimeByRows(const AnnealingPlan& plan, int num_threads);

// The dense adjacency matrix of a plan: row p is weights[p * stride, (p + 1) *
// stride), zero where there is no edge.
template <typename Weight>
struct AdjacencyMatrix {
  explicit AdjacencyMatrix(const AnnealingPlan& plan);
  int64_t stride = 0;
  AlignedVector<Weight> weights;
};
// Runs one chain.
template <typename Weight>
void RunChainByTable(const AnnealingPlan& plan,
                     const AdjacencyMatrix<Weight>& rows,
                     const SearchControl& control, AnnealingChain* chain);

// The labels of all vertices, canonical, from any labels of the positions;
// isolated vertices are alone.
Labels LabelsOfVertices(const AnnealingPlan& plan,
                        absl::Span<const uint32_t> position_labels);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_ENGINES_H_
