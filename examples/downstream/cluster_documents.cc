// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the clusters of five documents, one per line.

#include <cstdint>
#include <iostream>

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"
#include "kernels/device/device.h"
#include "small_documents.h"

int main() {
  const absl::StatusOr<warpclust::Cover> cover =
      downstream::ClusterSmallDocuments(warpclust::Device::kAuto);
  if (!cover.ok()) {
    std::cerr << cover.status() << "\n";
    return 1;
  }
  for (int32_t cluster = 0; cluster < cover->num_clusters(); ++cluster) {
    std::cout << "cluster " << cluster << ":";
    for (const int32_t document : cover->MembersOf(cluster)) {
      std::cout << " " << document;
    }
    std::cout << "\n";
  }
  return 0;
}
