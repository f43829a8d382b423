// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/snapshot_clusterer.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/cluster_vectors.h"
#include "algorithms/online/expiry.h"
#include "algorithms/online/similarity_rank.h"
#include "algorithms/online/unit_vectors.h"
#include "kernels/threads.h"
#include "sparse/dynamic_term_lists.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = -1;

// What a thread adds similarities up in.
struct Scratch {
  // One a cluster; 0 between documents.
  std::vector<int64_t> similarities;
  // The clusters met, and one more: what comes after the last is written too.
  std::vector<int32_t> candidates;
  int64_t num_candidates = 0;
  int64_t partial_products = 0;
};

class SnapshotClusterer : public OnlineEngine {
 public:
  SnapshotClusterer(const OnlineOptions& options, const OnlineState& state,
                    const SnapshotOptions& snapshot_options)
      : above_(SimilarityAbove(options.threshold)),
        bucket_width_(BucketWidth(snapshot_options.epsilon)),
        expire_after_(options.expire_after),
        batch_(snapshot_options.batch),
        threads_(ResolveThreads(snapshot_options.threads)),
        clusters_(options.terms, state),
        clock_(state.clock),
        scratch_(threads_) {
    lists_.ReserveTerms(state.num_terms);
    clusters_.FillLists(&lists_);
  }

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    lists_.ReserveTerms(documents.num_terms);
    for (int64_t begin = 0; begin < documents.size(); begin += batch_) {
      const int64_t end = std::min(begin + batch_, documents.size());
      ChooseClusters(documents, clocks, begin, end, clusters);
      for (int64_t d = begin; d < end; ++d) {
        const absl::Span<const int32_t> terms = documents.TermsOf(d);
        const absl::Span<const int32_t> weights = documents.WeightsOf(d);
        if (clusters[d] == kNone) {
          clusters[d] = clusters_.Found(terms, weights, clocks[d], &lists_);
        } else {
          clusters_.Join(clusters[d], terms, weights, clocks[d], &lists_);
        }
      }
      clock_ = clocks[end - 1];
      ++counts_.batches;
      // A sweep over all clusters for as many documents: constant time each.
      since_sweep_ += end - begin;
      if (since_sweep_ >= clusters_.size()) Sweep();
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    Sweep();
    return clusters_.State();
  }

  int32_t num_clusters() const override { return clusters_.size(); }

  OnlineCounts counts() const override {
    OnlineCounts counts = counts_;
    for (const Scratch& scratch : scratch_) {
      counts.partial_products += scratch.partial_products;
      counts.candidates += scratch.num_candidates;
    }
    counts.list_entries = lists_.num_entries();
    counts.lists = lists_.num_lists();
    return counts;
  }

 private:
  // clusters[d] of documents [begin, end): the cluster to join, or kNone.
  void ChooseClusters(const UnitVectors& documents,
                      absl::Span<const int64_t> clocks, int64_t begin,
                      int64_t end, absl::Span<int32_t> clusters) {
    const int threads =
        static_cast<int>(std::min<int64_t>(threads_, end - begin));
    // Here, not inside: an exception must not leave a parallel region.
    for (int i = 0; i < threads; ++i) {
      scratch_[i].similarities.resize(clusters_.size());
      scratch_[i].candidates.resize(clusters_.size() + size_t{1});
    }
#pragma omp parallel for schedule(dynamic, 8) \
    num_threads(threads) if (threads > 1)
    for (int64_t d = begin; d < end; ++d) {
      clusters[d] = Nearest(documents.TermsOf(d), documents.WeightsOf(d),
                            clocks[d], scratch_[omp_get_thread_num()]);
    }
  }

  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights, int64_t clock,
                  Scratch& scratch) const {
    int64_t* const similarities = scratch.similarities.data();
    int32_t* const candidates = scratch.candidates.data();
    size_t count = 0;
    int64_t products = 0;
    for (size_t i = 0; i < terms.size(); ++i) {
      const int64_t weight = weights[i];
      const absl::Span<const TermListEntry> list = lists_[terms[i]];
      for (const TermListEntry& entry : list) {
        // All products are positive: 0 is a cluster not met before.
        const int64_t before = similarities[entry.row];
        candidates[count] = entry.row;
        count += before == 0 ? 1 : 0;
        similarities[entry.row] = before + weight * entry.weight;
      }
      products += static_cast<int64_t>(list.size());
    }
    scratch.num_candidates += static_cast<int64_t>(count);
    scratch.partial_products += products;

    int32_t nearest = kNone;
    int64_t most = 0;
    for (size_t i = 0; i < count; ++i) {
      const int32_t cluster = candidates[i];
      const int64_t similarity = similarities[cluster];
      similarities[cluster] = 0;
      if (similarity <= above_) continue;
      const int64_t rank = SimilarityRank(similarity, bucket_width_);
      if (nearest != kNone &&
          (rank < most || (rank == most && cluster > nearest))) {
        continue;
      }
      if (IsExpired(clusters_.last_time(cluster), clock, expire_after_)) {
        continue;
      }
      most = rank;
      nearest = cluster;
    }
    return nearest;
  }

  void Sweep() {
    since_sweep_ = 0;
    for (int32_t c = 0; expire_after_ != 0 && c < clusters_.size(); ++c) {
      if (IsExpired(clusters_.last_time(c), clock_, expire_after_)) {
        clusters_.Close(c, &lists_);
      }
    }
  }

  const int64_t above_;
  const int64_t bucket_width_;
  const int64_t expire_after_;
  const int64_t batch_;
  const int threads_;
  ClusterVectors clusters_;
  DynamicTermLists lists_;
  int64_t clock_;
  int64_t since_sweep_ = 0;
  OnlineCounts counts_;
  // One a thread.
  std::vector<Scratch> scratch_;
};

}  // namespace

absl::Status SnapshotOptions::Validate() const {
  if (batch < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a batch of at least 1 document, found ", batch));
  }
  if (epsilon.denominator < 1 || epsilon.numerator < 0 ||
      epsilon.numerator > epsilon.denominator) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an epsilon in [0, 1], found ", epsilon.numerator,
                     "/", epsilon.denominator));
  }
  return absl::OkStatus();
}

std::unique_ptr<OnlineEngine> MakeSnapshotClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const SnapshotOptions& snapshot_options) {
  return std::make_unique<SnapshotClusterer>(options, state, snapshot_options);
}

}  // namespace warpclust
