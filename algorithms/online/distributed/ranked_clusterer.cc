// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/ranked_clusterer.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/batch_base.h"
#include "algorithms/online/batched/batch_delta.h"
#include "algorithms/online/batched/nearest_search.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/distributed/cluster_pack.h"
#include "algorithms/online/distributed/ranked_merging.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = BatchDelta::kNone;

// A cluster and its similarity to a document.
struct Similar {
  int64_t similarity;
  int64_t cluster;

  bool IsBetterThan(const Similar& other) const {
    return similarity != other.similarity ? similarity > other.similarity
                                          : cluster < other.cluster;
  }
};

// What rank 0 tells the others to do.
enum class Task : int64_t { kBegin, kBatch, kMerge, kState, kEnd };

absl::Status Tell(Task task, Communicator& ranks) {
  return ranks.Broadcast(absl::MakeSpan(&task, 1), 0);
}

// What decides the clusters, to be sent as it is.
struct Settings {
  OnlineOptions options;
  BatchedOptions batched;
};

// Clusters are numbers, their places on the owner number / ranks. `sums_` and
// `base_` are by place; everything else is the same on all ranks.
class RankedClusterer : public OnlineEngine {
 public:
  RankedClusterer(const Settings& settings, Communicator& ranks)
      : options_(settings.options),
        above_(SimilarityAbove(options_.threshold)),
        batch_(settings.batched.batch),
        ranks_(ranks),
        sums_(options_),
        base_(options_),
        best_search_(above_, 1),
        searches_(ResolveThreads(settings.batched.num_threads),
                  NearestSearch(above_, NearestClusters::kMost)),
        touched_(options_),
        delta_(options_.terms),
        weights_(options_.terms),
        merging_(options_, /*num_clusters=*/0) {}

  // The others end with rank 0. An error does not matter any more.
  ~RankedClusterer() override {
    if (leads()) Tell(Task::kEnd, ranks_).IgnoreError();
  }

