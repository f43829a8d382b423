// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// HeldSums: the sums of clusters of all ranks that the deciding rank has
// borrowed from their owners, or founded. They stay from batch to batch, since
// a document often joins a cluster that others joined not long ago; those that
// were used least recently go back when they take too much memory.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_HELD_SUMS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_HELD_SUMS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/distributed/cluster_pack.h"
#include "algorithms/online/state/online_options.h"

namespace warpclust {

class HeldSums {
 public:
  explicit HeldSums(const OnlineOptions& options);

  bool Holds(int32_t cluster) const {
    return static_cast<size_t>(cluster) < slots_.size() &&
           slots_[cluster] != kNone;
  }
  // All clusters held, in no particular order.
  std::vector<int32_t> clusters() const;

  // Of clusters that are held.
  int64_t last_time(int32_t cluster) const {
    return sums_.last_time(slots_[cluster]);
  }
  absl::Span<const int32_t> TermsOf(int32_t cluster) const {
    return sums_.TermsOf(slots_[cluster]);
  }
  void Weigh(int32_t cluster, int32_t* weights) const {
    sums_.Weigh(slots_[cluster], weights);
  }

  // Holds a cluster that was not held.
  void Hold(const PackedCluster& cluster);
  // ClusterSums::Found, with this number.
  void Found(int32_t cluster, absl::Span<const int32_t> terms,
             absl::Span<const int32_t> weights, int64_t clock);
  void Join(int32_t cluster, absl::Span<const int32_t> terms,
            absl::Span<const int32_t> weights, int64_t clock);
  void Merge(int32_t from, int32_t into);
  // Appends a cluster's sums, and forgets it.
  void Release(int32_t cluster, std::vector<int64_t>* pack);

  // Ends a batch. If more than `most_bytes` are held: clusters to be released,
  // the least recently used, so that about half of it remains.
  std::vector<int32_t> Excess(int64_t most_bytes);

  // Prefetch what Join reads first, and then its sums of these terms.
  void Prefetch(int32_t cluster) const {
    if (Holds(cluster)) sums_.Prefetch(slots_[cluster]);
  }
  void PrefetchTail(int32_t cluster, absl::Span<const int32_t> terms) const {
    if (Holds(cluster)) sums_.PrefetchTail(slots_[cluster], terms);
  }

 private:
  static constexpr int32_t kNone = -1;

  struct Slot {
    int32_t cluster = kNone;
    int64_t used = 0;   // The batch in which it was used last.
    int64_t bytes = 0;  // Counted in bytes_.
  };

  // A free slot for this cluster.
  int32_t Take(int32_t cluster);
  void Use(int32_t slot);

  const int64_t slot_bytes_;
  ClusterSums sums_;  // By slot.
  std::vector<Slot> held_;
  std::vector<int32_t> free_;
  // By cluster: its slot, or kNone.
  std::vector<int32_t> slots_;
  int64_t batch_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_HELD_SUMS_H_
