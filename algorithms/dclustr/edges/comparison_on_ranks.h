// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How the ranks of a job share the comparisons of a DClustRCollection
// (algorithms/dclustr/dclustr.h). Rank 0 alone opens the collection, with
// DClustRRunOptions::ranks; the others wait for documents to compare.
//
//   if (ranks.rank() > 0) return FollowComparisons(ranks, num_threads);
//   run_options.ranks = &ranks;
//   ... collection.Update(batch, run_options) ...
//   return EndComparisons(ranks);
//
// Rank 0 sends blocks of the store as they are on disk, about 8 MiB to a rank
// at a time, so no other rank needs its files. Changed documents go to all
// ranks. The edges among added documents are those of CosineGraphDistributed.
// The order of the edges, and so the bytes of the store, are those of one
// process.
//
// Cost: 1/p of the comparisons per rank; decoding too. Rank 0 sends (p - 1) / p
// of the vectors of the store, and the changed documents p - 1 times. Memory of
// another rank: the changed documents with the index of a CosineProbe, 8 MiB of
// blocks, their edges, and what CosineGraphDistributed takes for 1/p of the
// added documents.
//
// Errors: those of the communicator, and what one rank finds in documents, on
// all ranks. After one the job ends. An error of a batch that rank 0 finds
// before it shares work is its own: the others wait for the next call.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COMPARISON_ON_RANKS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COMPARISON_ON_RANKS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/pcc_store.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// For all ranks but rank 0: compares what rank 0 sends, until EndComparisons.
absl::Status FollowComparisons(Communicator& ranks, int num_threads);

// For rank 0, once it has nothing to compare any more.
absl::Status EndComparisons(Communicator& ranks);

// The rest is called by the collection, on rank 0.

// CosineGraph of `documents`, on the CPUs of all ranks.
absl::StatusOr<CsrGraph> CosineGraphOnRanks(Communicator& ranks,
                                            const DocumentMatrix& documents,
                                            const CosineGraphOptions& options);
absl::StatusOr<CsrGraph> CosineGraphOnRanks(Communicator& ranks,
                                            const DenseDocuments& documents,
                                            const CosineGraphOptions& options);

// Adds to `change` the edges between the stored documents and the probes, which
// are the documents `change->removed`, then those added as the vertices from
// `first_vertex` on. The weight of a stored entry is its count times the factor
// of its term, or the count without factors.
absl::Status StoredEdgesOnRanks(Communicator& ranks, DocumentStore* stored,
                                absl::Span<const double> factors,
                                const DocumentMatrix& probes,
                                int32_t first_vertex,
                                const CosineGraphOptions& options,
                                PccChange* change);
absl::Status StoredEdgesOnRanks(Communicator& ranks, DocumentStore* stored,
                                const DenseDocuments& probes,
                                int32_t first_vertex,
                                const CosineGraphOptions& options,
                                PccChange* change);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_EDGES_COMPARISON_ON_RANKS_H_
