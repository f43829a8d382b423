// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Says what the clusters of encyclopedia articles are about, by full words.

#include <iostream>

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/status/status_macros.h"
#include "eval/describe/cluster_descriptions.h"
#include "sparse/io/json_lines.h"
#include "sparse/text/vectorizer.h"

namespace warpclust {

absl::Status DescribeArticles() {
  ASSIGN_OR_RETURN(const TextDocuments articles,
                   ReadJsonLines("examples/encyclopedia.jsonl"));
  ASSIGN_OR_RETURN(const VectorizedTexts vectors,
                   VectorizeTexts(articles.texts, {}, /*work=*/nullptr,
                                  /*num_threads=*/0, /*keep_words=*/true));
  OClustRDocumentsOptions options;
  options.graph.beta = "0.35";
  ASSIGN_OR_RETURN(const OClustRResult result,
                   OClustRDocuments(vectors.documents, options));

  DescribedDocuments described;
  described.documents = &vectors.documents;
  described.words = vectors.words;
  described.titles = articles.ids;
  ASSIGN_OR_RETURN(
      const ClusterDescriptions descriptions,
      DescribeClusters(result.cover, result.centers, described, {.terms = 5}));
  for (const ClusterDescription& cluster : descriptions.clusters) {
    if (cluster.size < 12) continue;
    std::cout << cluster.title << ":";
    for (const ClusterTerm& term : cluster.terms) std::cout << " " << term.word;
    std::cout << "\n";
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::DescribeArticles();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
