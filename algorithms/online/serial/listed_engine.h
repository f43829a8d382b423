// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ListedEngine: what the engines on one set of term lists share: clusters with
// their lists, placing documents, and closing expired clusters.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_SERIAL_LISTED_ENGINE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_SERIAL_LISTED_ENGINE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/clusters/list_search.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

class ListedEngine : public OnlineEngine {
 public:
  static constexpr int32_t kNone = ListSearch::kNone;

  ListedEngine(const OnlineOptions& options, const OnlineState& state)
      : above_(SimilarityAbove(options.threshold)),
        clusters_(options, state),
        merging_(options, state.num_clusters()),
        expire_after_(options.expire_after),
        clock_(state.clock) {
    clusters_.FillLists();
  }

  absl::StatusOr<OnlineState> State() override {
    Sweep();
    return clusters_.State();
  }

  absl::StatusOr<absl::optional<std::vector<ClusterMerge>>> Merge() override {
    Sweep();
    return merging_.Pass(
        clusters_.vectors(), clusters_.lists(),
        [&](int32_t from, int32_t into) { clusters_.Merge(from, into); });
  }

  int32_t num_clusters() const override { return clusters_.size(); }

  OnlineCounts counts() const override {
    OnlineCounts counts = counts_;
    counts.list_entries = clusters_.lists().num_entries();
    counts.lists = clusters_.lists().num_lists();
    return counts;
  }

 protected:
  bool IsOpen(int32_t cluster, int64_t clock) const {
    return !IsExpired(clusters_.last_time(cluster), clock, expire_after_);
  }

  // Lets a document join `nearest`, or found a cluster if that is kNone.
  // Returns the number of its cluster.
  int32_t Place(int32_t nearest, absl::Span<const int32_t> terms,
                absl::Span<const int32_t> weights, int64_t clock) {
    if (nearest == kNone) {
      nearest = clusters_.Found(terms, weights, clock);
    } else {
      clusters_.Join(nearest, terms, weights, clock);
    }
    merging_.Changed(nearest);
    return nearest;
  }

  // `documents` more have been placed, the last at `clock`. Sweeps over all
  // clusters once per as many documents: constant time per document.
  void Placed(int64_t documents, int64_t clock) {
    clock_ = clock;
    since_sweep_ += documents;
    if (expire_after_ != 0 && since_sweep_ >= clusters_.size()) Sweep();
  }

  const int64_t above_;
  ClusterVectors clusters_;
  OnlineCounts counts_;

 private:
  void Sweep() {
    since_sweep_ = 0;
    for (int32_t c = 0; expire_after_ != 0 && c < clusters_.size(); ++c) {
      if (!IsOpen(c, clock_)) clusters_.Close(c);
    }
  }

  ClusterMerging merging_;
  const int64_t expire_after_;
  int64_t clock_;
  int64_t since_sweep_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_SERIAL_LISTED_ENGINE_H_
