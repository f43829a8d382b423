// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "small_documents.h"

#include <utility>

#include "algorithms/oclustr/oclustr.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace downstream {

absl::StatusOr<warpclust::Cover> ClusterSmallDocuments(
    warpclust::Device device) {
  warpclust::DocumentMatrix documents;
  documents.num_terms = 4;
  documents.offsets = {0, 1, 3, 5, 7, 8};
  documents.terms = {0, 0, 1, 1, 2, 2, 3, 3};
  documents.weights = {1, 1, 1, 1, 1, 1, 1, 1};

  warpclust::CosineGraphOptions graph_options;
  graph_options.beta = "0.5";
  absl::StatusOr<warpclust::CsrGraph> graph =
      warpclust::CosineGraph(documents, graph_options, device);
  if (!graph.ok()) return graph.status();

  warpclust::OClustROptions options;
  options.device = device;
  absl::StatusOr<warpclust::OClustRResult> result =
      warpclust::OClustR(*graph, options);
  if (!result.ok()) return result.status();
  return std::move(result->cover);
}

}  // namespace downstream
