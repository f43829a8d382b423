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

struct Order {
  Task task = Task::kEnd;
  int64_t num_words = 0;  // Of the batch, which follows.
};

absl::Status Tell(Order order, Communicator& ranks) {
  return ranks.Broadcast(absl::MakeSpan(&order, 1), 0);
}

// A batch as one message: the numbers of documents and terms, the offsets and
// clocks, and a word per entry.
std::vector<int64_t> PackBatch(const UnitVectors& documents,
                               absl::Span<const int64_t> clocks, int64_t begin,
                               int64_t end) {
  const int64_t first = documents.offsets[begin];
  std::vector<int64_t> words = {end - begin, documents.num_terms};
  words.reserve(2 + 2 * (end - begin) + documents.offsets[end] - first);
  for (int64_t d = begin; d < end; ++d) {
    words.push_back(documents.offsets[d + 1] - first);
  }
  words.insert(words.end(), clocks.begin() + begin, clocks.begin() + end);
  for (int64_t e = first; e < documents.offsets[end]; ++e) {
    words.push_back(int64_t{documents.weights[e]} << 32 | documents.terms[e]);
  }
  return words;
}

// The documents and their clocks.
std::pair<UnitVectors, std::vector<int64_t>> UnpackBatch(
    absl::Span<const int64_t> words) {
  const int64_t size = words[0];
  UnitVectors documents;
  documents.num_terms = static_cast<int32_t>(words[1]);
  const absl::Span<const int64_t> offsets = words.subspan(2, size);
  documents.offsets.insert(documents.offsets.end(), offsets.begin(),
                           offsets.end());
  const absl::Span<const int64_t> clocks = words.subspan(2 + size, size);
  for (const int64_t word : words.subspan(2 + 2 * size)) {
    documents.terms.push_back(static_cast<int32_t>(word));
    documents.weights.push_back(static_cast<int32_t>(word >> 32));
  }
  return {std::move(documents), {clocks.begin(), clocks.end()}};
}

// What decides the clusters, to be sent as it is.
struct Settings {
  OnlineOptions options;
  BatchedOptions batched;
};

// What rank 0 asks the others for while it decides a batch.
struct Question {
  enum class What : int64_t {
    kSums,     // Of clusters: `num_numbers` of them follow.
    kNearest,  // Of `document`, without those and all earlier ones.
    kNothing,  // The batch ends: these clusters changed, and come back.
  };
  What what = What::kNothing;
  int64_t document = 0;
  int64_t num_clusters = 0;
  int64_t num_numbers = 0;
};

