// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The options and the result of correlation clustering, shared by the entry
// point (correlation_clustering.h) and the methods behind it.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_CORRELATION_OPTIONS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_CORRELATION_OPTIONS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/partition/partition.h"
#include "kernels/device/device.h"

namespace warpclust {

// The four published variants carry the paper's names: SeqGRASP, SeqILS,
// GRASP/CUDAVND and ILS/CUDAVND. They differ in the metaheuristic and in the
// local search: first improvement (one_opt.h), or best improvement
// (best_improvement.h), which the paper runs on the GPU. Every method runs on
// every device, with the same result.
enum class CorrelationMethod {
  kAuto,
  kSeqGrasp,
  kSeqIls,
  kGraspCudaVnd,
  kIlsCudaVnd,
  // Names of version 0.1.
  kGrasp = kSeqGrasp,
  kIls = kSeqIls,
};

// "auto", "seq_grasp", "seq_ils", "grasp_cudavnd" or "ils_cudavnd".
absl::string_view CorrelationMethodName(CorrelationMethod method);

// The inverse; "grasp" and "ils" are kSeqGrasp and kSeqIls. InvalidArgument for
// anything else.
absl::StatusOr<CorrelationMethod> ParseCorrelationMethod(
    absl::string_view name);

// Whether a published variant is iterated local search, not GRASP.
inline bool IsIls(CorrelationMethod method) {
  return method == CorrelationMethod::kSeqIls ||
         method == CorrelationMethod::kIlsCudaVnd;
}

// Whether a published variant makes the best of all moves per round.
inline bool IsCudaVnd(CorrelationMethod method) {
  return method == CorrelationMethod::kGraspCudaVnd ||
         method == CorrelationMethod::kIlsCudaVnd;
}

// Conditions that every result meets. CorrelationClustering takes them with all
// methods (constraints/constrained_graph.h).
struct CorrelationConstraints {
  // Pairs of vertices that share a cluster, and pairs that do not.
  std::vector<std::pair<int32_t, int32_t>> must_link;
  std::vector<std::pair<int32_t, int32_t>> cannot_link;
  // Any two of these vertices share a cluster if and only if they do in
  // CorrelationOptions::initial. Other vertices may join and leave their
  // clusters.
  std::vector<int32_t> fixed;

  bool empty() const {
    return must_link.empty() && cannot_link.empty() && fixed.empty();
  }
};

struct CorrelationOptions {
  CorrelationMethod method = CorrelationMethod::kAuto;
  uint64_t seed = 1;

  // The most rounds of kAuto, restarts of ILS or starts of GRASP. 0 is the
  // default of the method: kAuto 5, ILS 10 (the paper's), GRASP no limit.
  int64_t iterations = 0;
  // Ends GRASP after this many starts, kAuto after this many rounds, without
  // improvement. 0 is the default of the method: GRASP 400 (the paper's),
  // kAuto 3. With a time limit, kAuto has no default here and above: it
  // continues until the limit.
  int64_t no_improvement = 0;

  // GRASP and ILS only; the defaults are the paper's (sections 4.1 and 4.2).
  // Construction: the share of the candidates, best first, from which the next
  // vertex is drawn, in [0, 1]. 0 always takes the best, 1 any.
  double alpha = 1.0;
  // How many vertices the descent moves at once, at most: 1 or 2.
  int neighborhood = 1;
  // ILS: the failures in a row after which the perturbation grows by a vertex,
  // and the most vertices that it moves.
  int64_t ils_iterations = 5;
  int64_t perturbation_max = 30;

  // kAuto only: a partition to start from, one label in [0, n) per vertex, or
  // empty. The result is never worse. If it does not meet the constraints, it
  // is only a start.
  Labels initial;
  CorrelationConstraints constraints;

  Device device = Device::kAuto;
  int num_threads = 0;  // 0: all cores.

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

struct CorrelationResult {
  // The cluster of each vertex, numbered in order of first member.
  Labels labels;
  int32_t num_clusters = 0;
  // I(P) in units of the graph; divide by graph.units_per_one.
  int64_t imbalance = 0;
  // I(P) is what every partition costs at least, so it is optimal.
  bool proven_optimal = false;
  // Starts, restarts or chains that were made.
  int64_t starts = 0;
  // The search was stopped before its end.
  bool stopped = false;

  // kAuto: other partitions of an I(P) at most 1 % above, the best first, at
  // most three. All differ, also from `labels`; clusters are numbered as there.
  struct Alternative {
    Labels labels;
    int64_t imbalance = 0;
  };
  std::vector<Alternative> alternatives;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_CORRELATION_OPTIONS_H_
