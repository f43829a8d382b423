// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The phases of dynamic_term_lists.cuh for a TermListBatch, one call per index,
// so that tests can run them in kernels and on host threads.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_PHASES_CUH_
#define WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_PHASES_CUH_

#include <cstdint>

#include "sparse/term_lists/device_term_lists.h"
#include "sparse/term_lists/dynamic_term_lists.cuh"
#include "sparse/term_lists/testing/term_list_batches.h"

namespace warpclust {

// Rows that know the position and the weight of each of their entries.
struct TermListOwners {
  int32_t num_terms;
  int32_t* positions;
  int32_t* weights;

  __device__ int64_t At(int32_t row, int32_t term) const {
    return static_cast<int64_t>(row) * num_terms + term;
  }
  __device__ void Moved(int32_t row, int32_t term, int32_t position) const {
    positions[At(row, term)] = position;
  }
};

struct TermListBatchView {
  DeviceTermLists lists;
  TermListOwners owners;
  const TermListChange* removals;
  int32_t* removed_positions;
  int32_t num_removals;
  const TermListChange* insertions;
  int32_t* tickets;
  int32_t num_insertions;
  const TermListChange* new_weights;
  int32_t num_new_weights;
};

// i in [0, num_removals + num_insertions).
__device__ inline void MarkPhase(const TermListBatchView& view, int32_t i) {
  if (i < view.num_removals) {
    const TermListChange change = view.removals[i];
    const int64_t at = view.owners.At(change.row, change.term);
    const int32_t position = view.owners.positions[at];
    view.removed_positions[i] = position;
    view.owners.positions[at] = -1;
    RemoveEntry(view.lists, change.term, position);
  } else {
    const int32_t j = i - view.num_removals;
    view.tickets[j] = CountInsertion(view.lists, view.insertions[j].term);
  }
}

// i in [0, num_removals).
__device__ inline void FillPhase(const TermListBatchView& view, int32_t i) {
  FillHole(view.lists, view.removals[i].term, view.removed_positions[i],
           view.owners);
}

// i in [0, num_insertions + num_new_weights + 1).
__device__ inline void InsertPhase(const TermListBatchView& view, int32_t i) {
  const TermListOwners& owners = view.owners;
  if (i < view.num_insertions) {
    const TermListChange change = view.insertions[i];
    const int64_t at = owners.At(change.row, change.term);
    owners.positions[at] = InsertEntry(view.lists, change.term, view.tickets[i],
                                       change.row, change.weight);
    owners.weights[at] = change.weight;
  } else if (i < view.num_insertions + view.num_new_weights) {
    const TermListChange change = view.new_weights[i - view.num_insertions];
    const int64_t at = owners.At(change.row, change.term);
    SetEntryWeight(view.lists, change.term, owners.positions[at],
                   change.weight);
    owners.weights[at] = change.weight;
  } else {
    EndTermListBatch(view.lists);
  }
}

// i in [0, rows · terms).
__device__ inline void CountPhase(const TermListBatchView& view, int32_t i) {
  if (view.owners.positions[i] < 0) return;
  view.owners.positions[i] = CountEntry(view.lists, i % view.owners.num_terms);
}

// i in [0, terms).
__device__ inline void CapacityPhase(const TermListBatchView& view, int32_t i) {
  view.lists.capacities[i] = TermListCapacity(view.lists.sizes[i]);
}

// i in [0, rows · terms).
__device__ inline void WritePhase(const TermListBatchView& view, int32_t i) {
  if (view.owners.positions[i] < 0) return;
  WriteEntry(view.lists, i % view.owners.num_terms, view.owners.positions[i],
             i / view.owners.num_terms, view.owners.weights[i]);
}

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_PHASES_CUH_
