// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StoredEdges: from edges of a CosineProbe, whose probes are the removed and
// then the added documents, with stored documents, to the edges that come and
// go. Part of CollectionEdges (algorithms/dclustr/edges/collection_edges.h).
//
// Thread-safety: Append is const. Determinism: edges in the order in which the
// stored documents come, with any number of threads.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_STORED_EDGES_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_STORED_EDGES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {

class StoredEdges {
 public:
  // `removed`, ascending, must outlive this object; the added documents are the
  // vertices from `first_vertex` on.
  StoredEdges(absl::Span<const int32_t> removed, int32_t first_vertex)
      : removed_(removed), first_vertex_(first_vertex) {}

  // Appends `edges`, by row, of the stored documents `vertices`.
  void Append(absl::Span<const int32_t> vertices,
              absl::Span<const ProbeEdge> edges, PccChange* change) const;

  // Appends all edges with the documents of `stored`, which its threads, of
  // which there are `num_threads`, decode and weigh for themselves.
  // `probe` must have JoinPieces.
  absl::Status AppendAll(DocumentStore* stored, const TermWeights& weights,
                         int num_threads, CosineProbe* probe,
                         PccChange* change) const;

 private:
  absl::Span<const int32_t> removed_;
  int32_t first_vertex_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_STORED_EDGES_H_
