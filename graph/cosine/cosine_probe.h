// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineProbe: a few documents, the probes, indexed once, then met with a
// stream of blocks of other documents: all pairs of a document of a block and a
// probe whose cosine reaches β. For a stored collection that gets new
// documents: the new ones are the probes, and the store is read once. For all
// pairs of one collection use graph/cosine/cosine_graph.h.
//
// Exact: a pair is decided, and its cosine rounded, as
// graph/cosine/decision/cosine_decision.h says, so it is the edge that
// CosineGraph gives with integer_decisions = integer_arithmetic.
//
// Cost on the CPU: O(entries of the probes) once; for a block a little more
// than reading it, and for each of its documents and each probe about a
// hundredth of a dot product. Memory: about 8 bytes a term of the probes, 2 to
// 4 KB a probe, and 512 bytes a probe and thread; nothing of the size of a
// block but its edges.
//
// Cost on the GPU: for each block, the upload of it and of the probes (16 bytes
// a document, 8 an entry), then about one addition for each term that a
// document of it shares with a probe. Blocks of 10^4 documents or more, and of
// more than there are probes, keep it busy. Device memory, until Join returns:
// 12 bytes an entry of the block, 36 of the probes, 24 a term of the probes, 28
// to 800 a document, and 20 to 24 an edge; with room for all pairs instead
// where there are few. A block that does not fit is halved until it does, and
// so are the probes: ResourceExhausted only if one document and one probe do
// not fit.
//
// Thread-safety: one Join at a time. Determinism: the same edges on every
// device, for any number of threads and any cut into blocks.

#ifndef WARPCLUST_GRAPH_COSINE_COSINE_PROBE_H_
#define WARPCLUST_GRAPH_COSINE_COSINE_PROBE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "kernels/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class CosineProbeBackend;

class CosineProbe {
 public:
  // InvalidArgument if the probes or the options are not valid or if the norm
  // of a probe is too large for integer_arithmetic; Unavailable as
  // ResolveDevice says; ResourceExhausted.
  static absl::StatusOr<CosineProbe> Create(DocumentMatrix probes,
                                            const CosineProbeOptions& options,
                                            Device device = Device::kAuto);

  CosineProbe(CosineProbe&&) noexcept;
  CosineProbe& operator=(CosineProbe&&) noexcept;
  ~CosineProbe();

  // Appends all pairs of cosine >= β, by row, then probe. Terms from the
  // probes' num_terms on belong to no probe. `block` must be valid, which is
  // not checked. InvalidArgument if the norm of a document is too large for
  // integer_arithmetic, ResourceExhausted; `edges` then is as it was.
  absl::Status Join(const DocumentMatrix& block, std::vector<ProbeEdge>* edges);

  // The same, of documents that each thread reads for itself, as counts, and
  // weighs as ScaleTerms does (no factors: counts are weights). Much faster
  // than weighing blocks for Join, and nothing is serial. `factors` must stay
  // for the call. The first error in the order of the pieces: of `read`, of
  // `take`, ScaleTerms', Join's; InvalidArgument for fewer factors than terms
  // and for negative numbers; Unimplemented where JoinsPieces() says no.
  absl::Status JoinPieces(const ProbePieces& pieces,
                          absl::Span<const double> factors);
  // Whether the device has JoinPieces: the CPU.
  bool JoinsPieces() const;

 private:
  explicit CosineProbe(std::unique_ptr<CosineProbeBackend> backend);

  std::unique_ptr<CosineProbeBackend> backend_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_COSINE_PROBE_H_
