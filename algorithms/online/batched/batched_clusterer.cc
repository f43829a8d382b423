// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/batched_clusterer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/batch_base.h"
#include "algorithms/online/batched/batch_delta.h"
#include "algorithms/online/batched/nearest_search.h"
#include "algorithms/online/batched/worker_rounds.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = BatchDelta::kNone;

// For fewer documents, waking threads costs more than they save.
constexpr int64_t kFewDocuments = 64;

// How much is clustered in batches, or one by one, before that choice is made
// again.
constexpr int64_t kBatchesInARow = 16;
constexpr int64_t kDocumentsInARow = 4096;

// Documents [begin, end) of a call.
struct Batch {
  const UnitVectors& documents;
  absl::Span<const int64_t> clocks;
  absl::Span<int32_t> clusters;
  int64_t begin = 0;
  int64_t end = 0;
};

// Two halves, on which different threads work at the same time:
//
//   sums_, delta_   the clusters as they are now
//   base_           as they were before the last batch, for searches
class BatchedClusterer : public OnlineEngine {
 public:
  BatchedClusterer(const OnlineOptions& options, const OnlineState& state,
                   const BatchedOptions& batched_options)
      : above_(SimilarityAbove(options.threshold)),
        expire_after_(options.expire_after),
        batch_(batched_options.batch),
        threads_(ResolveThreads(batched_options.num_threads)),
        entries_worth_threads_(batched_options.entries_worth_threads),
        sums_(options, state),
        delta_(options.terms),
        weights_(options.terms),
        merging_(options, state.num_clusters()),
        clock_(state.clock),
        base_(options),
        best_search_(above_, 1),
        searches_(threads_, NearestSearch(above_, NearestClusters::kMost)) {
    ReserveTerms(state.num_terms);
    base_.Reserve(sums_.size());
    for (int32_t c = 0; c < sums_.size(); ++c) {
      sums_.Weigh(c, weights_.data());
      base_.Replace(c, sums_.last_time(c), sums_.TermsOf(c), weights_);
    }
  }

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    ReserveTerms(documents.num_terms);
    Batch part = {documents, clocks, clusters};
    while (part.end < documents.size()) {
      const int64_t left = documents.size() - part.end;
      const bool in_batches = threads_ > 1 &&
                              left > std::min<int64_t>(batch_, kFewDocuments) &&
                              entries_ >= entries_worth_threads_;
      const int64_t most =
          in_batches ? kBatchesInARow * batch_ : kDocumentsInARow;
      part.begin = part.end;
      part.end += std::min(left, most);
      const int64_t before = PartialProducts();
      if (in_batches) {
        InBatches(part);
      } else {
        OneByOne(part);
      }
      entries_ = (PartialProducts() - before) / (part.end - part.begin);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    CloseExpired();
    base_.Apply(&updates_[1]);
    return sums_.State();
  }

  absl::StatusOr<absl::optional<std::vector<ClusterMerge>>> Merge() override {
    CloseExpired();
    base_.Apply(&updates_[1]);
    return merging_.Pass(base_.vectors(), base_.lists(),
                         [&](int32_t from, int32_t into) {
                           sums_.Merge(from, into);
                           sums_.Weigh(into, weights_.data());
                           base_.Replace(into, sums_.last_time(into),
                                         sums_.TermsOf(into), weights_);
                           base_.Replace(from, sums_.last_time(from), {}, {});
                         });
  }

  int32_t num_clusters() const override { return sums_.size(); }

  OnlineCounts counts() const override {
    OnlineCounts counts = counts_;
    counts.partial_products = PartialProducts();
    counts.candidates = best_search_.candidates();
    for (const NearestSearch& search : searches_) {
      counts.candidates += search.candidates();
    }
    counts.list_entries = base_.lists().num_entries();
    counts.lists = base_.lists().num_lists();
    counts.tail_bytes = sums_.tail_bytes();
    return counts;
  }

 private:
  void ReserveTerms(int32_t num_terms) {
    num_terms_ = std::max(num_terms, num_terms_);
    base_.ReserveTerms(num_terms_);
  }

  int64_t PartialProducts() const {
    int64_t products =
        best_search_.partial_products() + delta_.partial_products();
    for (const NearestSearch& search : searches_) {
      products += search.partial_products();
    }
    return products;
  }

