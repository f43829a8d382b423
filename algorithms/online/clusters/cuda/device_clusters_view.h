// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceClustersView: where the clusters of an online clustering lie in the
// memory of a GPU. What kernels get; DeviceClusters (device_clusters.h) owns
// it.
//
// As ClusterVectors on the CPU: K slots a cluster for the terms kept, here in
// no particular order (a term keeps its slot, one that falls out leaves it to
// the one that comes in), and their entries in the term lists, whose positions
// the slots know. Sums outside the K largest lie in one hash table of all
// clusters. What the table says of a term that is kept now is out of date: the
// slot is right. Sums only grow, so the larger of the two is.

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

  // K slots a cluster, the first counts[cluster] of them in use.
  int32_t stride = 0;
  KeptTerm* kept = nullptr;
  int64_t* sums = nullptr;
  // In the term's list.
  int32_t* positions = nullptr;

  // One a cluster.
  int32_t* counts = nullptr;
  // Whether the hash table knows the cluster; saves most lookups.
  uint8_t* has_tail = nullptr;
  int64_t* sizes = nullptr;
  int64_t* last_times = nullptr;

  // Open addressing with linear probing; a key is cluster · 2^32 + term.
  uint64_t* tail_keys = nullptr;
  int64_t* tail_sums = nullptr;
  uint64_t tail_mask = 0;

  // The list of term t is the first lengths[t] of capacities[t] entries from
  // begins[t] on.
  TermListEntry* entries = nullptr;
  int64_t* begins = nullptr;
  int32_t* lengths = nullptr;
  int32_t* capacities = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_CUDA_DEVICE_CLUSTERS_VIEW_H_
