// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineGraph: all pairs of documents whose cosine is at least β, with their
// cosines; the weighted thresholded similarity graph of OClustR
// (González-Soler, Pérez-Suárez, Chang, Informatica 41, 2017, section 2.1).
//
// Use it as the first stage of any clustering of documents by cosine:
//
//   CosineGraphOptions options;
//   options.beta = "0.25";
//   ASSIGN_OR_RETURN(const CsrGraph graph, CosineGraph(documents, options));
//   for (int32_t u : graph.NeighborsOf(v)) ...
//
// Every edge is decided, and its weight rounded, as
// graph/cosine/decision/cosine_decision.h specifies. Documents without terms
// are isolated vertices.
//
// Cost: a filter over all n² / 2 pairs of n documents; on the CPU, for short
// documents or a high β, lists of terms and an exact dot product for each pair
// that a bound leaves instead. Memory:
// O(entries + terms + edges) and a tile per thread; the headers of the two
// builders say more. CompactTerms (sparse) removes columns that no document
// uses.

#ifndef WARPCLUST_GRAPH_COSINE_COSINE_GRAPH_H_
#define WARPCLUST_GRAPH_COSINE_COSINE_GRAPH_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Vertex d is document d. InvalidArgument if the documents or the options are
// not valid; Unavailable if the device is (ResolveDevice); ResourceExhausted if
// documents or edges do not fit in the memory of the GPU.
absl::StatusOr<CsrGraph> CosineGraph(const DocumentMatrix& documents,
                                     const CosineGraphOptions& options,
                                     Device device = Device::kAuto);

// The same for rows of floats, which may be negative. Values that are not
// negative give the graph of the sparse documents with the same values, to the
// bit.
absl::StatusOr<CsrGraph> CosineGraph(const DenseDocuments& documents,
                                     const CosineGraphOptions& options,
                                     Device device = Device::kAuto);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_COSINE_GRAPH_H_
