// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusteringAlone: rank 0 has all clusters. On a CPU as long as their
// searches are too short to be divided; on a GPU, where searches are fast, as
// long as they fit its memory.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTERING_ALONE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTERING_ALONE_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/distributed/ranked_clusterer.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"

namespace warpclust {

class ClusteringAlone {
 public:
  // On a CPU, batches after which it may have ended.
  static constexpr int64_t kBatches = 16;

  // Whether a state is small enough for a CPU.
  static bool Fits(const OnlineState& state, const OnlineOptions& options,
                   const RankedOptions& ranked) {
    const auto sums = static_cast<int64_t>(state.sums.size());
    return ranked.may_be_alone &&
           Bytes(state.num_clusters(), sums * kBytesPerSum, options) <=
               ranked.most_bytes;
  }

  ClusteringAlone(const OnlineOptions& options, const RankedOptions& ranked)
      : options_(options), ranked_(ranked) {}

  // Comes first. With ranked.on_gpu, `make_on_gpu` makes the engine; its
  // errors.
  absl::Status Begin(const OnlineState& state, GpuEngineMaker make_on_gpu) {
    make_on_gpu_ = std::move(make_on_gpu);
    num_terms_ = state.num_terms;
    clock_ = state.clock;
    if (ranked_.on_gpu) return BeginOnGpu(state);
    engine_ = MakeBatchedClusterer(options_, state, ranked_.batched);
    return absl::OkStatus();
  }

  // As OnlineEngine::Cluster. Returns how many documents it has decided: all,
  // unless the memory of the GPU has run out. Then ended() is true.
  absl::StatusOr<int64_t> Cluster(const UnitVectors& documents,
                                  absl::Span<const int64_t> clocks,
                                  absl::Span<int32_t> clusters) {
    const absl::Status status = engine_->Cluster(documents, clocks, clusters);
    int64_t decided = documents.size();
    if (absl::IsResourceExhausted(status) && engine_->num_decided() >= 0) {
      ended_ = true;
      decided = engine_->num_decided();
    } else {
      RETURN_IF_ERROR(status);
      if (!ranked_.on_gpu) ended_ = IsWorthRanks(decided);
    }
    num_terms_ = std::max(num_terms_, documents.num_terms);
    if (decided > 0) clock_ = clocks[decided - 1];
    return decided;
  }

  // As OnlineEngine::State.
  absl::StatusOr<OnlineState> State() { return engine_->State(); }

  // The same with the number of terms and the clock, to go on from.
  absl::StatusOr<OnlineState> WholeState() {
    ASSIGN_OR_RETURN(OnlineState state, engine_->State());
    state.num_terms = num_terms_;
    state.clock = clock_;
    return state;
  }

  absl::StatusOr<std::vector<ClusterMerge>> Merge() {
    ASSIGN_OR_RETURN(absl::optional<std::vector<ClusterMerge>> merges,
                     engine_->Merge());
    if (merges.has_value()) return *std::move(merges);
    ASSIGN_OR_RETURN(OnlineState state, WholeState());
    merges = MergeSimilarClusters(options_, &state);
    if (merges->empty()) return *std::move(merges);
    engine_.reset();
    const absl::Status begun = BeginOnGpu(state);
    if (begun.ok()) return *std::move(merges);
    // Keeps the state until the ranks share it.
    ended_ = true;
    engine_ = MakeBatchedClusterer(options_, state, ranked_.batched);
    if (!absl::IsResourceExhausted(begun)) return begun;
    return *std::move(merges);
  }

  // Whether all ranks had better go on, from the state.
  bool ended() const { return ended_; }
  int32_t num_clusters() const { return engine_->num_clusters(); }
  OnlineCounts counts() const { return engine_->counts(); }

 private:
  // Of a sum outside the K largest.
  static constexpr int64_t kBytesPerSum = 32;
  static int64_t Bytes(int64_t num_clusters, int64_t tail_bytes,
                       const OnlineOptions& options) {
    return num_clusters * (36 * int64_t{options.terms} + 60) + tail_bytes;
  }

  absl::Status BeginOnGpu(const OnlineState& state) {
    ASSIGN_OR_RETURN(engine_,
                     make_on_gpu_(options_, state, ranked_.batched.batch));
    return absl::OkStatus();
  }

  // Counts documents that were clustered on the CPU.
  bool IsWorthRanks(int64_t num_documents) {
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

  const OnlineOptions options_;
  const RankedOptions ranked_;
  GpuEngineMaker make_on_gpu_;
  std::unique_ptr<OnlineEngine> engine_;
  int32_t num_terms_ = 0;
  int64_t clock_ = OnlineState::kNoTime;
  bool ended_ = false;
  int64_t documents_ = 0;
  int64_t products_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_CLUSTERING_ALONE_H_
