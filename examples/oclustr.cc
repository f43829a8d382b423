// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters encyclopedia articles, which may belong to several topics, and
// prints the largest clusters.

#include <cstddef>
#include <cstdint>
#include <iostream>

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/status/status_macros.h"
#include "sparse/io/json_lines.h"
#include "sparse/text/vectorizer.h"

namespace warpclust {

absl::Status ClusterArticles() {
  ASSIGN_OR_RETURN(const TextDocuments articles,
                   ReadJsonLines("examples/encyclopedia.jsonl"));
  ASSIGN_OR_RETURN(const VectorizedTexts vectors,
                   VectorizeTexts(articles.texts));

  OClustRDocumentsOptions options;
  options.graph.beta = "0.35";  // Articles this similar share an edge.
  ASSIGN_OR_RETURN(const OClustRResult result,
                   OClustRDocuments(vectors.documents, options));

  std::cout << articles.texts.size() << " articles in "
            << result.cover.num_clusters()
            << " clusters. Those of 12 or more:\n";
  for (int32_t c = 0; c < result.cover.num_clusters(); ++c) {
    const size_t size = result.cover.MembersOf(c).size();
    if (size < 12) continue;
    std::cout << "  " << size << " around " << articles.ids[result.centers[c]]
              << "\n";
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::ClusterArticles();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
