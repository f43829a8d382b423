// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the clusters of a collection on disk while documents come and go.

#include "algorithms/dclustr/dclustr.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "sparse/text/vectorizer.h"

namespace warpclust {

absl::Status ClusterNotes(const char* directory) {
  ASSIGN_OR_RETURN(const VectorizedTexts notes,
                   VectorizeTexts({"red apples", "red wine", "wine and cheese",
                                   "cheese board", "board games"}));
  ASSIGN_OR_RETURN(DClustRCollection collection,
                   DClustRCollection::Create(directory, {}));
  const DClustRBatch today = {
      notes.documents, {"apples", "wine", "party", "cheese", "games"}, {}};
  const DClustRBatch tomorrow = {{}, {}, /*removed_ids=*/{"wine"}};
  for (const DClustRBatch& batch : {today, tomorrow}) {
    ASSIGN_OR_RETURN(const DClustRUpdate update, collection.Update(batch, {}));
    ASSIGN_OR_RETURN(const DClustRClusters clusters, collection.Read());
    std::cout << update.documents << " documents";
    for (int c = 0; c < clusters.cover.num_clusters(); ++c) {
      std::cout << "\n  cluster " << c << ":";
      for (const int document : clusters.cover.MembersOf(c)) {
        std::cout << " " << clusters.ids[document];
      }
    }
    std::cout << "\n";
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  char directory[] = "/tmp/dclustr_example_XXXXXX";
  const absl::Status status = warpclust::ClusterNotes(mkdtemp(directory));
  std::filesystem::remove_all(directory);
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
