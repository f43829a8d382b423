// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseCosineProbe: CosineProbe (graph/cosine/cosine_probe.h) of dense
// documents, on the CPU: all pairs of a probe and another document whose cosine
// is at least β.
//
// Use it for stored rows that get new ones: the new ones are the probes, and
// the store is read once, block by block.
//
//   ASSIGN_OR_RETURN(const DenseCosineProbe probe,
//                    DenseCosineProbe::Create(new_documents, options));
//   std::vector<ProbeEdge> edges;
//   RETURN_IF_ERROR(probe.Join(block, &edges));
//
// Exact: the edges are those of CosineGraph of all these documents with
// integer_decisions = integer_arithmetic. They do not depend on the cut into
// blocks.
//
// Cost of a block: documents · probes · dimensions multiplications of 16-bit
// digits, and a dot product in double for each pair that these do not exclude.
// A few probes are compared in double alone. Memory: 2 bytes per value of the
// probes, the edges, and per thread 128 KB and 2 bytes per value of 128
// documents. Blocks of 10^3 documents or more keep all threads busy.
//
// Several threads may call Join.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_PROBE_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_PROBE_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_tile.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

class DenseCosineProbe {
 public:
  // InvalidArgument if the probes or the options are not valid, or if the norm
  // of a probe is too large for integer_arithmetic.
  static absl::StatusOr<DenseCosineProbe> Create(
      const DenseDocuments& probes, const CosineProbeOptions& options);

  // Appends all pairs of cosine >= β by row of `block`, then probe. Values must
  // be finite, and integers for integer_arithmetic; this is not checked.
  // InvalidArgument if the block has another number of dimensions, or a
  // document with a norm too large for integer_arithmetic. On an error `edges`
  // is unchanged.
  absl::Status Join(const DenseDocuments& block,
                    std::vector<ProbeEdge>* edges) const;

 private:
  DenseCosineProbe(DenseSide probes, const CosineProbeOptions& options)
      : probes_(std::move(probes)), options_(options) {}

  // The edges of a few documents.
  absl::Status JoinRows(const DenseDocuments& rows, DenseTile* tile,
                        std::vector<DenseTile::Edge>* edges) const;

  DenseSide probes_;
  CosineProbeOptions options_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_DENSE_COSINE_PROBE_H_