  // Serial Clusterer 2, with NearestSearch.
  void OneByOne(const Batch& batch) {
    best_search_.Reserve(sums_.size());
    NearestClusters nearest;
    for (int64_t d = batch.begin; d < batch.end; ++d) {
      clock_ = batch.clocks[d];
      const absl::Span<const int32_t> terms = batch.documents.TermsOf(d);
      const absl::Span<const int32_t> weights = batch.documents.WeightsOf(d);
      base_.Find(terms, weights, clock_, &best_search_, &nearest);
      const int32_t cluster = JoinOrFound(
          nearest.count == 0 ? kNone : nearest.clusters[0], terms, weights);
      batch.clusters[d] = cluster;
      if (cluster == base_.size()) {
        base_.Reserve(sums_.size());
        best_search_.Reserve(sums_.size());
      }
      base_.Replace(cluster, clock_, sums_.TermsOf(cluster), weights_);
      if (++since_sweep_ >= sums_.size()) {
        CloseExpired();
        base_.Apply(&updates_[1]);
      }
    }
  }

  // Sets weights_ to the cluster's vector.
  int32_t JoinOrFound(int32_t cluster, absl::Span<const int32_t> terms,
                      absl::Span<const int32_t> weights) {
    if (cluster == kNone) {
      cluster = sums_.Found(terms, weights, clock_);
    } else {
      sums_.Join(cluster, terms, weights, clock_);
    }
    merging_.Changed(cluster);
    sums_.Weigh(cluster, weights_.data());
    return cluster;
  }

  // Clusters the documents of `part`, Q at a time.
  void InBatches(const Batch& part) {
    // Several batches, so that other threads can search while one decides.
    const int64_t most = std::min<int64_t>(
        batch_, std::max((part.end - part.begin) / 8, kFewDocuments));
    Batch now = part;
    Batch next = part;
    next.end = part.begin;
    WorkInRounds(
        threads_,
        [&] {
          now.begin = next.begin;
          now.end = next.end;
          next.begin = next.end;
          next.end = std::min(next.begin + most, part.end);
          if (now.begin == part.end) return false;
          Prepare(next);
          return true;
        },
        [&](int thread, int threads) {
          // Thread 0 decides.
          const bool updates_base = thread == 1 || threads == 1;
          Work(thread, updates_base, now, next);
        });
    base_.Reserve(sums_.size());
    base_.Apply(&updates_[1]);
    delta_.NextBatch();
    delta_.NextBatch();
    counts_.batches += (part.end - part.begin + most - 1) / most;
  }

  // Prepares a round, on one thread.
  void Prepare(const Batch& next) {
    const int32_t num_clusters = sums_.size();
    base_.Reserve(num_clusters);
    delta_.Reserve(num_clusters, num_terms_);
    for (NearestSearch& search : searches_) search.Reserve(num_clusters);
    found_[1].resize(next.end - next.begin);
    std::swap(found_[0], found_[1]);
    std::swap(updates_[0], updates_[1]);
    base_is_ready_ = false;
    next_ = next.begin;
  }

  // A thread's part of a round. One thread decides `now`, whose documents were
  // searched for in the round before. One brings the base up to `now`. Then all
  // search for the documents of `next`.
  void Work(int thread, bool updates_base, const Batch& now,
            const Batch& next) {
    if (updates_base) {
      base_.Apply(&updates_[0]);
      base_is_ready_ = true;
      base_is_ready_.notify_all();
    }
    if (thread == 0) Decide(now);
    base_is_ready_.wait(false);
    Search(next, &searches_[thread]);
  }

  // Searches for documents of a batch until none is left; other threads take
  // others of them.
  void Search(const Batch& batch, NearestSearch* search) {
    constexpr int64_t kStep = 16;
    for (;;) {
      const int64_t begin = next_.fetch_add(kStep, std::memory_order_relaxed);
      if (begin >= batch.end) return;
      const int64_t end = std::min(begin + kStep, batch.end);
      for (int64_t d = begin; d < end; ++d) {
        base_.Find(batch.documents.TermsOf(d), batch.documents.WeightsOf(d),
                   batch.clocks[d], search, &found_[0][d - batch.begin]);
      }
    }
  }

