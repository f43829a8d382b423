// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineListJoin: the cosine graph by lists of the documents of each term. A
// document meets those only that it shares a term with, each by an exact dot
// product: cheaper than a filter over all pairs where few pairs share a term,
// as with ten million documents of a few words each, and dearer elsewhere.
//
// Cost: O(SharedTermPairs · log). Memory: 4 bytes an entry, 8 a term, and the
// edges. Thread-safety: functions are pure.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Pairs of documents, counted once for each term that they share, of terms with
// so many documents each. In double: 2^31 documents that share two terms are
// more pairs than an int64 holds.
double SharedTermPairs(absl::Span<const int64_t> document_frequencies);

// The documents of each of the terms of `rows`.
std::vector<int64_t> RowFrequencies(const CosineRows& rows);

// The graph; `rows` are those of `documents`.
CsrGraph CosineListJoin(const DocumentMatrix& documents, const CosineRows& rows,
                        const CosineDecision& decision, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_LIST_JOIN_H_
