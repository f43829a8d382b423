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
#include "absl/types/span.h"
#include "algorithms/online/batched/batch_base.h"
#include "algorithms/online/batched/batch_delta.h"
#include "algorithms/online/batched/nearest_search.h"
#include "algorithms/online/batched/worker_rounds.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/state/expiry.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = BatchDelta::kNone;

// Fewer documents than that are not worth waking threads for.
constexpr int64_t kFewDocuments = 64;

// How long one way of going on is kept before it is chosen anew.
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

// Two halves that different threads work on at the same time:
//
//   sums_, touched_     the clusters as they are now
//   searched_           as they were before the last batch, which is what
//                       searches see
class BatchedClusterer : public OnlineEngine {
 public:
  BatchedClusterer(const OnlineOptions& options, const OnlineState& state,
                   const BatchedOptions& batched_options)
      : above_(SimilarityAbove(options.threshold)),
        expire_after_(options.expire_after),
        batch_(batched_options.batch),
        threads_(ResolveThreads(batched_options.threads)),
        entries_worth_threads_(batched_options.entries_worth_threads),
        sums_(options.terms, state),
        touched_(options.terms),
        weights_(options.terms),
        clock_(state.clock),
        searched_(options, state.last_times),
        best_search_(above_, 1),
        searches_(threads_, NearestSearch(above_, NearestClusters::kMost)) {
    ReserveTerms(state.num_terms);
    searched_.Reserve(sums_.size());
    for (int32_t c = 0; c < sums_.size(); ++c) {
      sums_.Weigh(c, weights_.data());
      searched_.Fill(c, sums_.TermsOf(c), weights_);
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
    searched_.Publish(&publications_[1]);
    return sums_.State();
  }

  int32_t num_clusters() const override { return sums_.size(); }

  OnlineCounts counts() const override {
    OnlineCounts counts = counts_;
    counts.partial_products = PartialProducts();
    counts.candidates = best_search_.candidates();
    for (const NearestSearch& search : searches_) {
      counts.candidates += search.candidates();
    }
    counts.list_entries = searched_.lists().num_entries();
    counts.lists = searched_.lists().num_lists();
    return counts;
  }

 private:
  void ReserveTerms(int32_t num_terms) {
    num_terms_ = std::max(num_terms, num_terms_);
    searched_.ReserveTerms(num_terms_);
  }

  int64_t PartialProducts() const {
    int64_t products =
        best_search_.partial_products() + touched_.partial_products();
    for (const NearestSearch& search : searches_) {
      products += search.partial_products();
    }
    return products;
  }

  // As Serial Clusterer 2, with a better search.
  void OneByOne(const Batch& batch) {
    best_search_.Reserve(sums_.size());
    NearestClusters nearest;
    for (int64_t d = batch.begin; d < batch.end; ++d) {
      clock_ = batch.clocks[d];
      const absl::Span<const int32_t> terms = batch.documents.TermsOf(d);
      const absl::Span<const int32_t> weights = batch.documents.WeightsOf(d);
      searched_.Find(terms, weights, clock_, &best_search_, &nearest);
      const int32_t cluster = JoinOrFound(
          nearest.count == 0 ? kNone : nearest.clusters[0], terms, weights);
      batch.clusters[d] = cluster;
      if (cluster == searched_.size()) {
        searched_.Reserve(sums_.size());
        best_search_.Reserve(sums_.size());
      }
      searched_.Replace(cluster, clock_, sums_.TermsOf(cluster), weights_);
      if (++since_sweep_ >= sums_.size()) {
        CloseExpired();
        searched_.Publish(&publications_[1]);
      }
    }
  }

  // weights_ is the cluster's vector after this.
  int32_t JoinOrFound(int32_t cluster, absl::Span<const int32_t> terms,
                      absl::Span<const int32_t> weights) {
    if (cluster == kNone) {
      cluster = sums_.Found(terms, weights, clock_);
    } else {
      sums_.Join(cluster, terms, weights, clock_);
    }
    sums_.Weigh(cluster, weights_.data());
    return cluster;
  }

  // The documents of `part`, Q at a time.
  void InBatches(const Batch& part) {
    // Several batches, so that there is something to do beside deciding.
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
          // Not the thread that decides, if there is another.
          const bool publishes = thread == 1 || threads == 1;
          Work(thread, publishes, now, next);
        });
    searched_.Reserve(sums_.size());
    searched_.Publish(&publications_[1]);
    touched_.NextBatch();
    touched_.NextBatch();
    counts_.batches += (part.end - part.begin + most - 1) / most;
  }

  // Before a round, on one thread.
  void Prepare(const Batch& next) {
    const int32_t num_clusters = sums_.size();
    searched_.Reserve(num_clusters);
    touched_.Reserve(num_clusters, num_terms_);
    for (NearestSearch& search : searches_) search.Reserve(num_clusters);
    found_[1].resize(next.end - next.begin);
    std::swap(found_[0], found_[1]);
    std::swap(publications_[0], publications_[1]);
    published_ = false;
    next_ = next.begin;
  }

  // A thread's part of a round: one decides `now`, whose documents have
  // searched in the round before; one brings what searches see up to `now`; and
  // all let the documents of `next` search.
  void Work(int thread, bool publishes, const Batch& now, const Batch& next) {
    if (publishes) {
      searched_.Publish(&publications_[0]);
      published_ = true;
      published_.notify_all();
    }
    if (thread == 0) Decide(now);
    published_.wait(false);
    Search(next, &searches_[thread]);
  }

  // Lets some of the documents of a batch, which other threads work on as well,
  // search.
  void Search(const Batch& batch, NearestSearch* search) {
    constexpr int64_t kStep = 16;
    for (;;) {
      const int64_t begin = next_.fetch_add(kStep, std::memory_order_relaxed);
      if (begin >= batch.end) return;
      const int64_t end = std::min(begin + kStep, batch.end);
      for (int64_t d = begin; d < end; ++d) {
        searched_.Find(batch.documents.TermsOf(d), batch.documents.WeightsOf(d),
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
      touched_.Reserve(sums_.size(), num_terms_);
      touched_.Set(cluster, sums_.TermsOf(cluster), weights_);
      batch.clusters[d] = cluster;
    }
    since_sweep_ += batch.end - batch.begin;
    if (since_sweep_ >= sums_.size()) CloseExpired();
    const absl::Span<const int32_t> touched = touched_.in_this_batch();
    for (size_t i = 0; i < touched.size(); ++i) {
      if (sums_.TermsOf(touched[i]).empty()) continue;
      publications_[1].Add(touched[i], sums_.last_time(touched[i]),
                           touched_.TermsOf(i), touched_.WeightsOf(i));
    }
    touched_.NextBatch();
  }

  // Asks for what the documents after `d` will read first: what they found is
  // what they are likely to join.
  void Prefetch(const Batch& batch, int64_t d) const {
    if (d + 2 >= batch.end) return;
    const NearestClusters* const found = &found_[1][d - batch.begin];
    touched_.PrefetchHeads(batch.documents.TermsOf(d + 2));
    if (found[2].count > 0) {
      touched_.PrefetchPlace(found[2].clusters[0]);
      sums_.Prefetch(found[2].clusters[0]);
    }
    touched_.PrefetchLists(batch.documents.TermsOf(d + 1));
    if (found[1].count > 0) {
      sums_.PrefetchTail(found[1].clusters[0], batch.documents.TermsOf(d + 1));
    }
  }

  // The cluster that a document joins, which found `found` when it searched.
  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights,
                  const NearestClusters& found) {
    // Untouched clusters are as they were, and those behind the first are less
    // similar, whether they were found or not.
    int32_t nearest = kNone;
    int64_t similarity = above_;
    for (int32_t i = 0; i < found.count; ++i) {
      if (touched_.Contains(found.clusters[i])) continue;
      nearest = found.clusters[i];
      similarity = found.similarities[i];
      break;
    }
    const bool has_untouched = nearest != kNone;
    touched_.Improve(
        terms, weights,
        [&](int32_t cluster) {
          return !IsExpired(sums_.last_time(cluster), clock_, expire_after_);
        },
        &nearest, &similarity);
    if (has_untouched || found.floor == above_ || similarity > found.floor) {
      return nearest;
    }
    // All that were found have been touched, and untouched ones that were not
    // may be as similar as the best of them.
    ++counts_.repeated;
    published_.wait(false);
    NearestClusters untouched;
    searches_[0].Find(
        terms, weights, searched_.lists(), searched_.vectors(),
        [&](int32_t cluster) {
          return !touched_.Contains(cluster) &&
                 searched_.IsOpen(cluster, clock_);
        },
        &untouched);
    if (untouched.count > 0 && (untouched.similarities[0] > similarity ||
                                (untouched.similarities[0] == similarity &&
                                 untouched.clusters[0] < nearest))) {
      nearest = untouched.clusters[0];
    }
    return nearest;
  }

  // Closes all clusters that are expired, and makes it known.
  void CloseExpired() {
    since_sweep_ = 0;
    for (int32_t c = 0; expire_after_ != 0 && c < sums_.size(); ++c) {
      if (sums_.TermsOf(c).empty() ||
          !IsExpired(sums_.last_time(c), clock_, expire_after_)) {
        continue;
      }
      sums_.Close(c);
      publications_[1].Add(c, sums_.last_time(c), {}, {});
    }
  }

  const int64_t above_;
  const int64_t expire_after_;
  const int64_t batch_;
  const int threads_;
  const int64_t entries_worth_threads_;

  ClusterSums sums_;
  BatchDelta touched_;
  // Of the cluster that was joined or founded last.
  std::vector<int32_t> weights_;
  int64_t clock_;
  int32_t num_terms_ = 0;
  int64_t since_sweep_ = 0;

  BatchBase searched_;

  NearestSearch best_search_;
  // One a thread.
  std::vector<NearestSearch> searches_;
  // Found by the batch that searches, and by the one that is decided.
  std::array<std::vector<NearestClusters>, 2> found_;
  // Of the batch before, and of the one that is decided.
  std::array<Publication, 2> publications_;
  std::atomic<bool> published_ = true;
  // The first document that no thread has taken to search for.
  std::atomic<int64_t> next_ = 0;
  // Entries of lists a document, lately.
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
