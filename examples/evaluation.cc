// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the clusters that oclustr finds in the encyclopedia with the topics
// of its articles.

#include <iomanip>
#include <iostream>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "eval/compare_covers.h"
#include "graph/io/cover_io.h"
#include "graph/io/id_map.h"

namespace warpclust {

absl::Status Compare() {
  IdMap ids;  // Shared, so that an article has one number in both files.
  ASSIGN_OR_RETURN(const NamedCover truth,
                   ReadCover("examples/encyclopedia_truth.tsv", &ids));
  ASSIGN_OR_RETURN(const NamedCover clusters,
                   ReadCover("examples/encyclopedia_clusters.tsv", &ids));
  ASSIGN_OR_RETURN(const CoverComparison comparison,
                   CompareCovers(truth.cover, clusters.cover, ids.size()));
  std::cout << std::fixed << std::setprecision(4) << "FBCubed          "
            << comparison.bcubed.f << "\n"
            << "overlapping NMI  " << comparison.overlapping_nmi.mgh_max << "\n"
            << "omega index      " << comparison.omega_index << "\n";
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::Compare();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
