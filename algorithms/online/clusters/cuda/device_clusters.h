// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceClusters: the clusters of an online clustering in the memory of a GPU:
// owner of a DeviceClustersView, from and to an OnlineState, with more room
// when kernels ask for it.
//
// Term lists lie in one pool. A list that is full moves to the end of the pool
// (by the kernel that fills it); a pool that is full is packed into one twice
// as large, so that moves are rare. The hash table doubles before it is more
// than half full.
//
// Memory: 20 K bytes a cluster, 8 an entry of a list (up to four times that
// with room to grow), 16 a slot of the hash table (at most half of them full),
// 16 a term. Thread-safety: one thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/clusters/cuda/device_clusters_view.h"
#include "algorithms/online/state/online_state.h"
#include "kernels/device_buffer.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class DeviceClusters {
 public:
  // `terms` is K. From a valid state.
  static absl::StatusOr<DeviceClusters> Create(int32_t terms,
                                               const OnlineState& state);

  // Room for that many clusters, terms, keys of the hash table (which it may be
  // filled with), entries in the pool behind those used.
  absl::Status ReserveClusters(int64_t count);
  absl::Status ReserveTerms(int32_t count);
  absl::Status ReserveTail(int64_t count);
  // Packs the lists; `entries_used` changes.
  absl::Status GrowEntries(int64_t more);

  int64_t max_clusters() const { return max_clusters_; }
  int64_t max_tail() const { return tail_keys_.size() / 2; }
  int64_t max_entries() const { return entries_.size(); }
  int32_t num_terms() const { return num_terms_; }

  DeviceClustersView view();

  // Everything; those that had no document for `expire_after` seconds before
  // `clock` are closed. The numbers below must be up to date.
  absl::StatusOr<OnlineState> State(int64_t clock, int64_t expire_after) const;

  // The lengths of all lists, and how many are not empty.
  absl::Status CountEntries(int64_t* entries, int64_t* lists) const;

  // What kernels change; whoever runs them keeps these up to date.
  int32_t num_clusters = 0;
  int64_t tail_used = 0;
  int64_t entries_used = 0;

 private:
  // Room for at least `room` clusters; after an error for those there are.
  absl::Status GrowClusters(int64_t room);

  int32_t stride_ = 0;
  int32_t num_terms_ = 0;
  // What all buffers by cluster have room for. Each alone may have more: where
  // memory is short, a small one still grows by half and a large one does not.
  int64_t max_clusters_ = 0;
  DeviceBuffer<KeptTerm> kept_;
  DeviceBuffer<int64_t> sums_;
  DeviceBuffer<int32_t> positions_;
  DeviceBuffer<int32_t> counts_;
  DeviceBuffer<uint8_t> has_tail_;
  DeviceBuffer<int64_t> sizes_;
  DeviceBuffer<int64_t> last_times_;
  DeviceBuffer<uint64_t> tail_keys_;
  DeviceBuffer<int64_t> tail_sums_;
  DeviceBuffer<TermListEntry> entries_;
  DeviceBuffer<int64_t> begins_;
  DeviceBuffer<int32_t> lengths_;
  DeviceBuffer<int32_t> capacities_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_H_
