// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineEngine: one way of finding the clusters of a stream, between the events
// that OnlineClusterer (online_clusterer.h) takes care of. All exact engines
// give the same clusters and the same state.
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_ENGINE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_ENGINE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

// Sums over the documents since the engine was made; what an engine does not
// count stays 0.
struct OnlineCounts {
  // Entries of term lists multiplied with a document's weight.
  int64_t partial_products = 0;
  // Clusters whose similarity was found, over all documents.
  int64_t candidates = 0;
  // Batches, and rounds of repairing them; documents that were looked up again.
  int64_t batches = 0;
  int64_t rounds = 0;
  int64_t repeated = 0;
  // Now: the lengths of all term lists together, and how many are not empty.
  int64_t list_entries = 0;
  int64_t lists = 0;
};

class OnlineEngine {
 public:
  virtual ~OnlineEngine() = default;

  // Clusters `documents` in order: clusters[i] becomes the number of the
  // cluster that document i joined or founded. `clocks` is the clock (largest
  // time so far) at each document, never decreasing, and `clusters` parallel to
  // the rows. After an error the engine must not be used any more.
  virtual absl::Status Cluster(const UnitVectors& documents,
                               absl::Span<const int64_t> clocks,
                               absl::Span<int32_t> clusters) = 0;

  // As it is now; `num_documents`, `clock` and `num_terms` are the
  // caller's to fill.
  virtual absl::StatusOr<OnlineState> State() = 0;

  virtual int32_t num_clusters() const = 0;
  virtual OnlineCounts counts() const = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_ENGINE_H_
