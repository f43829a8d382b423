// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineGraph: all pairs of documents whose cosine reaches β, exactly, with
// their cosines; the weighted thresholded similarity graph of OClustR
// (González-Soler, Pérez-Suárez, Chang, Informatica 41, section 2.1).
//
// Use it as the first stage of every clustering of documents by cosine. Every
// decision and every weight is specified in
// graph/cosine/decision/cosine_decision.h, so the graph is the same, byte for
// byte, on every device and with any number of threads. Documents without terms
// are isolated vertices.
//
// Cost: a filter over all n² / 2 pairs of n documents; where few share a term,
// an exact look at only those that do. The headers of the two builders say
// more. Memory: O(entries + terms + edges + a tile); CompactTerms (sparse)
// drops columns that no document uses. Thread-safety: functions are pure.

#ifndef WARPCLUST_GRAPH_COSINE_COSINE_GRAPH_H_
#define WARPCLUST_GRAPH_COSINE_COSINE_GRAPH_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// One vertex a document, in the same order. InvalidArgument if the documents
// are not valid or β is not in (0, 1]; Unavailable as ResolveDevice says;
// ResourceExhausted if the edges do not fit the device's memory.
absl::StatusOr<CsrGraph> CosineGraph(const DocumentMatrix& documents,
                                     const CosineGraphOptions& options,
                                     Device device = Device::kAuto);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_COSINE_GRAPH_H_
