// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchBase: the clusters as they were before a batch, with their term lists.
// Documents are searched for in the base while the batch is decided. What the
// batch changes comes as a BaseUpdate once no search needs the old base.
//
// Concurrent reads are safe. One thread makes changes while no other reads.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_BASE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_BASE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/batched/nearest_search.h"
#include "algorithms/online/clusters/listed_vectors.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// New vectors of clusters, to be applied to the base.
struct BaseUpdate {
  std::vector<int32_t> clusters;
  // Parallel to `clusters`.
  std::vector<int64_t> last_times;
  // Where the terms and weights of each begin; one more than clusters.
  std::vector<size_t> offsets = {0};
  std::vector<int32_t> terms;
  std::vector<int32_t> weights;

  void Add(int32_t cluster, int64_t last_time, absl::Span<const int32_t> terms,
           absl::Span<const int32_t> weights) {
    clusters.push_back(cluster);
    last_times.push_back(last_time);
    this->terms.insert(this->terms.end(), terms.begin(), terms.end());
    this->weights.insert(this->weights.end(), weights.begin(), weights.end());
    offsets.push_back(this->terms.size());
  }
  void Clear() {
    clusters.clear();
    last_times.clear();
    offsets.resize(1);
    terms.clear();
    weights.clear();
  }
};

class BatchBase {
 public:
  explicit BatchBase(const OnlineOptions& options)
      : expire_after_(options.expire_after), vectors_(options.terms) {}

  int32_t size() const { return vectors_.size(); }
  const DynamicTermLists& lists() const { return lists_; }
  const ListedVectors& vectors() const { return vectors_; }
  int64_t last_time(int32_t cluster) const { return last_times_[cluster]; }
  bool IsOpen(int32_t cluster, int64_t clock) const {
    return !IsExpired(last_times_[cluster], clock, expire_after_);
  }

  // Finds the nearest of the clusters that are open at `clock`.
  void Find(absl::Span<const int32_t> terms, absl::Span<const int32_t> weights,
            int64_t clock, NearestSearch* search,
            NearestClusters* found) const {
    search->Find(
        terms, weights, lists_, vectors_,
        [&](int32_t cluster) { return IsOpen(cluster, clock); }, found);
  }

  void ReserveTerms(int32_t num_terms) { lists_.ReserveTerms(num_terms); }
  // Makes empty clusters up to number `clusters`; never fewer than before.
  void Reserve(int32_t clusters) {
    vectors_.Reserve(clusters);
    last_times_.resize(clusters);
  }

  void Replace(int32_t cluster, int64_t last_time,
               absl::Span<const int32_t> terms,
               absl::Span<const int32_t> weights) {
    last_times_[cluster] = last_time;
    vectors_.Replace(cluster, terms, weights, &lists_);
  }

  // Replaces the vectors of all clusters in `update`, and empties it.
  void Apply(BaseUpdate* update) {
    const absl::Span<const int32_t> terms = update->terms;
    const absl::Span<const int32_t> weights = update->weights;
    for (size_t i = 0; i < update->clusters.size(); ++i) {
      const size_t begin = update->offsets[i];
      const size_t size = update->offsets[i + 1] - begin;
      Replace(update->clusters[i], update->last_times[i],
              terms.subspan(begin, size), weights.subspan(begin, size));
    }
    update->Clear();
  }

 private:
  int64_t expire_after_;
  DynamicTermLists lists_;
  ListedVectors vectors_;
  std::vector<int64_t> last_times_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_BATCH_BASE_H_
