// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters headlines as they come: each joins the most similar cluster so far,
// or founds a new one.

#include <cstdint>
#include <iostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/online_clusterer.h"
#include "base/status/status_macros.h"
#include "sparse/text/term_counter.h"

namespace warpclust {

absl::Status ClusterHeadlines() {
  OnlineOptions options;
  options.threshold = "0.3";
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   OnlineClusterer::Create(options, {}));
  ASSIGN_OR_RETURN(Analyzer analyzer, Analyzer::Create({}));
  TermCounter counter(std::move(analyzer));
  Vocabulary vocabulary;
  for (const absl::string_view headline :
       {"Dam above Harlow cracks", "Comet visible tonight",
        "Harlow evacuated below cracked dam", "Comet brighter than expected"}) {
    DocumentMatrix document;
    counter.Append(
        headline, [&](absl::string_view term) { return vocabulary.Add(term); },
        &document);
    document.num_terms = vocabulary.size();
    int32_t cluster = 0;
    RETURN_IF_ERROR(clusterer.Add(document, /*times=*/{}, {&cluster, 1}));
    std::cout << cluster << "  " << headline << "\n";
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::ClusterHeadlines();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
