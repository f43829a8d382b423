// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/ranked_clusterer.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/distributed/cluster_share.h"
#include "algorithms/online/distributed/clustering_alone.h"
#include "algorithms/online/distributed/document_pack.h"
#include "algorithms/online/distributed/merge_on_ranks.h"
#include "algorithms/online/distributed/rank_orders.h"
#include "algorithms/online/distributed/rank_words.h"
#include "algorithms/online/distributed/ranked_decider.h"
#include "algorithms/online/distributed/state_pack.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device/rank_device.h"

namespace warpclust {
namespace {

// What decides the clusters, to be sent as it is.
struct Settings {
  OnlineOptions options;
  RankedOptions ranked;
};

class RankedClusterer : public OnlineEngine {
 public:
  RankedClusterer(const Settings& settings, Communicator& ranks)
      : options_(settings.options),
        ranked_(settings.ranked),
        ranks_(ranks),
        share_(options_, ranks.rank(), ranks.size(),
               ResolveThreads(ranked_.batched.num_threads)),
        merging_(options_, /*num_clusters=*/0) {
    if (decides()) {
      decider_.emplace(options_, ranked_.most_bytes, &share_, &ranks_);
    }
  }

  // The others end with rank 0. An error does not matter any more.
  ~RankedClusterer() override {
    if (leads() && has_begun_) Tell({Task::kEnd}, ranks_).IgnoreError();
  }

  // The first call, on rank 0 and on the others. After an error, which all
  // ranks get, there is no engine on any of them.
  absl::Status Begin(const OnlineState& state,
                     const GpuEngineMaker& make_on_gpu) {
    absl::Status begun;
    if (ranked_.on_gpu || ClusteringAlone::Fits(state, options_, ranked_)) {
      if (ranked_.on_gpu) UseDeviceOfRank(ranks_);
      alone_.emplace(options_, ranked_);
      begun = alone_->Begin(state, make_on_gpu);
      if (absl::IsResourceExhausted(begun)) {
        alone_.reset();
        begun = absl::OkStatus();
      }
    }
    RETURN_IF_ERROR(ranks_.Agree(begun));
    has_begun_ = true;
    return alone_.has_value() ? absl::OkStatus() : DealToAll(state);
  }
  absl::Status Join() { return ranks_.Agree(absl::OkStatus()); }

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    for (int64_t begin = 0; begin < documents.size();) {
      const int64_t size = std::min(AtOnce(), documents.size() - begin);
      const absl::Span<int32_t> some = clusters.subspan(begin, size);
      int64_t decided = size;
      if (alone_.has_value()) {
        ASSIGN_OR_RETURN(decided,
                         ClusterAlone(documents, begin, begin + size,
                                      clocks.subspan(begin, size), some));
      } else {
        Words words = PackDocuments(documents, clocks, begin, begin + size);
        RETURN_IF_ERROR(
            Tell({Task::kBatch, static_cast<int64_t>(words.size())}, ranks_));
        RETURN_IF_ERROR(TakeBatch(std::move(words), some));
      }
      begin += decided;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    if (alone_.has_value()) return alone_->State();
    RETURN_IF_ERROR(Tell({Task::kState}, ranks_));
    return TakeState();
  }

  absl::StatusOr<absl::optional<std::vector<ClusterMerge>>> Merge() override {
    if (alone_.has_value()) return MergeAlone();
    RETURN_IF_ERROR(Tell({Task::kMerge}, ranks_));
    return TakeMerge();
  }

  int32_t num_clusters() const override {
    return alone_.has_value() ? alone_->num_clusters() : num_clusters_;
  }

  // Of all ranks.
  OnlineCounts counts() const override {
    return alone_.has_value() ? alone_->counts() : counts_;
  }

  bool has_left_gpu() const override {
    return ranked_.on_gpu && !alone_.has_value();
  }

