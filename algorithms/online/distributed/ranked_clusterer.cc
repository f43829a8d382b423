// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/ranked_clusterer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/distributed/cluster_share.h"
#include "algorithms/online/distributed/clustering_alone.h"
#include "algorithms/online/distributed/count_words.h"
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
#include "kernels/rank_device.h"

namespace warpclust {
namespace {

// Documents that go to the rank that is alone at once, in batches.
constexpr int64_t kBatchesAlone = 16;

// What decides the clusters, to be sent as it is.
struct Settings {
  OnlineOptions options;
  RankedOptions ranked;
};

class RankedClusterer : public OnlineEngine {
 public:
  RankedClusterer(const Settings& settings, GpuEngineMaker make_on_gpu,
                  Communicator& ranks)
      : options_(settings.options),
        ranked_(settings.ranked),
        make_on_gpu_(std::move(make_on_gpu)),
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

  // The first call. `state` is used on rank 0. After an error that all ranks
  // agree on, there is no engine on any of them.
  absl::Status Begin(const OnlineState& state) {
    is_alone_ = ranked_.on_gpu ||
                (leads() && ClusteringAlone::Fits(state, options_, ranked_));
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(&is_alone_, 1), 0));
    RETURN_IF_ERROR(is_alone_ ? BeginAlone(state) : Deal(state, 0));
    has_begun_ = true;
    return absl::OkStatus();
  }

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    RETURN_IF_ERROR(broken_);
    for (int64_t begin = 0; begin < documents.size();) {
      const int64_t batch = ranked_.batched.batch;
      const int64_t size = std::min(is_alone_ ? kBatchesAlone * batch : batch,
                                    documents.size() - begin);
      Words words = PackDocuments(documents, clocks, begin, begin + size);
      const absl::Span<int32_t> some = clusters.subspan(begin, size);
      int64_t decided = size;
      if (is_alone_) {
        ASSIGN_OR_RETURN(decided, LeaveToOne(words, some));
      } else {
        RETURN_IF_ERROR(
            Tell({Task::kBatch, static_cast<int64_t>(words.size())}, ranks_));
        RETURN_IF_ERROR(TakeBatch(std::move(words), some));
      }
      begin += decided;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    RETURN_IF_ERROR(broken_);
    RETURN_IF_ERROR(Tell({Task::kState}, ranks_));
    return TakeState();
  }

  absl::optional<std::vector<ClusterMerge>> Merge() override {
    if (broken_.ok()) {
      broken_ = is_alone_ ? TellOne({Task::kMerge}, decider(), ranks_)
                          : Tell({Task::kMerge}, ranks_);
    }
    return TakeMerge();
  }

  int32_t num_clusters() const override { return num_clusters_; }

  // Of all ranks.
  OnlineCounts counts() const override { return counts_; }

  bool has_left_gpu() const override { return ranked_.on_gpu && !is_alone_; }

