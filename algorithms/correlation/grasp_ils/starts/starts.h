// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StartRunner: makes the starts of GRASP or the restarts of ILS (Levorato et
// al. 2015, section 4), many side by side, on one device. What a start does
// depends on its number alone, so every device and any number of threads make
// the same ones. This is what start s does, to the last random number.
//
// Random random(seed, s); n vertices; labels are slots in [0, n), not renamed
// during a start. A new cluster gets the smallest unused label. The sum of a
// vertex to a cluster is the sum of the net weights to its members.
//
// Construction, all vertices unclustered, alpha = 1 (construction.h has alpha <
// 1): array = 0 .. n - 1; while it is not empty, k = Below(its size), v =
// array[k], array[k] = the last element, and the array shrinks by one. v joins
// the cluster with the largest sum, if that is at least 0 (ties: smallest
// label), else it founds a new one.
//
// Descent of SeqGRASP and SeqILS: first = Below(n), OneOpt from `first`. With
// neighborhood 2: first = Below(n), one search of pairs (two_opt.h) from there;
// if it improved, the descent starts again with a new draw, until it does not
// improve.
//
// Descent of GRASP/CUDAVND and ILS/CUDAVND (section 3.3): BestImprovement
// (best_improvement.h), without a draw.
//
// GRASP: construction, descent, end.
//
// ILS: construction, descent; that is the best. Level t = 1, failures = 0.
// While t <= perturbation_max and I(P) of the best > graph.constant_cost:
//   From the best, t times: v = Below(n); h = one more than the largest used
//   label; k = Below(h), drawn again while cluster k is empty. If k is the
//   cluster of v and v is not alone there, v founds a new one; if v is alone,
//   nothing happens; else v moves to k. Then descent (its draws are always
//   made). If strictly better than the best: it is the best, t = 1, failures =
//   0. Else failures + 1, and if that is ils_iterations: failures = 0, t + 1.
//
// n = 0: no draws at all; the partition is empty.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_STARTS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_STARTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct StartResult {
  // Slots in [0, n), not canonical. Empty if the start was not made, which
  // happens only after a stop and never to start 0. May also be empty if an
  // earlier start of this Run has an I(P) at most as large.
  Labels labels;
  // I(P) in units; the largest int64 if the start was not made.
  int64_t imbalance = 0;
  // The start was ended by control.ShouldStop(), with its best partition so
  // far, or not made.
  bool aborted = false;
};

class StartRunner {
 public:
  virtual ~StartRunner() = default;

  // A good number of starts per Run; at least 1.
  virtual int64_t batch() const = 0;

  // The results of starts [begin, end), in order; one Run at a time. Asks
  // control.ShouldStop() often. Restarts of ILS report each better I(P); the
  // caller counts the starts.
  virtual absl::StatusOr<std::vector<StartResult>> Run(
      int64_t begin, int64_t end, SearchControl& control) = 0;
};

// Runners for the methods other than kAuto; `graph` must outlive them. The
// options and the graph are valid.
std::unique_ptr<StartRunner> NewCpuStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options);

// Unavailable without CUDA or a GPU; ResourceExhausted if device memory does
// not suffice. In starts_cuda.cu or starts_cuda_unavailable.cc.
absl::StatusOr<std::unique_ptr<StartRunner>> NewCudaStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_STARTS_H_
