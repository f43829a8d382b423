// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseEngine: what the engines for dense documents on the CPU share: their
// clusters, placing documents, and closing expired clusters.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_ENGINE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_ENGINE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/online/dense/dense_clusters.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

class DenseEngine : public DenseOnlineEngine {
 public:
  static constexpr int32_t kNone = DenseClusters::kNone;

  DenseEngine(const OnlineOptions& options, const OnlineState& state)
      : above_(SimilarityAbove(options.threshold)),
        clusters_(state),
        expire_after_(options.expire_after),
        clock_(state.clock) {}

  absl::StatusOr<OnlineState> State() override {
    CloseExpired();
    return clusters_.State();
  }

  int32_t num_clusters() const override { return clusters_.size(); }
  OnlineCounts counts() const override { return counts_; }

 protected:
  void SetDimensionsOf(const DenseDocuments& documents) {
    if (clusters_.num_dimensions() == 0) {
      clusters_.SetDimensions(documents.num_dimensions);
    }
  }

  bool IsOpen(int32_t cluster, int64_t clock) const {
    return !IsExpired(clusters_.last_time(cluster), clock, expire_after_);
  }

  // The open cluster most similar to a document and above the threshold, or
  // kNone: by comparing with every cluster.
  int32_t NearestOfAll(const int32_t* weights, int64_t clock) {
    counts_.candidates += clusters_.size();
    return NearestDense(weights, clusters_, clusters_.size(), above_,
                        [&](int32_t c) { return IsOpen(c, clock); });
  }

  // Lets a document join `nearest`, or found a cluster if that is kNone.
  // Returns the number of its cluster.
  int32_t Place(int32_t nearest, const int32_t* weights, int64_t clock) {
    clock_ = clock;
    ++since_sweep_;
    if (nearest == kNone) return clusters_.Found(weights, clock);
    clusters_.Join(nearest, weights, clock);
    return nearest;
  }

  // Closes expired clusters, once per as many documents as there are clusters.
  // Returns those closed.
  std::vector<int32_t> Sweep() {
    return since_sweep_ < clusters_.size() ? std::vector<int32_t>()
                                           : CloseExpired();
  }

  const int64_t above_;
  DenseClusters clusters_;
  OnlineCounts counts_;

 private:
  std::vector<int32_t> CloseExpired() {
    since_sweep_ = 0;
    std::vector<int32_t> closed;
    for (int32_t c = 0; expire_after_ != 0 && c < clusters_.size(); ++c) {
      if (clusters_.IsClosed(c) || IsOpen(c, clock_)) continue;
      clusters_.Close(c);
      closed.push_back(c);
    }
    return closed;
  }

  const int64_t expire_after_;
  int64_t clock_;
  int64_t since_sweep_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_ENGINE_H_