  // Does what rank 0 tells, except beginning and ending.
  absl::Status Do(const Order& order) {
    switch (order.task) {
      case Task::kWait:
        return absl::OkStatus();
      case Task::kBatch:
        return TakeBatch(Words(order.num_words), {});
      case Task::kDeal:
        return Deal(OnlineState());
      case Task::kMerge:
        return TakeMerge().status();
      case Task::kState:
        return TakeState().status();
      case Task::kBegin:
      case Task::kEnd:
        break;
    }
    return absl::InternalError("expected a task of online clustering");
  }

 private:
  bool leads() const { return ranks_.rank() == 0; }
  int decider() const { return ranks_.size() - 1; }
  bool decides() const { return ranks_.rank() == decider(); }

  // The most documents to cluster next.
  int64_t AtOnce() const {
    if (!alone_.has_value()) return ranked_.batched.batch;
    return ranked_.on_gpu ? std::numeric_limits<int64_t>::max()
                          : ClusteringAlone::kBatches * ranked_.batched.batch;
  }

  // Documents [begin, end). Returns how many it has decided.
  absl::StatusOr<int64_t> ClusterAlone(const UnitVectors& documents,
                                       int64_t begin, int64_t end,
                                       absl::Span<const int64_t> clocks,
                                       absl::Span<int32_t> clusters) {
    // The others hear nothing else for as long as the stream lasts.
    if (since_told_.Seconds() > 1) {
      RETURN_IF_ERROR(Tell({Task::kWait}, ranks_));
      since_told_ = Stopwatch();
    }
    const bool is_whole = end - begin == documents.size();
    ASSIGN_OR_RETURN(const int64_t decided,
                     is_whole ? alone_->Cluster(documents, clocks, clusters)
                              : alone_->Cluster(Slice(documents, begin, end),
                                                clocks, clusters));
    if (alone_->ended()) RETURN_IF_ERROR(EndAlone());
    return decided;
  }

  absl::StatusOr<std::vector<ClusterMerge>> MergeAlone() {
    ASSIGN_OR_RETURN(std::vector<ClusterMerge> merges, alone_->Merge());
    if (alone_->ended()) RETURN_IF_ERROR(EndAlone());
    return merges;
  }

  // The clusters of rank 0 become those of all ranks.
  absl::Status EndAlone() {
    ASSIGN_OR_RETURN(const OnlineState state, alone_->WholeState());
    counts_ = alone_->counts();
    alone_.reset();
    return DealToAll(state);
  }

  absl::Status DealToAll(const OnlineState& state) {
    RETURN_IF_ERROR(Tell({Task::kDeal}, ranks_));
    return Deal(state);
  }

  // Gives each rank its clusters of a state, which rank 0 has.
  absl::Status Deal(const OnlineState& state) {
    int64_t numbers[] = {state.num_clusters(), state.num_terms, state.clock};
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(numbers), 0));
    num_clusters_ = static_cast<int32_t>(numbers[0]);
    num_terms_ = static_cast<int32_t>(numbers[1]);
    clock_ = numbers[2];
    share_.ReserveTerms(num_terms_);
    for (int32_t c = 0; c < num_clusters_; ++c) merging_.Changed(c);
    RankLists<int64_t> packs;
    if (leads()) {
      packs = PackState(state, ranks_.size());
    } else {
      packs.offsets.assign(ranks_.size() + 1, 0);
    }
    ASSIGN_OR_RETURN(const RankLists<int64_t> mine, ranks_.AllToAll(packs));
    for (size_t at = 0; at < mine.values.size();) {
      share_.Set(UnpackCluster(mine.values, &at));
    }
    return absl::OkStatus();
  }

