// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RaiseCosineThreshold: the cosine graph of a higher β from that of a lower
// one. Use it to look at many thresholds: the comparison of all pairs is made
// once, at the lowest.
//
//   CosineGraphOptions options;
//   options.beta = "0.05";
//   ASSIGN_OR_RETURN(CsrGraph graph, CosineGraph(documents, options));
//   options.beta = "0.1";
//   RETURN_IF_ERROR(RaiseCosineThreshold(documents, options, &graph));
//
// The graph is that of CosineGraph, to the bit. The weight of an edge decides
// if it differs from β by more than rounding explains; else the dot product
// does, as graph/cosine/decision/cosine_decision.h says.
//
// Complexity: the edges of the graph before, and the entries of the documents
// and of those pairs that are as near to β as a float tells. Memory: 16 bytes
// per document, and 8 per term and thread.

#ifndef WARPCLUST_GRAPH_COSINE_RAISE_THRESHOLD_H_
#define WARPCLUST_GRAPH_COSINE_RAISE_THRESHOLD_H_

#include "absl/status/status.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Whether the graph of `higher` is made of edges of the graph of `lower` for
// all documents: they are equal, or 2^-40 or more apart. Nearer thresholds may
// be decided in different arithmetic. Both are in (0, 1].
bool CanRaiseThreshold(const Decimal& lower, const Decimal& higher);

// `graph` is CosineGraph of these documents with these options but a β from
// which CanRaiseThreshold leads to `options.beta`; it becomes that of
// `options`. InvalidArgument if the documents or the options are not valid, or
// the graph has another number of vertices.
absl::Status RaiseCosineThreshold(const DocumentMatrix& documents,
                                  const CosineGraphOptions& options,
                                  CsrGraph* graph);
absl::Status RaiseCosineThreshold(const DenseDocuments& documents,
                                  const CosineGraphOptions& options,
                                  CsrGraph* graph);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_RAISE_THRESHOLD_H_
