// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseStreams: streams of dense documents of which many in a batch join or
// found the same clusters, with cosines to others up to the threshold; and
// ClusterDenseStream, which clusters one from beginning to end. For tests.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_TESTING_DENSE_STREAMS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_TESTING_DENSE_STREAMS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_state.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {

// By name.
inline std::vector<std::pair<std::string, DenseDocuments>> DenseStreams() {
  std::vector<std::pair<std::string, DenseDocuments>> streams;
  RandomEmbeddingsOptions mixture;
  mixture.dimensions = 37;
  mixture.directions = 60;
  mixture.near_duplicates = "0.1";
  for (const double noise : {0.5, 1.0, 2.0}) {
    mixture.noise = noise;
    streams.emplace_back(absl::StrCat("noise ", noise),
                         MakeRandomEmbeddings(mixture, 1500, 1));
  }
  streams.emplace_back(
      "around beta",
      RandomDenseDocuments(DenseKind::kAroundBeta, 900, 24, /*seed=*/1));
  return streams;
}

// The cluster of each document and the engine's state at the end.
using DenseStreamResult = std::pair<std::vector<int32_t>, OnlineState>;

inline absl::StatusOr<DenseStreamResult> ClusterDenseStream(
    absl::StatusOr<std::unique_ptr<DenseOnlineEngine>> engine,
    const DenseDocuments& documents) {
  if (!engine.ok()) return engine.status();
  const std::vector<int64_t> clocks(documents.num_documents(),
                                    OnlineState::kNoTime);
  std::vector<int32_t> clusters(documents.num_documents());
  const absl::Status status =
      (*engine)->Cluster(documents, clocks, absl::MakeSpan(clusters));
  if (!status.ok()) return status;
  absl::StatusOr<OnlineState> state = (*engine)->State();
  if (!state.ok()) return state.status();
  return DenseStreamResult(std::move(clusters), *std::move(state));
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_TESTING_DENSE_STREAMS_H_