  // The first call. `state` is used on rank 0.
  absl::Status Begin(const OnlineState& state) {
    int64_t numbers[] = {state.num_clusters(), state.num_terms, state.clock};
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(numbers), 0));
    num_clusters_ = static_cast<int32_t>(numbers[0]);
    ReserveTerms(static_cast<int32_t>(numbers[1]));
    clock_ = numbers[2];
    for (int32_t c = 0; c < num_clusters_; ++c) merging_.Changed(c);
    RankLists<int64_t> packs;
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      std::vector<int64_t> pack;
      for (int32_t c = rank; leads() && c < num_clusters_; c += ranks_.size()) {
        AppendPacked(c, state.sizes[c], state.last_times[c], state.TermsOf(c),
                     state.SumsOf(c), &pack);
      }
      packs.Append(pack);
    }
    ASSIGN_OR_RETURN(const RankLists<int64_t> mine, ranks_.AllToAll(packs));
    for (size_t at = 0; at < mine.values.size();) {
      Keep(UnpackCluster(mine.values, &at));
    }
    return absl::OkStatus();
  }

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    RETURN_IF_ERROR(broken_);
    for (int64_t begin = 0; begin < documents.size(); begin += batch_) {
      const int64_t size = std::min(batch_, documents.size() - begin);
      UnitVectors batch;
      batch.num_terms = documents.num_terms;
      for (int64_t d = begin; d < begin + size; ++d) {
        const absl::Span<const int32_t> terms = documents.TermsOf(d);
        const absl::Span<const int32_t> weights = documents.WeightsOf(d);
        batch.terms.insert(batch.terms.end(), terms.begin(), terms.end());
        batch.weights.insert(batch.weights.end(), weights.begin(),
                             weights.end());
        batch.offsets.push_back(static_cast<int64_t>(batch.terms.size()));
      }
      std::vector<int64_t> times(clocks.begin() + begin,
                                 clocks.begin() + begin + size);
      RETURN_IF_ERROR(Tell(Task::kBatch, ranks_));
      RETURN_IF_ERROR(TakeBatch(std::move(batch), std::move(times),
                                clusters.subspan(begin, size)));
      ++counts_.batches;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    RETURN_IF_ERROR(broken_);
    RETURN_IF_ERROR(Tell(Task::kState, ranks_));
    return TakeState();
  }

  absl::optional<std::vector<ClusterMerge>> Merge() override {
    if (broken_.ok()) broken_ = Tell(Task::kMerge, ranks_);
    return TakeMerge();
  }

  int32_t num_clusters() const override { return num_clusters_; }

  // Of this rank.
  OnlineCounts counts() const override {
    OnlineCounts counts = counts_;
    counts.partial_products =
        best_search_.partial_products() + delta_.partial_products();
    counts.candidates = best_search_.candidates();
    for (const NearestSearch& search : searches_) {
      counts.partial_products += search.partial_products();
      counts.candidates += search.candidates();
    }
    counts.list_entries = base_.lists().num_entries();
    counts.lists = base_.lists().num_lists();
    return counts;
  }

  // Does what rank 0 tells, except beginning and ending.
  absl::Status Do(Task task) {
    switch (task) {
      case Task::kBatch:
        return TakeBatch(UnitVectors(), {}, {});
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
  int OwnerOf(int64_t cluster) const {
    return static_cast<int>(cluster % ranks_.size());
  }
  bool IsMine(int64_t cluster) const {
    return OwnerOf(cluster) == ranks_.rank();
  }
  int32_t PlaceOf(int64_t cluster) const {
    return static_cast<int32_t>(cluster / ranks_.size());
  }
  int32_t NumberOf(int32_t place) const {
    return place * ranks_.size() + ranks_.rank();
  }

  void ReserveTerms(int32_t num_terms) {
    num_terms_ = std::max(num_terms_, num_terms);
    base_.ReserveTerms(num_terms_);
    delta_.Reserve(num_clusters_, num_terms_);
  }

  // The arguments of rank 0 go to all; the others have none, and no room for
  // `clusters`.
  absl::Status TakeBatch(UnitVectors documents, std::vector<int64_t> clocks,
                         absl::Span<int32_t> clusters) {
    RETURN_IF_ERROR(
        ranks_.Broadcast(absl::MakeSpan(&documents.num_terms, 1), 0));
    RETURN_IF_ERROR(ranks_.BroadcastAll(&documents.offsets, 0));
    RETURN_IF_ERROR(ranks_.BroadcastAll(&documents.terms, 0));
    RETURN_IF_ERROR(ranks_.BroadcastAll(&documents.weights, 0));
    RETURN_IF_ERROR(ranks_.BroadcastAll(&clocks, 0));
    ReserveTerms(documents.num_terms);
    RETURN_IF_ERROR(Search(documents, clocks));
    RETURN_IF_ERROR(FetchLikely());
    for (int64_t d = 0; d < documents.size(); ++d) {
      clock_ = clocks[d];
      ASSIGN_OR_RETURN(
          const int32_t cluster,
          Place(documents.TermsOf(d), documents.WeightsOf(d), found_[d]));
      if (!clusters.empty()) clusters[d] = cluster;
    }
    KeepTouched();
    return absl::OkStatus();
  }

  // The state on rank 0, nothing on the others.
  absl::StatusOr<OnlineState> TakeState() {
    CloseExpired();
    std::vector<int64_t> pack;
    for (int32_t place = 0; place < sums_.size(); ++place) {
      PackCluster(sums_, place, NumberOf(place), &pack);
    }
    RankLists<int64_t> out;
    out.Append(pack);
    out.offsets.resize(ranks_.size() + 1, out.offsets.back());
    pack = std::vector<int64_t>();
    ASSIGN_OR_RETURN(const RankLists<int64_t> packs, ranks_.AllToAll(out));
    OnlineState state;
    std::vector<size_t> at(ranks_.size());
    for (int32_t c = 0; leads() && c < num_clusters_; ++c) {
      const int owner = OwnerOf(c);
      const PackedCluster cluster = UnpackCluster(packs.Of(owner), &at[owner]);
      state.sizes.push_back(cluster.num_documents);
      state.last_times.push_back(cluster.last_time);
      state.terms.insert(state.terms.end(), cluster.terms.begin(),
                         cluster.terms.end());
      state.sums.insert(state.sums.end(), cluster.sums.begin(),
                        cluster.sums.end());
      state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
    }
    return state;
  }

  std::vector<ClusterMerge> TakeMerge() {
    CloseExpired();
    RankedMerging merging(base_.vectors(), base_.lists(), merging_, ranks_);
    if (broken_.ok()) broken_ = merging.Begin();
    // After an error nothing is similar, so the pass ends.
    return merging_.Pass(
        num_clusters_,
        [&](int32_t cluster, absl::FunctionRef<void(int32_t, int64_t)> visit) {
          if (broken_.ok()) broken_ = merging.VisitSimilar(cluster, visit);
        },
        [&](int32_t from, int32_t into) {
          if (broken_.ok()) broken_ = MergePair(from, into, &merging);
        });
  }

  // Sets a cluster of this rank, which may be its next one.
  void Keep(const PackedCluster& cluster) {
    const int32_t place = PlaceOf(cluster.number);
    if (place == sums_.size()) {
      sums_.AppendEmpty();
      base_.Reserve(sums_.size());
    }
    sums_.Set(place, cluster.num_documents, cluster.last_time, cluster.terms,
              cluster.sums);
    sums_.Weigh(place, weights_.data());
    base_.Replace(place, cluster.last_time, sums_.TermsOf(place), weights_);
  }

  // Sets found_: the best clusters of all ranks for each document.
  absl::Status Search(const UnitVectors& documents,
                      absl::Span<const int64_t> clocks) {
    best_search_.Reserve(base_.size());
    for (NearestSearch& search : searches_) search.Reserve(base_.size());
    std::vector<NearestClusters> mine(documents.size());
    const int threads = static_cast<int>(searches_.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int64_t d = 0; d < documents.size(); ++d) {
      base_.Find(documents.TermsOf(d), documents.WeightsOf(d), clocks[d],
                 &searches_[omp_get_thread_num()], &mine[d]);
    }
    // Per document: how many clusters, and the floor; then the clusters.
    std::vector<Similar> sent;
    for (const NearestClusters& nearest : mine) {
      sent.push_back({nearest.floor, nearest.count});
      for (int32_t i = 0; i < nearest.count; ++i) {
        sent.push_back(
            {nearest.similarities[i], NumberOf(nearest.clusters[i])});
      }
    }
    ASSIGN_OR_RETURN(const RankLists<Similar> all,
                     ranks_.AllGather(absl::MakeConstSpan(sent)));
    found_.assign(mine.size(), NearestClusters());
    std::vector<size_t> at(ranks_.size());
    std::vector<Similar> clusters;
    for (NearestClusters& found : found_) {
      clusters.clear();
      found.floor = 0;
      for (int rank = 0; rank < ranks_.size(); ++rank) {
        const absl::Span<const Similar> of_rank = all.Of(rank);
        const Similar head = of_rank[at[rank]++];
        found.floor = std::max(found.floor, head.similarity);
        const auto first = of_rank.begin() + at[rank];
        clusters.insert(clusters.end(), first, first + head.cluster);
        at[rank] += head.cluster;
      }
      TakeBest(&clusters, &found);
    }
    return absl::OkStatus();
  }

  // Those that no cluster of any rank, found or not, precedes.
  static void TakeBest(std::vector<Similar>* clusters, NearestClusters* found) {
    std::sort(
        clusters->begin(), clusters->end(),
        [](const Similar& a, const Similar& b) { return a.IsBetterThan(b); });
    found->count = 0;
    for (const Similar& similar : *clusters) {
      if (similar.similarity <= found->floor) break;
      if (found->count == NearestClusters::kMost) {
        found->floor = similar.similarity;
        break;
      }
      found->clusters[found->count] = static_cast<int32_t>(similar.cluster);
      found->similarities[found->count++] = similar.similarity;
    }
  }

  // Gets the first cluster that each document found.
  absl::Status FetchLikely() {
    std::vector<int32_t> clusters;
    for (const NearestClusters& found : found_) {
      if (found.count > 0) clusters.push_back(found.clusters[0]);
    }
    std::sort(clusters.begin(), clusters.end());
    clusters.erase(std::unique(clusters.begin(), clusters.end()),
                   clusters.end());
    return Fetch(clusters);
  }

  // Gets the sums of different clusters that are not touched yet.
  absl::Status Fetch(absl::Span<const int32_t> clusters) {
    if (clusters.empty()) return absl::OkStatus();
    std::vector<int64_t> pack;
    for (const int32_t cluster : clusters) {
      if (IsMine(cluster)) PackCluster(sums_, PlaceOf(cluster), cluster, &pack);
    }
    ASSIGN_OR_RETURN(const RankLists<int64_t> packs,
                     ranks_.AllGather(absl::MakeConstSpan(pack)));
    for (size_t at = 0; at < packs.values.size();) {
      const PackedCluster cluster = UnpackCluster(packs.values, &at);
      slots_[cluster.number] = touched_.size();
      touched_.AppendEmpty();
      touched_.Set(touched_.size() - 1, cluster.num_documents,
                   cluster.last_time, cluster.terms, cluster.sums);
    }
    return absl::OkStatus();
  }

  // Lets a document join or found a cluster, and returns its number.
  absl::StatusOr<int32_t> Place(absl::Span<const int32_t> terms,
                                absl::Span<const int32_t> weights,
                                const NearestClusters& found) {
    ASSIGN_OR_RETURN(int32_t cluster, Nearest(terms, weights, found));
    int32_t slot = 0;
    if (cluster == kNone) {
      cluster = num_clusters_++;
      slot = slots_[cluster] = touched_.Found(terms, weights, clock_);
      delta_.Reserve(num_clusters_, num_terms_);
    } else {
      if (!slots_.contains(cluster)) {
        RETURN_IF_ERROR(Fetch({cluster}));
      }
      slot = slots_[cluster];
      touched_.Join(slot, terms, weights, clock_);
    }
    merging_.Changed(cluster);
    touched_.Weigh(slot, weights_.data());
    delta_.Set(cluster, touched_.TermsOf(slot), weights_);
    return cluster;
  }

  absl::StatusOr<int32_t> Nearest(absl::Span<const int32_t> terms,
                                  absl::Span<const int32_t> weights,
                                  const NearestClusters& found) {
    const NearestNow now = FindNearestNow(
        found, above_, terms, weights,
        [&](int32_t cluster) {
          return !IsExpired(touched_.last_time(slots_[cluster]), clock_,
                            options_.expire_after);
        },
        &delta_);
    if (now.is_certain) return now.cluster;
    ++counts_.repeated;
    NearestClusters unchanged;
    best_search_.Find(
        terms, weights, base_.lists(), base_.vectors(),
        [&](int32_t place) {
          return !delta_.Contains(NumberOf(place)) &&
                 base_.IsOpen(place, clock_);
        },
        &unchanged);
    std::vector<Similar> sent;
    if (unchanged.count > 0) {
      sent.push_back(
          {unchanged.similarities[0], NumberOf(unchanged.clusters[0])});
    }
    ASSIGN_OR_RETURN(const RankLists<Similar> all,
                     ranks_.AllGather(absl::MakeConstSpan(sent)));
    // kNone is less than every number: what equals its similarity is not above
    // the threshold.
    Similar best = {now.similarity, now.cluster};
    for (const Similar& similar : all.values) {
      if (similar.IsBetterThan(best)) best = similar;
    }
    return static_cast<int32_t>(best.cluster);
  }

  // Ends a batch: owners keep the clusters that changed.
  void KeepTouched() {
    for (const int32_t cluster : delta_.in_this_batch()) {
      if (IsMine(cluster)) KeepSlot(cluster, slots_[cluster]);
    }
    delta_.NextBatch();
    delta_.NextBatch();
    ForgetTouched();
  }

  void KeepSlot(int32_t cluster, int32_t slot) {
    std::vector<int64_t> pack;
    PackCluster(touched_, slot, cluster, &pack);
    size_t at = 0;
    Keep(UnpackCluster(pack, &at));
  }

  void ForgetTouched() {
    touched_ = ClusterSums(options_);
    slots_.clear();
  }

  absl::Status MergePair(int32_t from, int32_t into, RankedMerging* merging) {
    RETURN_IF_ERROR(Fetch({from, into}));
    touched_.Merge(slots_[from], slots_[into]);
    for (const int32_t cluster : {from, into}) {
      if (IsMine(cluster)) KeepSlot(cluster, slots_[cluster]);
    }
    touched_.Weigh(slots_[into], weights_.data());
    merging->Merged(from, into, touched_.TermsOf(slots_[into]), weights_);
    ForgetTouched();
    return absl::OkStatus();
  }

  // Closes the clusters of this rank that are expired.
  void CloseExpired() {
    if (options_.expire_after == 0) return;
    for (int32_t place = 0; place < sums_.size(); ++place) {
      if (sums_.TermsOf(place).empty() || base_.IsOpen(place, clock_)) continue;
      sums_.Close(place);
      base_.Replace(place, sums_.last_time(place), {}, {});
    }
  }

  const OnlineOptions options_;
  const int64_t above_;
  const int64_t batch_;
  Communicator& ranks_;
  int32_t num_clusters_ = 0;
  int32_t num_terms_ = 0;
  int64_t clock_ = OnlineState::kNoTime;

  // This rank's clusters.
  ClusterSums sums_;
  BatchBase base_;
  NearestSearch best_search_;
  std::vector<NearestSearch> searches_;  // By thread.

  // By document of the batch.
  std::vector<NearestClusters> found_;
  // Clusters of all ranks, as they are now: in slots_ by number. Those that the
  // batch changed are in delta_.
  ClusterSums touched_;
  absl::flat_hash_map<int32_t, int32_t> slots_;
  BatchDelta delta_;
  std::vector<int32_t> weights_;  // The vector of the last cluster.
  ClusterMerging merging_;
  OnlineCounts counts_;
  // The error of a merge.
  absl::Status broken_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeRankedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const BatchedOptions& batched_options, Communicator& ranks) {
  RETURN_IF_ERROR(Tell(Task::kBegin, ranks));
  Settings settings = {options, batched_options};
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&settings, 1), 0));
  auto engine = std::make_unique<RankedClusterer>(settings, ranks);
  RETURN_IF_ERROR(engine->Begin(state));
  return engine;
}

absl::Status FollowRankedClusterer(Communicator& ranks) {
  std::unique_ptr<RankedClusterer> engine;
  // A new engine may begin before the old one ends.
  int engines = 0;
  do {
    Task task = Task::kEnd;
    RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&task, 1), 0));
    if (task == Task::kBegin) {
      Settings settings;
      RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&settings, 1), 0));
      engine = std::make_unique<RankedClusterer>(settings, ranks);
      RETURN_IF_ERROR(engine->Begin(OnlineState()));
      ++engines;
    } else if (task == Task::kEnd) {
      --engines;
    } else {
      RETURN_IF_ERROR(engine->Do(task));
    }
  } while (engines > 0);
  return absl::OkStatus();
}

}  // namespace warpclust
