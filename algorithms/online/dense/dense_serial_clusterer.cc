// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/dense_serial_clusterer.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/dense/dense_engine.h"
#include "algorithms/online/dense/dense_vectors.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {
namespace {

class DenseSerialClusterer : public DenseEngine {
 public:
  using DenseEngine::DenseEngine;

  absl::Status Cluster(const DenseDocuments& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    SetDimensionsOf(documents);
    std::vector<int32_t> weights(documents.num_dimensions);
    for (int32_t d = 0; d < documents.num_documents(); ++d) {
      DocumentWeights(documents.Row(d), weights.data());
      const int32_t nearest = NearestOfAll(weights.data(), clocks[d]);
      clusters[d] = Place(nearest, weights.data(), clocks[d]);
      Sweep();
    }
    return absl::OkStatus();
  }
};

}  // namespace

std::unique_ptr<DenseOnlineEngine> MakeDenseSerialClusterer(
    const OnlineOptions& options, const OnlineState& state) {
  return std::make_unique<DenseSerialClusterer>(options, state);
}

}  // namespace warpclust
