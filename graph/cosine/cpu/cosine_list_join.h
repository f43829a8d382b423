// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineListJoin: the cosine graph by term lists. A document meets only those
// that share a term with it, each by an exact dot product. This is cheaper than
// a filter over all pairs where few pairs share a term, as with ten million
// documents of a few words each.
//
// Cost: O(SharedTermPairs · log). Memory: 8 bytes per entry, 8 per term, up to
// 8 more of either while the lists are built, and the edges.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The number of pairs of documents, counted once per shared term, for terms
// with these document frequencies. A double: 2^31 documents that share two
// terms are more pairs than an int64_t holds.
double SharedTermPairs(absl::Span<const int64_t> document_frequencies);

// The document frequency of each term of `rows`.
std::vector<int64_t> RowFrequencies(const CosineRows& rows);

// The graph of `documents`, whose rows are `rows`. `work`, unless null, counts
// pairs.
CsrGraph CosineListJoin(const DocumentMatrix& documents, const CosineRows& rows,
                        const CosineDecision& decision, WorkShare* work,
                        int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_
