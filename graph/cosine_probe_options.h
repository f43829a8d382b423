// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Options and results of CosineProbe (graph/cosine_probe.h), shared by what
// works on the CPU and on the GPU.

#ifndef WARPCLUST_GRAPH_COSINE_PROBE_OPTIONS_H_
#define WARPCLUST_GRAPH_COSINE_PROBE_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "kernels/decimal.h"

namespace warpclust {

struct ProbeEdge {
  // A document of the block.
  int32_t row;
  // A probe.
  int32_t probe;
  float cosine;
};

struct CosineProbeOptions {
  // β, in (0, 1].
  Decimal beta = {25, 100};
  // Decide in integers. All documents, of probes and blocks, must then have
  // weights that are integers below 2^24 and, d a document, |d|² < 2^53 and
  // |d|² · (β's denominator) <= 2^63 (as HasIntegerWeights and
  // MakeCosineDecision want them). False: decide in double, any weights.
  bool integer_arithmetic = false;
  // Threads on the CPU; 0 means all.
  int num_threads = 0;

  // The largest |d|² that a document may have; infinity for doubles.
  double LargestSquaredNorm() const;
};

// What a join says of a document whose norm is above that. `what` names it.
absl::Status ProbeNormTooLarge(absl::string_view what);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_PROBE_OPTIONS_H_
