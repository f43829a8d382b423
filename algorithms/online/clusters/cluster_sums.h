// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterSums: the full sums of the clusters of an online clustering, the K
// largest of each apart from the rest.
//
// When a document joins, only the sums of its own terms grow. So the K largest
// afterwards are among the K largest before and the document's terms, and
// joining costs O(K), whatever the size of the cluster. Sums outside the K
// largest are in the cluster's TailSums, which most clusters do not need.
//
// Memory: 12 K + 40 bytes per cluster, and TailSums. Concurrent reads are safe.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_SUMS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/clusters/tail_sums.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

class ClusterSums {
 public:
  // K and truncated_mean of valid options.
  explicit ClusterSums(const OnlineOptions& options);
  // From a valid state.
  ClusterSums(const OnlineOptions& options, const OnlineState& state);

  int32_t size() const { return static_cast<int32_t>(headers_.size()); }
  int64_t num_documents(int32_t cluster) const {
    return headers_[cluster].size;
  }
  int64_t last_time(int32_t cluster) const {
    return headers_[cluster].last_time;
  }
  // The terms of the K largest sums, strictly ascending.
  absl::Span<const int32_t> TermsOf(int32_t cluster) const {
    return {terms_.data() + At(cluster), size_t(headers_[cluster].count)};
  }
  // The memory of the sums that are not among the K largest, of one cluster and
  // of all.
  int64_t TailBytes(int32_t cluster) const {
    return headers_[cluster].tail.bytes();
  }
  int64_t tail_bytes() const { return tail_bytes_; }
  // Writes the weights of these terms in the cluster's vector.
  void Weigh(int32_t cluster, int32_t* weights) const;

  // Appends a cluster of one document and returns its number. `terms` are at
  // most K, ascending; `clock` becomes its last time.
  int32_t Found(absl::Span<const int32_t> terms,
                absl::Span<const int32_t> weights, int64_t clock);
  // Adds a document to a cluster that is not closed.
  void Join(int32_t cluster, absl::Span<const int32_t> terms,
            absl::Span<const int32_t> weights, int64_t clock);
  // Adds the sums and the size of `from` to `into`, whose last time becomes the
  // later of both, and closes it, with size 0.
  void Merge(int32_t from, int32_t into);
  // Forgets the sums of a cluster.
  void Close(int32_t cluster);

  // Appends a cluster without documents.
  void AppendEmpty() { Append(OnlineState::kNoTime); }
  // Replaces everything that is known of a cluster; `terms` ascend.
  void Set(int32_t cluster, int64_t num_documents, int64_t last_time,
           absl::Span<const int32_t> terms, absl::Span<const int64_t> sums);
  // Appends all sums of a cluster, ascending by term.
  void AppendSums(int32_t cluster,
                  std::vector<std::pair<int32_t, int64_t>>* sums) const;

  // Prefetches what Join reads first.
  void Prefetch(int32_t cluster) const;
  // Prefetches what Join looks up in the tail, once Prefetch has arrived.
  void PrefetchTail(int32_t cluster, absl::Span<const int32_t> terms) const;

  // All sums, sizes and last times; the caller fills in the other fields.
  OnlineState State() const;

 private:
  struct Header {
    int64_t size = 0;
    int64_t last_time = 0;
    TailSums tail;
    int32_t count = 0;
  };
  struct TermSum {
    int64_t sum;
    int32_t term;
  };

  // Whether `a` is among the K largest before `b`.
  static bool Outranks(const TermSum& a, const TermSum& b) {
    return a.sum != b.sum ? a.sum > b.sum : a.term < b.term;
  }

  int64_t At(int32_t cluster) const { return int64_t{cluster} * stride_; }
  void MakeRoomFor(size_t more, TailSums* tail) {
    tail_bytes_ -= tail->bytes();
    tail->MakeRoomFor(more);
    tail_bytes_ += tail->bytes();
  }
  int32_t Append(int64_t clock);
  template <typename Weight>
  void Add(int32_t cluster, absl::Span<const int32_t> terms,
           absl::Span<const Weight> weights);
  // Moves the smallest sums of a cluster's slots and `entering_` to its tail
  // (or forgets them, for the truncated mean), so that K remain.
  void MoveToTail(int32_t cluster);
  // Merges `entering_` into a cluster's slots, which have room for it.
  void Insert(int32_t cluster);

  int32_t stride_;
  bool has_tails_;
  int64_t tail_bytes_ = 0;
  std::vector<Header> headers_;
  // stride_ slots per cluster, the first `count` of them in use.
  std::vector<int32_t> terms_;
  std::vector<int64_t> sums_;
  // Terms that may enter the K largest of the current cluster, ascending.
  std::vector<TermSum> entering_;
  std::vector<TermSum> ranked_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CLUSTER_SUMS_H_
