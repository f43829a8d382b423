// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineEngine: one method of clustering a stream, on one device.
// OnlineClusterer (online_clusterer.h) owns one, and handles times, merges and
// changes of method. All exact engines for one kind of documents give the same
// clusters and the same state.
//
//   OnlineEngine       documents with terms, as unit vectors
//   DenseOnlineEngine  dense documents
//
// One thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_ENGINE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_ENGINE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// Work since the engine was made; 0 for what an engine does not count.
struct OnlineCounts {
  // Entries of term lists multiplied with a document's weight.
  int64_t partial_products = 0;
  // Clusters whose similarity was computed, over all documents.
  int64_t candidates = 0;
  // Batches, rounds of repairing them, and documents that were searched again.
  int64_t batches = 0;
  int64_t rounds = 0;
  int64_t repeated = 0;
  // The term lists as they are now: entries, and lists that are not empty.
  int64_t list_entries = 0;
  int64_t lists = 0;
  // The memory of sums outside the K largest, as it is now.
  int64_t tail_bytes = 0;
};

// Cluster `from` became part of cluster `into`.
struct ClusterMerge {
  int32_t from;
  int32_t into;

  friend bool operator==(const ClusterMerge&, const ClusterMerge&) = default;
};

// What engines have in common, whatever documents they take.
class OnlineEngineBase {
 public:
  virtual ~OnlineEngineBase() = default;

  // The clusters as they are now, expired ones closed. The caller fills in
  // `num_documents`, `clock` and `num_terms`.
  virtual absl::StatusOr<OnlineState> State() = 0;

  // One pass of cluster_merging.h, for merge_every above 0. None if this engine
  // cannot change its clusters but by a new state, or lacks the memory for it;
  // its state is then as it was. After an error it must not be used again.
  virtual absl::StatusOr<absl::optional<std::vector<ClusterMerge>>> Merge() {
    return absl::optional<std::vector<ClusterMerge>>();
  }

  virtual int32_t num_clusters() const = 0;
  virtual OnlineCounts counts() const = 0;

  // After Cluster has returned ResourceExhausted: how many documents of that
  // call are decided, with their clusters set, if State() is the state after
  // them; -1 if the state is lost.
  virtual int64_t num_decided() const { return -1; }

  // Whether an engine that was made for a GPU works on CPUs now.
  virtual bool has_left_gpu() const { return false; }
};

template <typename Documents>
class OnlineEngineFor : public OnlineEngineBase {
 public:
  // Clusters `documents` in order: clusters[i] becomes the number of the
  // cluster that document i joined or founded. `clocks` are the clocks (the
  // largest time so far) of the documents, never decreasing. Both are parallel
  // to the rows. After an error the engine must not be used again, except as
  // num_decided() says.
  virtual absl::Status Cluster(const Documents& documents,
                               absl::Span<const int64_t> clocks,
                               absl::Span<int32_t> clusters) = 0;
};

using OnlineEngine = OnlineEngineFor<UnitVectors>;
// All calls have as many dimensions as the first, or as the state from which
// the engine continues has terms, if it has any.
using DenseOnlineEngine = OnlineEngineFor<DenseDocuments>;

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_ONLINE_ENGINE_H_
