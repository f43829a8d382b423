// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterVectors: the clusters of an online clustering on the CPU: full sums,
// the K terms kept of them, their weights, and where those stand in the term
// lists.
//
// A document's terms are the only sums that grow when it joins, so the K
// largest afterwards are among the K largest before and the document's own:
// joining costs O(K), whatever the size of the cluster. Sums outside the K
// largest (the tail) lie in a hash table a cluster, which most do not need.
//
// Memory: 20 K bytes a cluster, and about 20 a term in a tail. Thread-safety:
// concurrent reads are safe.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTER_VECTORS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTER_VECTORS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "algorithms/online/online_state.h"
#include "sparse/dynamic_term_lists.h"

namespace warpclust {

class ClusterVectors {
 public:
  // `terms` is K, in [1, OnlineOptions::kMaxTerms].
  explicit ClusterVectors(int32_t terms);
  // From a valid state.
  ClusterVectors(int32_t terms, const OnlineState& state);

  int32_t size() const { return static_cast<int32_t>(counts_.size()); }
  int64_t num_documents(int32_t cluster) const { return sizes_[cluster]; }
  int64_t last_time(int32_t cluster) const { return last_times_[cluster]; }

  // The terms kept, strictly ascending, and what is parallel to them.
  absl::Span<const int32_t> TermsOf(int32_t cluster) const {
    return {terms_.data() + At(cluster), size_t(counts_[cluster])};
  }
  absl::Span<const int32_t> WeightsOf(int32_t cluster) const {
    return {weights_.data() + At(cluster), size_t(counts_[cluster])};
  }

  // A new cluster, the last, of one document; returns its number. `terms` are
  // at most K, ascending; `clock` is kept as its last time. `lists` gets its
  // entries.
  int32_t Found(absl::Span<const int32_t> terms,
                absl::Span<const int32_t> weights, int64_t clock,
                DynamicTermLists* lists);

  // Adds a document to a cluster that is not closed, and brings `lists` up to
  // date: entries of terms that fall out of the K largest leave, new ones come,
  // the weights of all others change.
  void Join(int32_t cluster, absl::Span<const int32_t> terms,
            absl::Span<const int32_t> weights, int64_t clock,
            DynamicTermLists* lists);

  // Adds the sums and the size of cluster `from`, which has no entries in
  // `lists`, to cluster `into`, whose last time becomes the later of both, and
  // closes it, with size 0. O(terms of `from` + K).
  void Merge(int32_t from, int32_t into, DynamicTermLists* lists);

  // Forgets the sums of a cluster and takes its entries out of `lists`.
  void Close(int32_t cluster, DynamicTermLists* lists);

  // Puts the entries of all clusters into `lists`, which holds none.
  void FillLists(DynamicTermLists* lists);
  // Puts those of one cluster into `lists`, which has none of it.
  void FillLists(int32_t cluster, DynamicTermLists* lists);

  // All sums, sizes and last times; the other fields are the caller's.
  OnlineState State() const;

 private:
  using Tail = absl::flat_hash_map<int32_t, int64_t>;

  int64_t At(int32_t cluster) const { return int64_t{cluster} * stride_; }
  int32_t Append(int64_t clock);
  // All sums of a cluster, ascending by term.
  void AppendSums(int32_t cluster,
                  std::vector<std::pair<int32_t, int64_t>>* sums) const;
  // Adds `weights` to a cluster's sums, and brings its terms, weights and
  // entries up to date.
  template <typename Weight>
  void AddSums(int32_t cluster, absl::Span<const int32_t> terms,
               absl::Span<const Weight> weights, DynamicTermLists* lists);
  // Weights of the kept terms from their sums.
  void Weigh(int32_t cluster);
  // Takes an entry out of `lists`, and tells the owner of the one that comes to
  // stand there.
  void RemoveEntry(int32_t term, int32_t position, DynamicTermLists* lists);
  // Keeps the K largest of `merged_`; the rest goes to the tail and leaves
  // `lists`, where it had entries there.
  void KeepLargest(int32_t cluster, DynamicTermLists* lists);

  struct Merged {
    int64_t sum;
    int32_t term;
    // Where it stands in the term's list; kNew if it does not.
    int32_t position;
  };
  static constexpr int32_t kNew = -1;

  int32_t stride_;
  // stride_ a cluster, the first counts_[cluster] of them in use.
  std::vector<int32_t> terms_;
  std::vector<int32_t> weights_;
  std::vector<int64_t> sums_;
  std::vector<int32_t> positions_;
  // One a cluster.
  std::vector<int32_t> counts_;
  std::vector<int64_t> sizes_;
  std::vector<int64_t> last_times_;
  std::vector<std::unique_ptr<Tail>> tails_;
  // Scratch of Join.
  std::vector<Merged> merged_;
  std::vector<Merged> ranked_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTER_VECTORS_H_
