// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineProbe: all pairs of a probe and another document whose cosine is at
// least β. The probes, a few documents, are indexed once; the others come as a
// stream of blocks.
//
// Use it for a stored collection that gets new documents: the new ones are the
// probes, and the store is read once. For all pairs of one collection use
// graph/cosine/cosine_graph.h.
//
//   ASSIGN_OR_RETURN(CosineProbe probe,
//                    CosineProbe::Create(new_documents, options));
//   std::vector<ProbeEdge> edges;
//   RETURN_IF_ERROR(probe.Join(block, &edges));
//
// Exact: a pair is decided, and its cosine rounded, as
// graph/cosine/decision/cosine_decision.h specifies, so the edges are those of
// CosineGraph with integer_decisions = integer_arithmetic. They do not depend
// on the cut into blocks.
//
// Cost on the CPU: O(entries of the probes) once. For a block little more than
// reading it, and for each of its documents and each probe about a hundredth of
// a dot product. Memory: about 12 bytes per term of the probes, 2 to 4 KB per
// probe, per thread 0.3 MB and 10 bytes per entry of PieceDocuments(), and the
// edges.
//
// Cost on the GPU: for each block, the upload of the block and of the probes
// (16 bytes per document, 8 per entry), then about one addition for each term
// that a document of the block shares with a probe. Blocks of 10^4 documents or
// more, and of more documents than probes, keep the GPU busy. Device memory
// until Join returns: 12 bytes per entry of the block, 36 per entry of the
// probes, 24 per term of the probes, 28 to 800 per document, and 20 to 24 per
// edge, or room for all pairs if they are few. A block that does not fit is
// halved until it does, and so are the probes.
//
// One Join at a time.

#ifndef WARPCLUST_GRAPH_COSINE_COSINE_PROBE_H_
#define WARPCLUST_GRAPH_COSINE_COSINE_PROBE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class CosineProbeBackend;

class CosineProbe {
 public:
  // InvalidArgument if the probes or the options are not valid, or if the norm
  // of a probe is too large for integer_arithmetic; Unavailable if the device
  // is (ResolveDevice).
  static absl::StatusOr<CosineProbe> Create(DocumentMatrix probes,
                                            const CosineProbeOptions& options,
                                            Device device = Device::kAuto);

  CosineProbe(CosineProbe&&) noexcept;
  CosineProbe& operator=(CosineProbe&&) noexcept;
  ~CosineProbe();

  // Appends all pairs of cosine >= β by row of `block`, then probe. Terms from
  // the probes' num_terms on belong to no probe. `block` must be valid; this is
  // not checked. InvalidArgument if the norm of a document is too large for
  // integer_arithmetic; ResourceExhausted if not even one document and one
  // probe fit in the memory of the GPU. On an error `edges` is unchanged.
  absl::Status Join(const DocumentMatrix& block, std::vector<ProbeEdge>* edges);

  // The same for documents that each thread reads for itself, as counts, and
  // weights as ScaleTerms does: the weight of an entry is its count times the
  // factor of its term, or the count if `factors` is empty. Much faster than
  // weighting blocks for Join, and nothing is serial. Returns the first error
  // in the order of the pieces: of `read` and `take`, ScaleTerms and Join.
  // InvalidArgument for fewer factors than terms and for negative numbers of
  // pieces or terms; Unimplemented if PieceDocuments() is 0.
  absl::Status JoinPieces(const ProbePieces& pieces,
                          absl::Span<const double> factors);
  // How many documents a piece best has, at most. 0 if the device does not
  // support JoinPieces: the CPU does.
  int32_t PieceDocuments() const;

 private:
  explicit CosineProbe(std::unique_ptr<CosineProbeBackend> backend);

  std::unique_ptr<CosineProbeBackend> backend_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_COSINE_PROBE_H_
