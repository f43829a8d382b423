// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins similar headlines: every pair whose TF-IDF cosine is at least 0.25.

#include "graph/cosine/cosine_graph.h"

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "sparse/text/vectorizer.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

absl::Status JoinHeadlines() {
  const std::vector<std::string> headlines = {
      "Dam above Harlow cracks", "Comet visible tonight",
      "Harlow evacuated below cracked dam", "Comet brighter than expected",
      "Comet fades tonight"};
  ASSIGN_OR_RETURN(VectorizedTexts counts, VectorizeTexts(headlines));
  ASSIGN_OR_RETURN(
      const DocumentMatrix documents,
      ApplyWeighting(std::move(counts.documents), Weighting::kTfIdf));
  CosineGraphOptions options;
  options.beta = "0.25";
  ASSIGN_OR_RETURN(const CsrGraph graph, CosineGraph(documents, options));
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const int32_t u = graph.neighbors[e];
      if (u > v) continue;  // Each edge is in the rows of both its ends.
      std::cout << graph.weights[e] << "  " << headlines[u] << "\n          "
                << headlines[v] << "\n";
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::JoinHeadlines();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
