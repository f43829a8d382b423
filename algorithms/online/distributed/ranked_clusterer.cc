// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/ranked_clusterer.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// Clusters are numbers, their places on the owner number / ranks. `sums_` and
// `base_` are by place; everything else is the same on all ranks.
class RankedClusterer : public OnlineEngine {
 public:
  RankedClusterer(const OnlineOptions& options, const OnlineState& state,
                  const BatchedOptions& batched_options, Communicator& ranks)
      : options_(options),
        above_(SimilarityAbove(options.threshold)),
        batch_(batched_options.batch),
        ranks_(ranks),
        num_clusters_(state.num_clusters()),
        clock_(state.clock),
        sums_(options),
        base_(options),
        best_search_(above_, 1),
        searches_(ResolveThreads(batched_options.num_threads),
                  NearestSearch(above_, NearestClusters::kMost)),
        touched_(options),
        delta_(options.terms),
        weights_(options.terms),
        merging_(options, state.num_clusters()) {
    ReserveTerms(state.num_terms);
    for (int32_t c = ranks.rank(); c < num_clusters_; c += ranks.size()) {
      Keep(c, state.sizes[c], state.last_times[c], state.TermsOf(c),
           state.SumsOf(c));
    }
  }

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    RETURN_IF_ERROR(broken_);
    ReserveTerms(documents.num_terms);
    for (int64_t begin = 0; begin < documents.size(); begin += batch_) {
      const int64_t end = std::min(begin + batch_, documents.size());
      RETURN_IF_ERROR(Search(documents, clocks, begin, end));
      RETURN_IF_ERROR(FetchLikely());
      for (int64_t d = begin; d < end; ++d) {
        clock_ = clocks[d];
        ASSIGN_OR_RETURN(clusters[d],
                         Place(documents.TermsOf(d), documents.WeightsOf(d),
                               found_[d - begin]));
      }
      KeepTouched();
      ++counts_.batches;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    RETURN_IF_ERROR(broken_);
    CloseExpired();
    std::vector<int64_t> pack;
    for (int32_t place = 0; place < sums_.size(); ++place) {
      PackCluster(sums_, place, NumberOf(place), &pack);
    }
    ASSIGN_OR_RETURN(const RankLists<int64_t> packs,
                     ranks_.AllGather(absl::MakeConstSpan(pack)));
    pack = std::vector<int64_t>();
    OnlineState state;
    std::vector<size_t> at(ranks_.size());
    for (int32_t c = 0; c < num_clusters_; ++c) {
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

  absl::optional<std::vector<ClusterMerge>> Merge() override {
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

  int32_t num_clusters() const override { return num_clusters_; }

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

 private:
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

  // Sets a cluster of this rank, which may be its next one.
  void Keep(int32_t cluster, int64_t num_documents, int64_t last_time,
            absl::Span<const int32_t> terms, absl::Span<const int64_t> sums) {
    const int32_t place = PlaceOf(cluster);
    if (place == sums_.size()) {
      sums_.AppendEmpty();
      base_.Reserve(sums_.size());
    }
    sums_.Set(place, num_documents, last_time, terms, sums);
    sums_.Weigh(place, weights_.data());
    base_.Replace(place, last_time, sums_.TermsOf(place), weights_);
  }

  // Sets found_: the best clusters of all ranks for documents [begin, end).
  absl::Status Search(const UnitVectors& documents,
                      absl::Span<const int64_t> clocks, int64_t begin,
                      int64_t end) {
    best_search_.Reserve(base_.size());
    for (NearestSearch& search : searches_) search.Reserve(base_.size());
    std::vector<NearestClusters> mine(end - begin);
    const int threads = static_cast<int>(searches_.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int64_t d = begin; d < end; ++d) {
      base_.Find(documents.TermsOf(d), documents.WeightsOf(d), clocks[d],
                 &searches_[omp_get_thread_num()], &mine[d - begin]);
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

  // As in batched_clusterer.cc, of which this is the part that takes ranks.
  absl::StatusOr<int32_t> Nearest(absl::Span<const int32_t> terms,
                                  absl::Span<const int32_t> weights,
                                  const NearestClusters& found) {
    int32_t nearest = kNone;
    int64_t similarity = above_;
    for (int32_t i = 0; i < found.count; ++i) {
      if (delta_.Contains(found.clusters[i])) continue;
      nearest = found.clusters[i];
      similarity = found.similarities[i];
      break;
    }
    const bool has_unchanged = nearest != kNone;
    delta_.Improve(
        terms, weights,
        [&](int32_t cluster) {
          return !IsExpired(touched_.last_time(slots_[cluster]), clock_,
                            options_.expire_after);
        },
        &nearest, &similarity);
    if (has_unchanged || found.floor == above_ || similarity > found.floor) {
      return nearest;
    }
    ++counts_.repeated;
    NearestClusters unchanged;
    best_search_.Find(
        terms, weights, base_.lists(), base_.vectors(),
        [&](int32_t place) {
          return !delta_.Contains(NumberOf(place)) &&
                 base_.IsOpen(place, clock_);
        },
        &unchanged);
    Similar best = {similarity, nearest == kNone ? num_clusters_ : nearest};
    std::vector<Similar> sent;
    if (unchanged.count > 0) {
      sent.push_back(
          {unchanged.similarities[0], NumberOf(unchanged.clusters[0])});
    }
    ASSIGN_OR_RETURN(const RankLists<Similar> all,
                     ranks_.AllGather(absl::MakeConstSpan(sent)));
    for (const Similar& similar : all.values) {
      if (!similar.IsBetterThan(best)) continue;
      best = similar;
      nearest = static_cast<int32_t>(similar.cluster);
    }
    return nearest;
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
    const PackedCluster packed = UnpackCluster(pack, &at);
    Keep(cluster, packed.num_documents, packed.last_time, packed.terms,
         packed.sums);
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
  int32_t num_clusters_;
  int32_t num_terms_ = 0;
  int64_t clock_;

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

std::unique_ptr<OnlineEngine> MakeRankedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const BatchedOptions& batched_options, Communicator& ranks) {
  return std::make_unique<RankedClusterer>(options, state, batched_options,
                                           ranks);
}

}  // namespace warpclust
