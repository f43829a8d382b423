// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceClustersView: where the clusters of an online clustering lie in the
// memory of a GPU. Kernels get it; DeviceClusters (device_clusters.h) owns it.
//
// As in ClusterVectors on the CPU, a cluster has K slots for the terms kept,
// here in no particular order: a term keeps its slot, and one that falls out
// leaves its slot to the one that enters. Slots know the positions of their
// entries in the term lists. Sums outside the K largest lie in one hash table
// for all clusters. The table may have an outdated sum of a term that is kept
// now; the slot is right. Sums only grow, so the larger of the two is right.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_VIEW_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_VIEW_H_

#include <cstdint>

#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

struct alignas(8) KeptTerm {
  int32_t term;
  int32_t weight;
};

struct DeviceClustersView {
  static constexpr uint64_t kNoKey = ~uint64_t{0};

  // K slots per cluster, the first counts[cluster] of them in use.
  int32_t stride = 0;
  KeptTerm* kept = nullptr;
  int64_t* sums = nullptr;
  // Of the slot's entry in its term's list.
  int32_t* positions = nullptr;

  // One per cluster.
  int32_t* counts = nullptr;
  // Whether sums outside the K largest are kept at all.
  bool has_tails = true;
  // Whether the hash table has sums of the cluster; saves most lookups.
  uint8_t* has_tail = nullptr;
  int64_t* sizes = nullptr;
  int64_t* last_times = nullptr;

  // Open addressing with linear probing; a key is cluster * 2^32 + term.
  uint64_t* tail_keys = nullptr;
  int64_t* tail_sums = nullptr;
  uint64_t tail_mask = 0;

  // The list of term t is the first lengths[t] entries from begins[t] on.
  TermListEntry* entries = nullptr;
  int64_t* begins = nullptr;
  int32_t* lengths = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_VIEW_H_
