// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CollectionEdges: the edges that come and go when documents are added to and
// removed from a stored collection. The removed and the added documents are
// compared with all stored ones in one pass over the vectors, block by block,
// at the given place. Weights of edges are not stored, because they can be
// computed again.
//
// Complexity: (removed + added) · stored comparisons, and the cosine graph of
// the added documents. Memory: a block of documents, the changed documents and
// edges; GPU memory does not limit the size of a collection.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_EDGES_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_EDGES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/edges/term_weights.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/pcc_store.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Where documents are compared.
struct ComparisonPlace {
  Device device = Device::kAuto;
  // Unless null or a single one: on the CPUs of these ranks, of which this is
  // rank 0 (comparison_on_ranks.h), instead of the device.
  Communicator* ranks = nullptr;

  bool is_shared() const { return ranks != nullptr && ranks->size() > 1; }
};

// CosineGraph (graph/cosine/cosine_graph.h) at that place.
absl::StatusOr<CsrGraph> CosineGraphAt(const ComparisonPlace& place,
                                       const DocumentMatrix& documents,
                                       const CosineGraphOptions& options);
absl::StatusOr<CsrGraph> CosineGraphAt(const ComparisonPlace& place,
                                       const DenseDocuments& documents,
                                       const CosineGraphOptions& options);

// The change of the graph when the documents `removed` (vertices, ascending)
// are removed and the weighted documents `added` are added as the vertices from
// `first_vertex` on. `graph.work` follows the comparison with the stored
// documents too, on every device. `stored` still has the removed documents and
// does not have the added ones. `graph.integer_decisions` is the collection's
// arithmetic. Unavailable as ResolveDevice says, ResourceExhausted if the edges
// do not fit in memory, and errors of the store.
absl::StatusOr<PccChange> CollectionEdges(DocumentStore* stored,
                                          const TermWeights& weights,
                                          absl::Span<const int32_t> removed,
                                          const DocumentMatrix& added,
                                          int32_t first_vertex,
                                          const CosineGraphOptions& graph,
                                          const ComparisonPlace& place);
// The same for dense rows.
absl::StatusOr<PccChange> CollectionEdges(DocumentStore* stored,
                                          absl::Span<const int32_t> removed,
                                          const DenseDocuments& added,
                                          int32_t first_vertex,
                                          const CosineGraphOptions& graph,
                                          const ComparisonPlace& place);

// Adds the edges among the rows of `added` to `change`: the first half of the
// above, for a collection that starts again.
absl::Status EdgesAmongAdded(const DocumentMatrix& added, int32_t first_vertex,
                             const CosineGraphOptions& graph,
                             const ComparisonPlace& place, PccChange* change);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COLLECTION_EDGES_H_
