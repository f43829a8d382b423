// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of the cosine graph, shared by its CPU and CUDA builders.

#ifndef WARPCLUST_GRAPH_COSINE_DECISION_COSINE_GRAPH_OPTIONS_H_
#define WARPCLUST_GRAPH_COSINE_DECISION_COSINE_GRAPH_OPTIONS_H_

#include "absl/status/status.h"
#include "base/numbers/decimal.h"

namespace warpclust {

struct CosineGraphOptions {
  // β: an edge joins two documents whose cosine is at least this. In (0, 1].
  Decimal beta = "0.25";
  // Threads of the CPU builder; 0 means all. Never changes the result.
  int num_threads = 0;
  // Decide in integers where all weights are integers. False: in double always,
  // as for a collection in which other documents have, or may get, real
  // weights: a pair's decision then never depends on the rest.
  bool integer_decisions = true;

  // InvalidArgument if a field is out of range.
  absl::Status Validate() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_GRAPH_OPTIONS_H_
