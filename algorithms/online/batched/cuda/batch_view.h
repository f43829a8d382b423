// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchView: the working memory of exact batches on a GPU (batch_kernel.cuh).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_

#include <cstdint>

#include "algorithms/online/clusters/cuda/device_clusters_view.h"

namespace warpclust {

// The largest batch.
inline constexpr int32_t kMaxCudaBatch = 4096;
// How many clusters above the threshold a search lists.
inline constexpr int kListed = 8;
// The most slices of the clusters that a search is cut into.
inline constexpr int kMaxSlices = 16;

// Why the kernel returned.
enum class BatchStatus : int32_t {
  kDone = 0,
  // It needs more room, and then another launch: for clusters, for sums outside
  // the slots, or for entries of term lists.
  kNeedsClusters = 1,
  kNeedsTail = 2,
  kNeedsEntries = 3,
};

// Numbers that kernel and host share.
struct BatchControl {
  int64_t done = 0;  // documents of this call clustered
  int32_t num_clusters = 0;
  BatchStatus status = BatchStatus::kDone;
  int64_t tail_used = 0;     // keys of the hash table
  int64_t entries_used = 0;  // in the pool of lists
  int64_t entries_wanted = 0;
  // Per round, modulo 3: the first document of the batch whose decision
  // changed, and the first one that this batch cannot decide.
  int32_t first_changed[3] = {};
  int32_t first_undecided[3] = {};
  // Records of list changes in this batch, room for numbering moves, and lists
  // that grow.
  int32_t num_deletions = 0;
  int32_t num_insertions = 0;
  int32_t num_moves = 0;
  int32_t num_growing = 0;
  // Documents that are searched for by whole blocks.
  int32_t num_heavy = 0;
  // See OnlineCounts.
  int64_t partial_products = 0;
  int64_t candidates = 0;
  int64_t batches = 0;
  int64_t rounds = 0;
  int64_t cut = 0;  // documents left to the next batch
  // Barrier of all blocks.
  uint32_t arrived = 0;
  uint32_t generation = 0;
};

// A change of a term list: an entry that leaves or enters.
struct ListChange {
  int32_t term;
  // Its owner is the cluster of this document's version; the slot of the term.
  int32_t version;
  int32_t slot;
  // For a deletion: the position of the entry.
  int32_t position;
  // Among those of the same term and kind, in the order of atomics.
  int32_t rank;
};

struct BatchView {
  // The documents of this call.
  const int64_t* offsets = nullptr;
  const int32_t* terms = nullptr;
  const int32_t* weights = nullptr;
  const KeptTerm* entries = nullptr;  // terms and weights side by side
  const int64_t* clocks = nullptr;
  int32_t* clusters = nullptr;  // out
  int64_t num_documents = 0;

  // Options.
  int64_t above = 0;
  double above_squared = 0;  // threshold^2, for bounds
  int64_t expire_after = 0;
  int32_t batch = 0;  // Q
  int64_t max_clusters = 0;
  int64_t max_tail = 0;
  int64_t max_entries = 0;

  BatchControl* control = nullptr;

  // Q each. Decisions are keys: a cluster's number, or the number of clusters
  // before the batch plus the index of the document that founds it.
  int32_t* decisions = nullptr;
  int32_t* next = nullptr;       // the next document of the same key, or Q
  int32_t* walk_from = nullptr;  // kNoWalk, or the document before in the chain
  int32_t* listed = nullptr;     // the number of clusters above the threshold
  int32_t* version_counts = nullptr;
  // Q * kListed, the best first.
  int64_t* listed_similarities = nullptr;
  int32_t* listed_clusters = nullptr;
  // Documents that are searched for by whole blocks, and what their slices
  // found: kMaxSlices per document, kListed per slice.
  int32_t* heavy = nullptr;
  int32_t* slice_above = nullptr;
  int32_t* slice_listed = nullptr;
  int64_t* slice_similarities = nullptr;
  int32_t* slice_clusters = nullptr;
  // Whether version i is new in this round.
  uint8_t* fresh = nullptr;
  // Q * K. full_sums: the sums of the document's terms in its cluster, with the
  // document.
  int64_t* full_sums = nullptr;
  int64_t* version_sums = nullptr;
  // K * Q: slot s of document i's version is at [s * Q + i].
  KeptTerm* version_kept = nullptr;

  // List changes, Q * K each. Counts are one per term, 0 between batches.
  ListChange* deletions = nullptr;
  ListChange* insertions = nullptr;
  int32_t* deletion_counts = nullptr;
  int32_t* insertion_counts = nullptr;
  int32_t* hole_counts = nullptr;
  int32_t* mover_counts = nullptr;
  int32_t* move_begins = nullptr;
  // Q * K.
  int32_t* holes = nullptr;
  int32_t* movers = nullptr;
  // Terms whose lists are full, and where their new room begins: Q * K.
  int32_t* growing = nullptr;
  int64_t* grown_begins = nullptr;
  int32_t* grown_capacities = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_