  // The words of rank 0, a batch, go to all; the others have room for them, and
  // none for `clusters`.
  absl::Status TakeBatch(Words words, absl::Span<int32_t> clusters) {
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(words), 0));
    const auto [documents, clocks] = UnpackDocuments(words);
    words = {};
    num_terms_ = std::max(num_terms_, documents.num_terms);
    share_.ReserveTerms(num_terms_);
    ASSIGN_OR_RETURN(
        const DecidedBatch decided,
        decides()
            ? decider_->Decide(documents, clocks, num_clusters_, num_terms_)
            : AnswerDecider(documents, clocks, decider(), &share_, &ranks_));
    num_clusters_ = decided.num_clusters;
    clock_ = clocks.back();
    for (const int32_t cluster : decided.changed) merging_.Changed(cluster);
    if (!leads()) return absl::OkStatus();
    std::copy(decided.clusters.begin(), decided.clusters.end(),
              clusters.begin());
    const int64_t batches = counts_.batches + 1;
    counts_ = decided.counts;
    counts_.batches = batches;
    return absl::OkStatus();
  }

  // The state on rank 0, nothing on the others.
  absl::StatusOr<OnlineState> TakeState() {
    RETURN_IF_ERROR(ReturnHeld());
    share_.CloseExpired(clock_);
    Words pack;
    share_.Pack(&pack);
    RankLists<int64_t> out;
    out.Append(pack);
    out.offsets.resize(ranks_.size() + 1, out.offsets.back());
    ASSIGN_OR_RETURN(const RankLists<int64_t> packs, ranks_.AllToAll(out));
    if (!leads()) return OnlineState();
    return UnpackState(packs, num_clusters_);
  }

  // Owners get back all sums.
  absl::Status ReturnHeld() {
    RankLists<int64_t> packs;
    if (decides()) {
      std::vector<Words> by_owner(ranks_.size());
      decider_->ReleaseAll(&by_owner);
      for (const Words& pack : by_owner) packs.Append(pack);
    }
    packs.offsets.resize(ranks_.size() + 1, packs.offsets.back());
    ASSIGN_OR_RETURN(const RankLists<int64_t> mine, ranks_.AllToAll(packs));
    KeepAll(mine.values, &share_);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<ClusterMerge>> TakeMerge() {
    share_.CloseExpired(clock_);
    return MergeOnRanks(num_clusters_, decides() ? &decider_->held() : nullptr,
                        &share_, &merging_, &ranks_);
  }

  const OnlineOptions options_;
  const RankedOptions ranked_;
  Communicator& ranks_;
  bool has_begun_ = false;

  // Of rank 0, while it is alone.
  std::optional<ClusteringAlone> alone_;
  Stopwatch since_told_;

  // While it is not: the same on all ranks.
  int32_t num_clusters_ = 0;
  int32_t num_terms_ = 0;
  int64_t clock_ = OnlineState::kNoTime;
  // Of the last rank.
  std::optional<RankedDecider> decider_;
  ClusterShare share_;
  ClusterMerging merging_;

  OnlineCounts counts_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeRankedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const RankedOptions& ranked_options, Communicator& ranks,
    const GpuEngineMaker& make_on_gpu) {
  if (ranks.size() == 1) {
    return MakeBatchedClusterer(options, state, ranked_options.batched);
  }
  RETURN_IF_ERROR(Tell({Task::kBegin}, ranks));
  Settings settings = {options, ranked_options};
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&settings, 1), 0));
  auto engine = std::make_unique<RankedClusterer>(settings, ranks);
  RETURN_IF_ERROR(engine->Begin(state, make_on_gpu));
  return engine;
}

absl::Status FollowRankedClusterer(Communicator& ranks) {
  std::unique_ptr<RankedClusterer> engine;
  // A new engine may begin before the old one ends.
  int engines = 0;
  do {
    ASSIGN_OR_RETURN(const Order order, Listen(ranks));
    if (order.task == Task::kBegin) {
      Settings settings;
      RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&settings, 1), 0));
      auto next = std::make_unique<RankedClusterer>(settings, ranks);
      const absl::Status begun = next->Join();
      // Rank 0 may keep the old engine.
      if (Communicator::IsAgreed(begun) && engines > 0) continue;
      RETURN_IF_ERROR(begun);
      engine = std::move(next);
      ++engines;
    } else if (order.task == Task::kEnd) {
      --engines;
    } else {
      RETURN_IF_ERROR(engine->Do(order));
    }
  } while (engines > 0);
  return absl::OkStatus();
}

}  // namespace warpclust
