// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Options and results of CosineProbe (graph/cosine/cosine_probe.h), shared by
// what works on the CPU and on the GPU.

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
  // A document of the block.
  int32_t row;
  // A probe.
  int32_t probe;
  float cosine;
};

struct CosineProbeOptions {
  // β, in (0, 1].
  Decimal beta = "0.25";
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

// Documents that come in pieces, each made by the thread that joins it.
struct ProbePieces {
  int64_t num_pieces = 0;
  // Above all terms.
  int32_t num_terms = 0;
  // Appends the documents of a piece, some hundreds of them at best, to
  // `documents`, whose offsets are those of an empty matrix, whose entries may
  // be anything, to be resized and written over, and whose num_terms is the
  // above. Whether their weights all are integers from 1 to 2^24. Many at a
  // time.
  absl::FunctionRef<absl::StatusOr<bool>(int64_t piece,
                                         DocumentMatrix* documents)>
      read;
  // Takes the edges of a piece, rows counted from its first document. Many at a
  // time, but with one thread in the order of the pieces.
  absl::FunctionRef<absl::Status(int64_t piece,
                                 absl::Span<const ProbeEdge> edges)>
      take;
};

// What a join says of a document whose norm is above LargestSquaredNorm. `what`
// names it.
absl::Status ProbeNormTooLarge(absl::string_view what);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_OPTIONS_H_
