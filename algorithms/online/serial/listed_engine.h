// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ListedEngine: what the engines that search one set of term lists have in
// common: clusters, their lists, and closing what has expired.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_SERIAL_LISTED_ENGINE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_SERIAL_LISTED_ENGINE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/state/expiry.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class ListedEngine : public OnlineEngine {
 public:
  static constexpr int32_t kNone = -1;

  ListedEngine(const OnlineOptions& options, const OnlineState& state)
      : above_(SimilarityAbove(options.threshold)),
        clusters_(options.terms, state),
        expire_after_(options.expire_after),
        clock_(state.clock) {
    lists_.ReserveTerms(state.num_terms);
    clusters_.FillLists(&lists_);
  }

  absl::StatusOr<OnlineState> State() override {
    Sweep();
    return clusters_.State();
  }

  int32_t num_clusters() const override { return clusters_.size(); }

  OnlineCounts counts() const override {
    OnlineCounts counts = counts_;
    counts.list_entries = lists_.num_entries();
    counts.lists = lists_.num_lists();
    return counts;
  }

 protected:
  bool IsOpen(int32_t cluster, int64_t clock) const {
    return !IsExpired(clusters_.last_time(cluster), clock, expire_after_);
  }

  // A document joins `nearest`, or founds a cluster if that is kNone. Returns
  // the number of its cluster.
  int32_t Place(int32_t nearest, absl::Span<const int32_t> terms,
                absl::Span<const int32_t> weights, int64_t clock) {
    if (nearest == kNone) {
      return clusters_.Found(terms, weights, clock, &lists_);
    }
    clusters_.Join(nearest, terms, weights, clock, &lists_);
    return nearest;
  }

  // `documents` more have been placed, the last of them at `clock`. A sweep
  // over all clusters for as many documents: constant time each.
  void Placed(int64_t documents, int64_t clock) {
    clock_ = clock;
    since_sweep_ += documents;
    if (expire_after_ != 0 && since_sweep_ >= clusters_.size()) Sweep();
  }

  const int64_t above_;
  ClusterVectors clusters_;
  DynamicTermLists lists_;
  OnlineCounts counts_;

 private:
  void Sweep() {
    since_sweep_ = 0;
    for (int32_t c = 0; expire_after_ != 0 && c < clusters_.size(); ++c) {
      if (!IsOpen(c, clock_)) clusters_.Close(c, &lists_);
    }
  }

  const int64_t expire_after_;
  int64_t clock_;
  int64_t since_sweep_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_SERIAL_LISTED_ENGINE_H_
