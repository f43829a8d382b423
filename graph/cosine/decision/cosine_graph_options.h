// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of CosineGraph (graph/cosine/cosine_graph.h) on every device.

#ifndef WARPCLUST_GRAPH_COSINE_DECISION_COSINE_GRAPH_OPTIONS_H_
#define WARPCLUST_GRAPH_COSINE_DECISION_COSINE_GRAPH_OPTIONS_H_

#include "absl/status/status.h"
#include "base/machine/work_share.h"
#include "base/numbers/decimal.h"

namespace warpclust {

struct CosineGraphOptions {
  // β in (0, 1]: an edge joins two documents whose cosine is at least this.
  Decimal beta = "0.25";
  // False: decide in double even if all weights are integers. Required if other
  // documents of the collection have, or may get, real weights: a pair's
  // decision then never depends on the other documents.
  bool integer_decisions = true;
  // Unless null, follows the CPU builder; RequestStop ends it with Cancelled.
  WorkShare* work = nullptr;
  // Threads of the CPU builder; 0: all cores.
  int num_threads = 0;

  // InvalidArgument if a field is out of range.
  absl::Status Validate() const;
};

// Cancelled if the owner of options.work has asked for the end.
absl::Status NotStopped(const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_GRAPH_OPTIONS_H_
