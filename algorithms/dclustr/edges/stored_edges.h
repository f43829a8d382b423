// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StoredEdges: from the edges of a CosineProbe with stored documents to the
// edges that come and go. Its probes are the removed documents, then the added
// ones. Edges come in the order of the stored documents, with any number of
// threads.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_STORED_EDGES_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_STORED_EDGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/documents/stored_document_blocks.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {

// The options of a probe whose edges are those of `graph`.
CosineProbeOptions ProbeOptions(const CosineGraphOptions& graph);

// What a comparison returns once its WorkShare is asked to stop.
absl::Status ComparisonStopped();

// Appends the edges of `from`.
void AppendEdges(const PccChange& from, PccChange* change);

// Makes room for edges as documents are compared.
class EdgeRoom {
 public:
  // `num_documents`: all that will be.
  explicit EdgeRoom(int32_t num_documents);

  // For `more` edges of `num_documents` further documents. If the capacity must
  // grow, it grows for all edges that are expected from those found so far.
  void Make(size_t more, size_t num_documents,
            std::vector<WeightedEdge>* edges);

 private:
  const double all_documents_;
  double documents_before_ = 0;
};

class StoredEdges {
 public:
  // `removed`, ascending, must outlive this object; the added documents are the
  // vertices from `first_vertex` on.
  StoredEdges(absl::Span<const int32_t> removed, int32_t first_vertex)
      : removed_(removed), first_vertex_(first_vertex) {}

  // Appends `edges`, by row, of the stored documents `vertices`.
  void Append(absl::Span<const int32_t> vertices,
              absl::Span<const ProbeEdge> edges, PccChange* change) const;

  // Appends all edges with the documents of `pieces`, whose counts have these
  // `factors` (CosineProbe::JoinPieces). `num_threads` threads decode and weigh
  // documents themselves. `probe` must support JoinPieces.
  absl::Status AppendPieces(const StoredDocumentPieces& pieces,
                            absl::Span<const double> factors,
                            const CountedWork& work, int num_threads,
                            CosineProbe* probe, EdgeRoom* room,
                            PccChange* change) const;

 private:
  absl::Span<const int32_t> removed_;
  int32_t first_vertex_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_STORED_EDGES_H_
