// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Options, inputs and results of CosineProbe (graph/cosine/cosine_probe.h).

#ifndef WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_OPTIONS_H_
#define WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_OPTIONS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct ProbeEdge {
  int32_t row;    // A document of the block.
  int32_t probe;  // A probe.
  float cosine;
};

struct CosineProbeOptions {
  // β, in (0, 1].
  Decimal beta = "0.25";
  // True: decide in integers. All documents d, of probes and blocks, must then
  // have integer weights below 2^24, |d|² < 2^53 and
  // |d|² · (denominator of β) <= 2^63. False: decide in double, any weights.
  bool integer_arithmetic = false;
  // Threads on the CPU; 0: all cores.
  int num_threads = 0;

  // The largest |d|² that a document may have; infinity for doubles.
  double LargestSquaredNorm() const;

  // InvalidArgument if a field is out of range.
  absl::Status Validate() const;
};

// Documents in pieces, each read by the thread that joins it.
struct ProbePieces {
  int64_t num_pieces = 0;
  // Greater than every term.
  int32_t num_terms = 0;
  // Appends the documents of a piece, best some hundred, to `documents`. Its
  // offsets are those of an empty matrix and num_terms is set; its entries are
  // undefined, to be resized and overwritten. Returns whether all weights are
  // integers from 1 to 2^24. Called by several threads at a time.
  absl::FunctionRef<absl::StatusOr<bool>(int64_t piece,
                                         DocumentMatrix* documents)>
      read;
  // Takes the edges of a piece; rows are counted from its first document.
  // Called by several threads at a time; by one thread, in order of the pieces.
  absl::FunctionRef<absl::Status(int64_t piece,
                                 absl::Span<const ProbeEdge> edges)>
      take;
};

// The error for probes that integer_arithmetic does not allow.
absl::Status ProbesNotIntegers();

// The error for a document, named by `what`, with a norm above
// LargestSquaredNorm.
absl::Status ProbeNormTooLarge(absl::string_view what);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_OPTIONS_H_
