// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MergeView: the working memory of merges on a GPU (merge_clusters.cuh,
// pair_search.cuh).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_MERGE_VIEW_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_MERGE_VIEW_H_

#include <cstdint>

#include "algorithms/online/clusters/similar_pair.h"
#include "sparse/term_lists/device_term_lists.h"

namespace warpclust {

// Numbers that kernels and host share; pairs of similar clusters follow them.
struct MergeControl {
  DeviceCount num_pairs;
  // Sums gathered of the cluster that merges, and of the last one that did.
  DeviceCount num_sums;
  DeviceCount last_sums;
  DeviceCount tail_used;  // keys of the hash table
  TermListCounters lists;
  // The merge needs more room for sums, here or in the hash table, and has
  // changed nothing.
  int64_t needs_room;
  int64_t unused;
};
static_assert(sizeof(MergeControl) % sizeof(SimilarPair) == 0);

struct MergeView {
  MergeControl* control = nullptr;
  // The cluster that merges: its terms, and their sums in both clusters
  // together.
  int32_t* terms = nullptr;
  int64_t* sums = nullptr;
  int64_t max_sums = 0;
  int64_t max_tail = 0;
  DeviceTermLists lists = {};
};

// The vectors of clusters that are compared, which a BatchView has as
// documents.
struct LoadedVectors {
  int32_t* numbers;
  int32_t* counts;
  int64_t* offsets;
  int32_t* terms;
  int32_t* weights;
  int64_t* clocks;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_MERGE_VIEW_H_
