// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StartRunner: makes the starts of GRASP or the restarts of ILS (Levorato et
// al. 2015, section 4), many side by side, on one device. grasp.h and ils.h
// take the results in order and decide when it is enough; what a start does is
// fixed by its number alone, so that any device and any number of threads make
// the same ones. This is what start s does, to the last random number.
//
// Random random(seed, s); n vertices; labels are slots in [0, n), not renamed
// during a start. A new cluster gets the smallest unused label. The sum of a
// vertex to a cluster is that of the net weights to its members.
//
// Construction, all vertices unclustered (construction.h has alpha < 1). With
// alpha = 1: array = 0 .. n - 1; while it is not empty, k = Below(its size), v
// = array[k], array[k] = the last one, one shorter. v joins the cluster with
// the largest positive sum (ties: smallest label), else a new one.
//
// Descent (vnd.h): first = Below(n), OneOpt from `first`. With neighborhood 2:
// first = Below(n), one search of pairs (two_opt.h) from there; if it improved,
// the descent begins anew, with a new draw, until it does not.
//
// GRASP: construction, descent, end.
//
// ILS: construction, descent; that is the best. Level t = 1, failures = 0.
// While t <= perturbation_max and I(P) of the best > graph.constant_cost:
//   From the best, t times: v = Below(n); h = one more than the largest used
//   label; k = Below(h), drawn again while cluster k is empty. If k is the
//   cluster of v and v is not alone there, v founds a new one; if v is alone,
//   nothing happens; else v moves to k. Then descent (its draws are always
//   made). Strictly better than the best: it is the best, t = 1, failures = 0.
//   Else failures + 1, and if that is ils_iterations: failures = 0, t + 1.
//
// n = 0: no draws at all; the partition is empty.
//
// Thread-safety: one Run at a time. Determinism: as said, unless stopped.

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
  // happens only after a stop and then not to start 0. May be empty, too, if an
  // earlier start of this Run is as good, or any is better.
  Labels labels;
  // I(P) in units; the largest int64 if the start was not made.
  int64_t imbalance = 0;
  // Ended by control.ShouldStop(), or not made: the best so far, not what the
  // start gives.
  bool aborted = false;
};

class StartRunner {
 public:
  virtual ~StartRunner() = default;

  // Starts that are well made in one Run; at least 1.
  virtual int64_t batch() const = 0;

  // Results of starts [begin, end), in order. Asks control.ShouldStop() often;
  // restarts of ILS report each better I(P). Starts are counted by the caller.
  virtual absl::StatusOr<std::vector<StartResult>> Run(
      int64_t begin, int64_t end, SearchControl& control) = 0;
};

// Runners for options.method kGrasp or kIls; `graph` must outlive them. The
// options and the graph are valid.
std::unique_ptr<StartRunner> NewCpuStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options);

// In starts_cuda.cu, or starts_cuda_unavailable.cc: always Unavailable. Errors:
// Unavailable and ResourceExhausted as device and memory say.
absl::StatusOr<std::unique_ptr<StartRunner>> NewCudaStartRunner(
    const SignedGraph& graph, const CorrelationOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_STARTS_H_
