// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceClusters: the clusters of an online clustering in the memory of a GPU.
// Owns the memory of a DeviceClustersView, converts from and to OnlineState,
// and makes more room when kernels ask for it.
//
// Kernels change the term lists by the functions of dynamic_term_lists.cuh. If
// a batch does not fit the pool, the lists are built again in a pool of twice
// the size that they need. The hash table moves before it is more than half
// full, to one in which twice the sums have room; those of clusters that have
// merged stay behind.
//
// Memory: 20 K bytes per cluster, 8 per entry of a list (up to four times that
// with room to grow), 16 per slot of the hash table (at most half of them
// full), and 28 per term. One thread at a time.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/clusters/cuda/device_clusters_view.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/term_lists/device_term_lists.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

class DeviceClusters {
 public:
  // K and truncated_mean of valid options. From a valid state.
  static absl::StatusOr<DeviceClusters> Create(const OnlineOptions& options,
                                               const OnlineState& state);

  // Make room for `count` clusters, terms, or entries of lists that leave or
  // enter in one batch.
  absl::Status ReserveClusters(int64_t count);
  absl::Status ReserveTerms(int32_t count);
  absl::Status ReserveListChanges(int64_t count);
  // Makes room for `more` further keys of the hash table. Where it has to move,
  // leaves out those of clusters without terms and changes `tail_used`.
  absl::Status ReserveTail(int64_t more);

  // Builds all lists again from the slots, and changes `entries_used`. Needed
  // after a batch that leaves `entries_used` above max_entries(). After an
  // error there are no lists.
  absl::Status RebuildLists();

  int64_t max_clusters() const { return max_clusters_; }
  int64_t max_tail() const { return tail_keys_.size() / 2; }
  int64_t max_entries() const { return entries_.size(); }
  int32_t num_terms() const { return num_terms_; }

  DeviceClustersView view();
  // The lists of view(), for changes. `counters` is device memory of the
  // caller's; counters->used must be `entries_used`.
  DeviceTermLists lists(TermListCounters* counters);

  // All clusters; those expired at `clock` are closed. The numbers below must
  // be up to date.
  absl::StatusOr<OnlineState> State(int64_t clock, int64_t expire_after) const;

  // The number of entries of all lists, and of lists that are not empty.
  absl::Status CountEntries(int64_t* entries, int64_t* lists) const;

  // Kernels change these numbers; the caller of a kernel keeps them up to date.
  int32_t num_clusters = 0;
  int64_t tail_used = 0;
  int64_t entries_used = 0;

 private:
  // Makes room for at least `room` clusters; after an error, room for those
  // there are.
  absl::Status GrowClusters(int64_t room);

  int32_t stride_ = 0;
  int32_t num_terms_ = 0;
  // All buffers with an element per cluster have at least this room. Some may
  // have more: where memory is short, a small buffer can still grow by half and
  // a large one cannot.
  int64_t max_clusters_ = 0;
  DeviceBuffer<KeptTerm> kept_;
  DeviceBuffer<int64_t> sums_;
  DeviceBuffer<int32_t> positions_;
  DeviceBuffer<int32_t> counts_;
  bool has_tails_ = true;
  DeviceBuffer<uint8_t> has_tail_;
  DeviceBuffer<int64_t> sizes_;
  DeviceBuffer<int64_t> last_times_;
  DeviceBuffer<uint64_t> tail_keys_;
  DeviceBuffer<int64_t> tail_sums_;
  DeviceBuffer<TermListEntry> entries_;
  DeviceBuffer<int64_t> begins_;
  DeviceBuffer<int32_t> lengths_;
  DeviceBuffer<int32_t> capacities_;
  // Of a batch of list changes.
  DeviceBuffer<DeviceCount> changes_;
  DeviceBuffer<int32_t> cursors_;
  DeviceBuffer<int32_t> touched_;
  DeviceBuffer<TermListMove> moves_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_H_