  // Does what rank 0 tells, except beginning and ending.
  absl::Status Do(const Order& order) {
    switch (order.task) {
      case Task::kAlone:
        return ClusterAlone();
      case Task::kWait:
        return absl::OkStatus();
      case Task::kBatch:
        return TakeBatch(Words(order.num_words), {});
      case Task::kDeal:
        return EndAlone();
      case Task::kMerge:
        TakeMerge();
        return broken_;
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

  // Gives a state of rank 0 to the last rank, which begins alone. If it does
  // not fit its GPU, all ranks get it.
  absl::Status BeginAlone(const OnlineState& state) {
    RankLists<int64_t> packs;
    packs.offsets.assign(ranks_.size(), 0);
    if (leads()) packs.Append(PackState(state, 1).values);
    packs.offsets.resize(ranks_.size() + 1, 0);
    ASSIGN_OR_RETURN(const RankLists<int64_t> mine, ranks_.AllToAll(packs));
    RETURN_IF_ERROR(ShareNumbers(state, 0));
    OnlineState begin;
    absl::Status begun;
    if (decides()) {
      RankLists<int64_t> all;
      all.Append(mine.values);
      begin = UnpackState(all, num_clusters_);
      begin.num_terms = num_terms_;
      begin.clock = clock_;
      if (ranked_.on_gpu) UseDeviceOfRank(ranks_);
      alone_.emplace(options_, ranked_);
      begun = alone_->Begin(begin, make_on_gpu_);
    }
    if (!ranked_.on_gpu) return absl::OkStatus();
    begun = ranks_.Agree(begun);
    if (!absl::IsResourceExhausted(begun)) return begun;
    is_alone_ = false;
    alone_.reset();
    return Deal(begin, decider());
  }

  // Rank 0's part while the last rank is alone. Returns how many documents that
  // rank has decided.
  absl::StatusOr<int64_t> LeaveToOne(const Words& words,
                                     absl::Span<int32_t> clusters) {
    // The others hear nothing else for as long as the stream lasts.
    if (since_told_.Seconds() > 1) {
      RETURN_IF_ERROR(TellUpTo(decider(), {Task::kWait}, ranks_));
      since_told_ = Stopwatch();
    }
    RETURN_IF_ERROR(TellOne({Task::kAlone}, decider(), ranks_));
    RETURN_IF_ERROR(SendWords(words, decider(), ranks_));
    ASSIGN_OR_RETURN(const Words answer, ReceiveWords(decider(), ranks_));
    num_clusters_ = static_cast<int32_t>(answer[0]);
    const bool ends_alone = answer[1] != 0;
    size_t at = 2;
    counts_ = OnlineCounts();
    AddCounts(ReadList(answer, &at), &counts_);
    const absl::Span<const int64_t> decided = ReadList(answer, &at);
    std::copy(decided.begin(), decided.end(), clusters.begin());
    if (ends_alone) {
      RETURN_IF_ERROR(Tell({Task::kDeal}, ranks_));
      RETURN_IF_ERROR(EndAlone());
    }
    return static_cast<int64_t>(decided.size());
  }

  // The other part of LeaveToOne.
  absl::Status ClusterAlone() {
    ASSIGN_OR_RETURN(const Words words, ReceiveWords(0, ranks_));
    const auto [documents, clocks] = UnpackDocuments(words);
    std::vector<int32_t> clusters(documents.size());
    ASSIGN_OR_RETURN(
        const int64_t decided,
        alone_->Cluster(documents, clocks, absl::MakeSpan(clusters)));
    clusters.resize(decided);
    Words answer = {alone_->num_clusters(), alone_->ended() ? 1 : 0};
    AppendList(CountWords(alone_->counts()), &answer);
    AppendList(clusters, &answer);
    return SendWords(answer, 0, ranks_);
  }

  // The clusters of the rank that was alone become those of all ranks.
  absl::Status EndAlone() {
    is_alone_ = false;
    OnlineState state;
    if (decides()) {
      ASSIGN_OR_RETURN(state, alone_->State());
      alone_.reset();
    }
    return Deal(state, decider());
  }

  absl::Status ShareNumbers(const OnlineState& state, int root) {
    int64_t numbers[] = {state.num_clusters(), state.num_terms, state.clock};
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(numbers), root));
    num_clusters_ = static_cast<int32_t>(numbers[0]);
    num_terms_ = static_cast<int32_t>(numbers[1]);
    clock_ = numbers[2];
    return absl::OkStatus();
  }

