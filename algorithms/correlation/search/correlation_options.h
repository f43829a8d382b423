// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The options and the result of correlation clustering, shared by the entry
// point (correlation_clustering.h) and the methods that it chooses among.

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
  Device device = Device::kAuto;
  int num_threads = 0;  // 0: all cores.

  // Most rounds of kAuto, restarts of kIls, starts of kGrasp. 0 is the default
  // of the method: kAuto 5, kIls 10 (the paper's), kGrasp no limit.
  int64_t iterations = 0;
  // Ends kGrasp after that many starts, kAuto after that many rounds without
  // improvement. 0 is the default: kGrasp 400 (the paper's), kAuto 3. With
  // a time limit kAuto has no default, here and above: it goes on until then.
  int64_t no_improvement = 0;

  // kGrasp and kIls only; the defaults are the paper's (sections 4.1 and 4.2).
  // Construction: share of the candidates to draw from, in [0, 1]; 0 always
  // takes the best, 1 any.
  double alpha = 1.0;
  // Largest neighborhood of the descent: vertices moved at once, 1 or 2.
  int neighborhood = 1;
  // kIls: failures before the perturbation grows by one vertex, and its most.
  int64_t ils_iterations = 5;
  int64_t perturbation_max = 30;

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

struct CorrelationResult {
  // Canonical: numbered in order of first member.
  Labels labels;
  int32_t num_clusters = 0;
  // I(P) in units of the graph; divide by graph.units_per_one.
  int64_t imbalance = 0;
  // Known to be optimal: I(P) is what every partition costs at least.
  bool proven_optimal = false;
  // Constructions, restarts or chains made.
  int64_t starts = 0;
  // Whether the run was stopped before its end.
  bool stopped = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_CORRELATION_OPTIONS_H_
