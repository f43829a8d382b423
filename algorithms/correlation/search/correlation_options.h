// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The options and the result of correlation clustering, shared by the entry
// point (correlation_clustering.h) and the methods behind it.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_CORRELATION_OPTIONS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_CORRELATION_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/correlation/partition/partition.h"
#include "kernels/device.h"

namespace warpclust {

enum class CorrelationMethod { kAuto, kGrasp, kIls };

struct CorrelationOptions {
  CorrelationMethod method = CorrelationMethod::kAuto;
  uint64_t seed = 1;

  // The most rounds of kAuto, restarts of kIls or starts of kGrasp. 0 is the
  // default of the method: kAuto 5, kIls 10 (the paper's), kGrasp no limit.
  int64_t iterations = 0;
  // Ends kGrasp after this many starts, kAuto after this many rounds, without
  // improvement. 0 is the default of the method: kGrasp 400 (the paper's),
  // kAuto 3. With a time limit, kAuto has no default here and above: it
  // continues until the limit.
  int64_t no_improvement = 0;

  // kGrasp and kIls only; the defaults are the paper's (sections 4.1 and 4.2).
  // Construction: the share of the candidates, best first, from which the next
  // vertex is drawn, in [0, 1]. 0 always takes the best, 1 any.
  double alpha = 1.0;
  // How many vertices the descent moves at once, at most: 1 or 2.
  int neighborhood = 1;
  // kIls: the failures in a row after which the perturbation grows by a vertex,
  // and the most vertices that it moves.
  int64_t ils_iterations = 5;
  int64_t perturbation_max = 30;

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
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_CORRELATION_OPTIONS_H_
