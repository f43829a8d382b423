// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusteringAlone: one rank has all clusters, because their searches are too
// short to be divided.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTERING_ALONE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTERING_ALONE_H_

#include <cstdint>
#include <memory>

#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/distributed/ranked_clusterer.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

class ClusteringAlone {
 public:
  // Whether a state is small enough.
  static bool Fits(const OnlineState& state, const OnlineOptions& options,
                   const RankedOptions& ranked) {
    const auto sums = static_cast<int64_t>(state.sums.size());
    return ranked.may_be_alone &&
           Bytes(state.num_clusters(), sums * kBytesPerSum, options) <=
               ranked.most_bytes;
  }

  ClusteringAlone(const OnlineOptions& options, const RankedOptions& ranked,
                  const OnlineState& state)
      : options_(options),
        ranked_(ranked),
        engine_(MakeBatchedClusterer(options, state, ranked.batched)) {}

  OnlineEngine& engine() { return *engine_; }

  // Counts documents that were clustered. Returns whether all ranks had better
  // go on.
  bool Clustered(int64_t num_documents) {
    documents_ += num_documents;
    if (documents_ < kBatches * ranked_.batched.batch) return false;
    const OnlineCounts counts = engine_->counts();
    const int64_t entries = counts.partial_products - products_;
    products_ = counts.partial_products;
    const int64_t documents = documents_;
    documents_ = 0;
    return entries >= ranked_.entries_worth_ranks * documents ||
           Bytes(engine_->num_clusters(), counts.tail_bytes, options_) >
               ranked_.most_bytes;
  }

 private:
  // Of a sum outside the K largest.
  static constexpr int64_t kBytesPerSum = 32;
  // Between two answers.
  static constexpr int64_t kBatches = 16;

  static int64_t Bytes(int64_t num_clusters, int64_t tail_bytes,
                       const OnlineOptions& options) {
    return num_clusters * (36 * int64_t{options.terms} + 60) + tail_bytes;
  }

  const OnlineOptions options_;
  const RankedOptions ranked_;
  const std::unique_ptr<OnlineEngine> engine_;
  int64_t documents_ = 0;
  int64_t products_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTERING_ALONE_H_
