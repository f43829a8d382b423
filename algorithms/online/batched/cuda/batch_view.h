// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchView: the working memory of exact batches on a GPU (batch_kernel.cuh).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_

#include <cstdint>

#include "algorithms/online/clusters/cuda/device_clusters_view.h"

namespace warpclust {

// The most documents of a batch.
inline constexpr int32_t kMaxCudaBatch = 4096;
// Clusters above the threshold that are remembered of a document's search.
inline constexpr int kListed = 8;
// Most slices of the clusters that such a search is cut into.
inline constexpr int kMaxSlices = 16;

// Why the kernel came back.
enum class BatchStatus : int32_t {
  kDone = 0,
  // More room is needed, and then another launch: for clusters, for sums
  // outside the slots, for entries of term lists.
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
  int64_t entries_used = 0;  // of the pool of lists
  int64_t entries_wanted = 0;
  // Rotating: the first document of the batch whose decision changed, and the
  // first one that this batch cannot decide.
  int32_t first_changed[3] = {};
  int32_t first_undecided[3] = {};
  // Records of list changes in this batch, and room given to terms for moves.
  int32_t num_deletions = 0;
  int32_t num_insertions = 0;
  int32_t num_moves = 0;
  int32_t num_growing = 0;
  // Documents whose search takes whole blocks.
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

// A change of a term list: an entry that leaves or comes.
struct ListChange {
  int32_t term;
  // Whose: the cluster of this document's version, and the slot of the term.
  int32_t version;
  int32_t slot;
  // Of a deletion: where the entry stands.
  int32_t position;
  // Among those of the same term and kind, in the order of atomics.
  int32_t rank;
};

struct BatchView {
  // The documents of this call.
  const int64_t* offsets = nullptr;
  const int32_t* terms = nullptr;
  const int32_t* weights = nullptr;
  const KeptTerm* entries = nullptr;  // the same, side by side
  const int64_t* clocks = nullptr;
  int32_t* clusters = nullptr;  // out
  int64_t num_documents = 0;

  // Options.
  int64_t above = 0;
  double above_squared = 0;  // threshold², for bounds
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
  int32_t* walk_from = nullptr;  // kNoWalk, or whose version comes before
  int32_t* listed = nullptr;     // how many clusters were above the threshold
  int32_t* version_counts = nullptr;
  // Q · kListed, the best first.
  int64_t* listed_similarities = nullptr;
  int32_t* listed_clusters = nullptr;
  // Documents whose search takes whole blocks, and what their slices found:
  // kMaxSlices a document, kListed a slice.
  int32_t* heavy = nullptr;
  int32_t* slice_above = nullptr;
  int32_t* slice_listed = nullptr;
  int64_t* slice_similarities = nullptr;
  int32_t* slice_clusters = nullptr;
  // Whether version i was made anew in this round.
  uint8_t* fresh = nullptr;
  // Q · K. full_sums: of the document's terms in its cluster, itself included.
  int64_t* full_sums = nullptr;
  int64_t* version_sums = nullptr;
  // K · Q: slot s of document i's version at [s · Q + i].
  KeptTerm* version_kept = nullptr;

  // List changes, Q · K each. Counts are one a term, 0 between batches.
  ListChange* deletions = nullptr;
  ListChange* insertions = nullptr;
  int32_t* deletion_counts = nullptr;
  int32_t* insertion_counts = nullptr;
  int32_t* hole_counts = nullptr;
  int32_t* mover_counts = nullptr;
  int32_t* move_begins = nullptr;
  // Q · K.
  int32_t* holes = nullptr;
  int32_t* movers = nullptr;
  // Terms whose lists are full, and where their new room begins: Q · K.
  int32_t* growing = nullptr;
  int64_t* grown_begins = nullptr;
  int32_t* grown_capacities = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_