  void Decide(const Batch& batch) {
    for (int64_t d = batch.begin; d < batch.end; ++d) {
      Prefetch(batch, d);
      clock_ = batch.clocks[d];
      const absl::Span<const int32_t> terms = batch.documents.TermsOf(d);
      const absl::Span<const int32_t> weights = batch.documents.WeightsOf(d);
      const int32_t cluster = JoinOrFound(
          Nearest(terms, weights, found_[1][d - batch.begin]), terms, weights);
      delta_.Reserve(sums_.size(), num_terms_);
      delta_.Set(cluster, sums_.TermsOf(cluster), weights_);
      batch.clusters[d] = cluster;
    }
    since_sweep_ += batch.end - batch.begin;
    if (since_sweep_ >= sums_.size()) CloseExpired();
    const absl::Span<const int32_t> changed = delta_.in_this_batch();
    for (size_t i = 0; i < changed.size(); ++i) {
      if (sums_.TermsOf(changed[i]).empty()) continue;
      updates_[1].Add(changed[i], sums_.last_time(changed[i]),
                      delta_.TermsOf(i), delta_.WeightsOf(i));
    }
    delta_.NextBatch();
  }

  // Prefetches what the documents after `d` will read first: they are likely to
  // join the first cluster that they found.
  void Prefetch(const Batch& batch, int64_t d) const {
    if (d + 2 >= batch.end) return;
    const NearestClusters* const found = &found_[1][d - batch.begin];
    delta_.PrefetchHeads(batch.documents.TermsOf(d + 2));
    if (found[2].count > 0) {
      delta_.PrefetchPlace(found[2].clusters[0]);
      sums_.Prefetch(found[2].clusters[0]);
    }
    delta_.PrefetchLists(batch.documents.TermsOf(d + 1));
    if (found[1].count > 0) {
      sums_.PrefetchTail(found[1].clusters[0], batch.documents.TermsOf(d + 1));
    }
  }

  // The cluster that a document joins, whose search found `found`.
  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights,
                  const NearestClusters& found) {
    const NearestNow now = FindNearestNow(
        found, above_, terms, weights,
        [&](int32_t cluster) {
          return !IsExpired(sums_.last_time(cluster), clock_, expire_after_);
        },
        &delta_);
    if (now.is_certain) return now.cluster;
    ++counts_.repeated;
    base_is_ready_.wait(false);
    NearestClusters unchanged;
    searches_[0].Find(
        terms, weights, base_.lists(), base_.vectors(),
        [&](int32_t cluster) {
          return !delta_.Contains(cluster) && base_.IsOpen(cluster, clock_);
        },
        &unchanged);
    if (unchanged.count > 0 && (unchanged.similarities[0] > now.similarity ||
                                (unchanged.similarities[0] == now.similarity &&
                                 unchanged.clusters[0] < now.cluster))) {
      return unchanged.clusters[0];
    }
    return now.cluster;
  }

  // Closes all expired clusters; the base learns it with updates_[1].
  void CloseExpired() {
    since_sweep_ = 0;
    for (int32_t c = 0; expire_after_ != 0 && c < sums_.size(); ++c) {
      if (sums_.TermsOf(c).empty() ||
          !IsExpired(sums_.last_time(c), clock_, expire_after_)) {
        continue;
      }
      sums_.Close(c);
      updates_[1].Add(c, sums_.last_time(c), {}, {});
    }
  }

  const int64_t above_;
  const int64_t expire_after_;
  const int64_t batch_;
  const int threads_;
  const int64_t entries_worth_threads_;

  ClusterSums sums_;
  BatchDelta delta_;
  // The vector of the cluster that was joined or founded last.
  std::vector<int32_t> weights_;
  ClusterMerging merging_;
  int64_t clock_;
  int32_t num_terms_ = 0;
  int64_t since_sweep_ = 0;

  BatchBase base_;

  NearestSearch best_search_;
  // One per thread.
  std::vector<NearestSearch> searches_;
  // For the documents of the next batch, and of the batch that is decided.
  std::array<std::vector<NearestClusters>, 2> found_;
  // By the batch before, and by the batch that is decided.
  std::array<BaseUpdate, 2> updates_;
  std::atomic<bool> base_is_ready_ = true;
  // The first document that no thread searches for yet.
  std::atomic<int64_t> next_ = 0;
  // Recent entries of lists per document.
  int64_t entries_ = 0;
  OnlineCounts counts_;
};

}  // namespace

std::unique_ptr<OnlineEngine> MakeBatchedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const BatchedOptions& batched_options) {
  return std::make_unique<BatchedClusterer>(options, state, batched_options);
}

}  // namespace warpclust
