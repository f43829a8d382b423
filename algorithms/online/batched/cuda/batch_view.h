// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchView: the working memory of exact batches on a GPU (batch_kernel.cuh).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_

#include <cstdint>

#include "algorithms/online/clusters/cuda/device_clusters_view.h"
#include "algorithms/online/clusters/similar_pair.h"
#include "sparse/term_lists/device_term_lists.h"

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
  // the slots, or for entries of term lists, which are broken.
  kNeedsClusters = 1,
  kNeedsTail = 2,
  kNeedsEntries = 3,
};

// Numbers that kernel and host share.
struct BatchControl {
  int64_t done = 0;  // documents of this call clustered
  int32_t num_clusters = 0;
  BatchStatus status = BatchStatus::kDone;
  int64_t tail_used = 0;  // keys of the hash table
  TermListCounters lists = {};
  // Per round, modulo 3: the first document of the batch whose decision
  // changed, and the first one that this batch cannot decide.
  int32_t first_changed[3] = {};
  int32_t first_undecided[3] = {};
  // Entries of lists that leave and enter in this batch.
  int32_t num_removals = 0;
  int32_t num_insertions = 0;
  // Documents that are searched for by whole blocks.
  int32_t num_heavy = 0;
  // See OnlineCounts.
  int64_t partial_products = 0;
  int64_t candidates = 0;
  int64_t batches = 0;
  int64_t rounds = 0;
  int64_t cut = 0;  // documents left to the next batch
  // GridBarrier.
  uint32_t arrived = 0;
};

// An entry that enters a term list.
struct ListInsertion {
  int32_t term;
  // Its owner is the cluster of this document's version; the slot of the term.
  int32_t version;
  int32_t slot;
  // Of CountInsertion.
  int32_t ticket;
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

  BatchControl* control = nullptr;
  // Those of the clusters.
  DeviceTermLists lists = {};

  // Q each. Decisions are keys: a cluster's number, or the number of clusters
  // before the batch plus the index of the document that founds it.
  int32_t* decisions = nullptr;
  int32_t* next = nullptr;  // the next document of the same key, or Q
  // By document, what its version is made from: the last document before it in
  // the chain whose version is unchanged; -1: none. kNotMade: its own version
  // is unchanged.
  int32_t* made_from = nullptr;
  int32_t* listed = nullptr;  // the number of clusters above the threshold
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
  // Q * K. full_sums: the sums of the document's terms in its cluster, with the
  // document.
  int64_t* full_sums = nullptr;
  int64_t* version_sums = nullptr;
  // K * Q: slot s of document i's version is at [s * Q + i].
  KeptTerm* version_kept = nullptr;

  // Q * K each.
  TermListRemoval* removals = nullptr;
  ListInsertion* insertions = nullptr;

  // If the documents are clusters (pair_search.cuh): their numbers, and the
  // pairs found, of which there may be more than there is room for.
  const int32_t* numbers = nullptr;
  DeviceCount* num_pairs = nullptr;
  SimilarPair* pairs = nullptr;
  int64_t max_pairs = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_VIEW_H_
