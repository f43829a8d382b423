// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CollectionEdges: the edges that come and go when documents are added to and
// removed from a stored collection. The removed and the added documents are met
// with all stored ones in one pass over their vectors, block by block, on the
// device asked for; weights of edges are not stored, they come out again as
// they were.
//
// Cost: (removed + added) · stored comparisons, and a cosine graph of the added
// ones. Memory: a block of 4096 documents, of 65536 where the GPU compares, the
// changed documents and edges; the GPU's is no limit to a collection's size.
// Determinism: the same edges with any number of threads and on every device.
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_EDGES_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_EDGES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/pcc_store.h"
#include "kernels/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The change of the graph when `removed` (vertices of stored documents,
// ascending) go and the weighted documents `added` come, as the vertices from
// `first_vertex` on. `stored` still holds the removed documents and not yet the
// added ones. `graph.integer_decisions` is the collection's arithmetic.
// Unavailable as ResolveDevice says; ResourceExhausted if the edges do not fit
// the memory; errors of the store.
absl::StatusOr<PccChange> CollectionEdges(
    DocumentStore* stored, const TermWeights& weights,
    absl::Span<const int32_t> removed, const DocumentMatrix& added,
    int32_t first_vertex, const CosineGraphOptions& graph, Device device);

// Adds the edges among the rows of `added` to `change`. The first half of the
// above, for a collection that begins anew.
absl::Status EdgesAmongAdded(const DocumentMatrix& added, int32_t first_vertex,
                             const CosineGraphOptions& graph, Device device,
                             PccChange* change);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_EDGES_H_