// Clusters are numbers, their places on the owner number / ranks. `sums_` and
// `base_` are by place. Rank 0 alone decides: found_, touched_, slots_, delta_
// and weights_ of a batch are its own. Everything else is the same on all
// ranks.
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
    if (leads()) Tell({Task::kEnd}, ranks_).IgnoreError();
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
      std::vector<int64_t> words =
          PackBatch(documents, clocks, begin, begin + size);
      RETURN_IF_ERROR(
          Tell({Task::kBatch, static_cast<int64_t>(words.size())}, ranks_));
      RETURN_IF_ERROR(
          TakeBatch(std::move(words), clusters.subspan(begin, size)));
      ++counts_.batches;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    RETURN_IF_ERROR(broken_);
    RETURN_IF_ERROR(Tell({Task::kState}, ranks_));
    return TakeState();
  }

  absl::optional<std::vector<ClusterMerge>> Merge() override {
    if (broken_.ok()) broken_ = Tell({Task::kMerge}, ranks_);
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
  absl::Status Do(const Order& order) {
    switch (order.task) {
      case Task::kBatch:
        return TakeBatch(std::vector<int64_t>(order.num_words), {});
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

  // The words of rank 0, a batch, go to all; the others have room for them, and
  // none for `clusters`.
  absl::Status TakeBatch(std::vector<int64_t> words,
                         absl::Span<int32_t> clusters) {
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(words), 0));
    const auto [documents, clocks] = UnpackBatch(words);
    words = {};
    ReserveTerms(documents.num_terms);
    RETURN_IF_ERROR(Search(documents, clocks));
    if (leads()) {
      RETURN_IF_ERROR(FetchLikely());
      for (int64_t d = 0; d < documents.size(); ++d) {
        clock_ = clocks[d];
        ASSIGN_OR_RETURN(clusters[d], Place(documents, d));
      }
    } else {
      RETURN_IF_ERROR(Answer(documents, clocks));
    }
    if (documents.size() > 0) clock_ = clocks.back();
    return KeepTouched();
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

  // Sets found_ on rank 0: the best clusters of all ranks for each document.
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
                     ranks_.Gather(absl::MakeConstSpan(sent), 0));
    if (!leads()) return absl::OkStatus();
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

  // Sends a question, and these numbers, to the other ranks.
  absl::Status Ask(Question question, absl::Span<const int32_t> numbers) {
    question.num_clusters = num_clusters_;
    question.num_numbers = static_cast<int64_t>(numbers.size());
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(&question, 1), 0));
    numbers_.assign(numbers.begin(), numbers.end());
    return ranks_.Broadcast(absl::MakeSpan(numbers_), 0);
  }

  // Answers the questions of rank 0 until the batch ends. Then numbers_ are the
  // clusters that changed.
  absl::Status Answer(const UnitVectors& documents,
                      absl::Span<const int64_t> clocks) {
    absl::flat_hash_set<int32_t> changed;
    while (true) {
      Question question;
      RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(&question, 1), 0));
      num_clusters_ = static_cast<int32_t>(question.num_clusters);
      numbers_.resize(question.num_numbers);
      RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(numbers_), 0));
      switch (question.what) {
        case Question::What::kSums:
          RETURN_IF_ERROR(Fetch(numbers_, /*on_all=*/false));
          break;
        case Question::What::kNearest: {
          changed.insert(numbers_.begin(), numbers_.end());
          clock_ = clocks[question.document];
          const auto is_changed = [&](int32_t cluster) {
            return changed.contains(cluster);
          };
          RETURN_IF_ERROR(FindUnchanged(documents.TermsOf(question.document),
                                        documents.WeightsOf(question.document),
                                        is_changed)
                              .status());
          break;
        }
        case Question::What::kNothing:
          return absl::OkStatus();
      }
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
    return FetchFromOthers(clusters);
  }

  // Fetch, on rank 0 during a batch.
  absl::Status FetchFromOthers(absl::Span<const int32_t> clusters) {
    if (clusters.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(Ask({.what = Question::What::kSums}, clusters));
    return Fetch(clusters, /*on_all=*/false);
  }

  // Gets the sums of different clusters that are not touched yet, on rank 0 or
  // on all. A collective call.
  absl::Status Fetch(absl::Span<const int32_t> clusters, bool on_all) {
    std::vector<int64_t> pack;
    for (const int32_t cluster : clusters) {
      if (IsMine(cluster)) PackCluster(sums_, PlaceOf(cluster), cluster, &pack);
    }
    ASSIGN_OR_RETURN(const RankLists<int64_t> packs,
                     on_all ? ranks_.AllGather(absl::MakeConstSpan(pack))
                            : ranks_.Gather(absl::MakeConstSpan(pack), 0));
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
  absl::StatusOr<int32_t> Place(const UnitVectors& documents, int64_t d) {
    const absl::Span<const int32_t> terms = documents.TermsOf(d);
    const absl::Span<const int32_t> weights = documents.WeightsOf(d);
    ASSIGN_OR_RETURN(int32_t cluster, Nearest(documents, d));
    int32_t slot = 0;
    if (cluster == kNone) {
      cluster = num_clusters_++;
      slot = slots_[cluster] = touched_.Found(terms, weights, clock_);
      delta_.Reserve(num_clusters_, num_terms_);
    } else {
      if (!slots_.contains(cluster)) {
        RETURN_IF_ERROR(FetchFromOthers({cluster}));
      }
      slot = slots_[cluster];
      touched_.Join(slot, terms, weights, clock_);
    }
    touched_.Weigh(slot, weights_.data());
    delta_.Set(cluster, touched_.TermsOf(slot), weights_);
    return cluster;
  }

  absl::StatusOr<int32_t> Nearest(const UnitVectors& documents, int64_t d) {
    const absl::Span<const int32_t> terms = documents.TermsOf(d);
    const absl::Span<const int32_t> weights = documents.WeightsOf(d);
    const NearestNow now = FindNearestNow(
        found_[d], above_, terms, weights,
        [&](int32_t cluster) {
          return !IsExpired(touched_.last_time(slots_[cluster]), clock_,
                            options_.expire_after);
        },
        &delta_);
    if (now.is_certain) return now.cluster;
    ++counts_.repeated;
    RETURN_IF_ERROR(Ask({.what = Question::What::kNearest, .document = d},
                        delta_.in_this_batch().subspan(num_told_)));
    num_told_ = delta_.in_this_batch().size();
    const auto is_changed = [&](int32_t cluster) {
      return delta_.Contains(cluster);
    };
    ASSIGN_OR_RETURN(const RankLists<Similar> all,
                     FindUnchanged(terms, weights, is_changed));
    // kNone is less than every number: what equals its similarity is not above
    // the threshold.
    Similar best = {now.similarity, now.cluster};
    for (const Similar& similar : all.values) {
      if (similar.IsBetterThan(best)) best = similar;
    }
    return static_cast<int32_t>(best.cluster);
  }

  // On rank 0, the best cluster of each rank that did not change in this batch.
  // A collective call.
  absl::StatusOr<RankLists<Similar>> FindUnchanged(
      absl::Span<const int32_t> terms, absl::Span<const int32_t> weights,
      absl::FunctionRef<bool(int32_t cluster)> is_changed) {
    NearestClusters unchanged;
    best_search_.Find(
        terms, weights, base_.lists(), base_.vectors(),
        [&](int32_t place) {
          return !is_changed(NumberOf(place)) && base_.IsOpen(place, clock_);
        },
        &unchanged);
    std::vector<Similar> sent;
    if (unchanged.count > 0) {
      sent.push_back(
          {unchanged.similarities[0], NumberOf(unchanged.clusters[0])});
    }
    return ranks_.Gather(absl::MakeConstSpan(sent), 0);
  }

  // Ends a batch: owners get the clusters that changed.
  absl::Status KeepTouched() {
    RankLists<int64_t> packs;
    if (leads()) {
      RETURN_IF_ERROR(
          Ask({.what = Question::What::kNothing}, delta_.in_this_batch()));
      std::vector<std::vector<int64_t>> by_owner(ranks_.size());
      for (const int32_t cluster : numbers_) {
        PackCluster(touched_, slots_[cluster], cluster,
                    &by_owner[OwnerOf(cluster)]);
      }
      for (const std::vector<int64_t>& pack : by_owner) packs.Append(pack);
    } else {
      packs.offsets.assign(ranks_.size() + 1, 0);
    }
    for (const int32_t cluster : numbers_) merging_.Changed(cluster);
    ASSIGN_OR_RETURN(const RankLists<int64_t> mine, ranks_.AllToAll(packs));
    for (size_t at = 0; at < mine.values.size();) {
      Keep(UnpackCluster(mine.values, &at));
    }
    delta_.NextBatch();
    delta_.NextBatch();
    num_told_ = 0;
    ForgetTouched();
    return absl::OkStatus();
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
    RETURN_IF_ERROR(Fetch({from, into}, /*on_all=*/true));
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

  // Of rank 0, by document of the batch.
  std::vector<NearestClusters> found_;
  // The clusters of the last question.
  std::vector<int32_t> numbers_;
  // How many of delta_ the others know.
  size_t num_told_ = 0;
  // Clusters of all ranks, as they are now: in slots_ by number. Those that the
  // batch changed are in delta_. On the other ranks, during a merge only.
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
  RETURN_IF_ERROR(Tell({Task::kBegin}, ranks));
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
    Order order;
    RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&order, 1), 0));
    if (order.task == Task::kBegin) {
      Settings settings;
      RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&settings, 1), 0));
      engine = std::make_unique<RankedClusterer>(settings, ranks);
      RETURN_IF_ERROR(engine->Begin(OnlineState()));
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