  // Gives each rank its clusters of a state, which `root` has.
  absl::Status Deal(const OnlineState& state, int root) {
    RETURN_IF_ERROR(ShareNumbers(state, root));
    share_.ReserveTerms(num_terms_);
    for (int32_t c = 0; c < num_clusters_; ++c) merging_.Changed(c);
    RankLists<int64_t> packs;
    if (ranks_.rank() == root) {
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
    RankLists<int64_t> out;
    if (is_alone_) {
      if (decides()) {
        ASSIGN_OR_RETURN(const OnlineState state, alone_->State());
        out.Append(PackState(state, 1).values);
      }
    } else {
      RETURN_IF_ERROR(ReturnHeld());
      share_.CloseExpired(clock_);
      Words pack;
      share_.Pack(&pack);
      out.Append(pack);
    }
    out.offsets.resize(ranks_.size() + 1, out.offsets.back());
    ASSIGN_OR_RETURN(RankLists<int64_t> packs, ranks_.AllToAll(out));
    if (!leads()) return OnlineState();
    if (is_alone_) packs.offsets = {0, packs.offsets.back()};
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

  std::vector<ClusterMerge> TakeMerge() {
    if (is_alone_) {
      absl::StatusOr<std::vector<ClusterMerge>> merges = MergeAlone();
      if (broken_.ok()) broken_ = merges.status();
      return merges.ok() ? *std::move(merges) : std::vector<ClusterMerge>();
    }
    share_.CloseExpired(clock_);
    return MergeOnRanks(num_clusters_, decides() ? &decider_->held() : nullptr,
                        &share_, &merging_, &broken_, &ranks_);
  }

  absl::StatusOr<std::vector<ClusterMerge>> MergeAlone() {
    std::vector<ClusterMerge> merges;
    if (decides()) {
      ASSIGN_OR_RETURN(merges, alone_->Merge());
      Words words;
      for (const ClusterMerge& merge : merges) {
        words.insert(words.end(), {merge.from, merge.into});
      }
      RETURN_IF_ERROR(SendWords(words, 0, ranks_));
    } else {
      ASSIGN_OR_RETURN(const Words words, ReceiveWords(decider(), ranks_));
      for (size_t i = 0; i < words.size(); i += 2) {
        merges.push_back({static_cast<int32_t>(words[i]),
                          static_cast<int32_t>(words[i + 1])});
      }
    }
    return merges;
  }

  const OnlineOptions options_;
  const RankedOptions ranked_;
  const GpuEngineMaker make_on_gpu_;
  Communicator& ranks_;
  bool has_begun_ = false;
  // Of rank 0, while the last rank is alone.
  Stopwatch since_told_;

  // The same on all ranks; while one is alone, only num_clusters_ of rank 0 is
  // up to date.
  bool is_alone_ = false;
  int32_t num_clusters_ = 0;
  int32_t num_terms_ = 0;
  int64_t clock_ = OnlineState::kNoTime;

  // Of the last rank.
  std::optional<ClusteringAlone> alone_;
  std::optional<RankedDecider> decider_;

  // While nobody is alone.
  ClusterShare share_;
  ClusterMerging merging_;

  OnlineCounts counts_;
  // The error of a merge.
  absl::Status broken_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeRankedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const RankedOptions& ranked_options, Communicator& ranks) {
  if (ranks.size() == 1) {
    return MakeBatchedClusterer(options, state, ranked_options.batched);
  }
  RETURN_IF_ERROR(Tell({Task::kBegin}, ranks));
  Settings settings = {options, ranked_options};
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&settings, 1), 0));
  auto engine =
      std::make_unique<RankedClusterer>(settings, GpuEngineMaker(), ranks);
  RETURN_IF_ERROR(engine->Begin(state));
  return engine;
}

absl::Status FollowRankedClusterer(Communicator& ranks,
                                   const GpuEngineMaker& make_on_gpu) {
  std::unique_ptr<RankedClusterer> engine;
  // A new engine may begin before the old one ends.
  int engines = 0;
  do {
    ASSIGN_OR_RETURN(const Order order, Listen(ranks));
    if (order.task == Task::kBegin) {
      Settings settings;
      RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&settings, 1), 0));
      auto next =
          std::make_unique<RankedClusterer>(settings, make_on_gpu, ranks);
      const absl::Status begun = next->Begin(OnlineState());
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
