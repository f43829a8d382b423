// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What kernels do with DeviceTermLists (device_term_lists.h), which is
// dynamic_term_lists.h on a GPU. All lists lie in one pool; many threads take
// entries out and put entries in, a batch at a time (Teitler et al. 2010,
// section 3: AtomicDeletion, repaired where its text is wrong, and
// AtomicInsertion).
//
// A batch is five phases. All threads of the grid must be through one (the end
// of a kernel, or a grid-wide barrier) before any begins the next:
//
//   1  RemoveEntry for every entry that leaves, CountInsertion for every one
//      that comes, which returns a ticket
//   2  FillHole for every entry that leaves
//   3  SettleList for every i below counters->touched
//   4  MoveEntries for every i below counters->moves, by all threads of a block
//   5  InsertEntry for every ticket; SetEntryWeight wherever a weight changed;
//      EndTermListBatch by one thread
//
// After a batch the host looks at counters->used: if it is more than `room`,
// lists that were to grow found no place and are broken. The owners know all
// entries: set `sizes` to 0 and rebuild with a larger pool:
//
//   1  CountEntry for every entry, which returns its position
//   2  capacities[t] = TermListCapacity(sizes[t]), `begins` their prefix sums,
//      counters->used the total; a pool of at least that
//   3  WriteEntry for every entry
//
// Which entry stands where depends on the order in which atomics land; which
// entries a list holds does not, nor its size or capacity.
//
// Cost: O(1) an entry, amortized: a list that is full moves to the end of the
// pool with twice the room. Memory: 28 bytes a term and 8 an entry, times two
// for room in the lists, times two for what lists that moved left behind.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_CUH_
#define WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_CUH_

#include <cstdint>

#include "sparse/term_lists/device_term_lists.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// The room of a list of `size` entries that has to move: the next power of two.
__device__ inline int32_t TermListCapacity(int32_t size) {
  if (size == 0) return 0;
  int32_t capacity = 4;
  while (capacity < size) capacity *= 2;
  return capacity;
}

// --- Phase 1 -----------------------------------------------------------------

__device__ inline void TouchList(const DeviceTermLists& lists, int32_t term) {
  lists.touched[atomicAdd(&lists.counters->touched, 1)] = term;
}

// Marks the entry at `position`, each at most once a batch.
__device__ inline void RemoveEntry(const DeviceTermLists& lists, int32_t term,
                                   int32_t position) {
  lists.entries[lists.begins[term] + position].row = DynamicTermLists::kNoRow;
  if (atomicAdd(&lists.changes[term], DeviceCount{1}) == 0)
    TouchList(lists, term);
}

// Returns a ticket for InsertEntry.
__device__ inline int32_t CountInsertion(const DeviceTermLists& lists,
                                         int32_t term) {
  const DeviceCount before =
      atomicAdd(&lists.changes[term], DeviceCount{1} << 32);
  if (before == 0) TouchList(lists, term);
  return static_cast<int32_t>(before >> 32);
}

// --- Phase 2 -----------------------------------------------------------------

// Fills the hole that the entry removed from `position` left, unless it is
// behind the new end, with an entry that is. There are as many entries behind
// the new end that stay as holes before it, and each is handed to one thread.
// owners.Moved(row, term, position) hears of it: the row's entry for that term,
// which stays in this batch, stands at `position` now.
template <typename Owners>
__device__ inline void FillHole(const DeviceTermLists& lists, int32_t term,
                                int32_t position, const Owners& owners) {
  const int32_t size = lists.sizes[term];
  const int32_t new_size =
      size - static_cast<int32_t>(lists.changes[term] & 0xFFFFFFFFu);
  if (position >= new_size) return;
  TermListEntry* const list = lists.entries + lists.begins[term];
  for (;;) {
    const int32_t last = size - 1 - atomicAdd(&lists.cursors[term], 1);
    const TermListEntry entry = list[last];
    if (entry.row == DynamicTermLists::kNoRow) continue;
    list[position] = entry;
    owners.Moved(entry.row, term, position);
    return;
  }
}

// --- Phase 3 -----------------------------------------------------------------

// Gives the i-th list touched its new size, and room for it.
__device__ inline void SettleList(const DeviceTermLists& lists, int32_t i) {
  const int32_t term = lists.touched[i];
  const DeviceCount changes = lists.changes[term];
  const int32_t kept =
      lists.sizes[term] - static_cast<int32_t>(changes & 0xFFFFFFFFu);
  const int32_t size = kept + static_cast<int32_t>(changes >> 32);
  lists.sizes[term] = size;
  lists.changes[term] = 0;
  lists.cursors[term] = 0;
  if (size <= lists.capacities[term]) return;
  const int32_t capacity = TermListCapacity(size);
  const auto begin = static_cast<int64_t>(
      atomicAdd(&lists.counters->used, DeviceCount(capacity)));
  if (begin + capacity > lists.room) return;
  if (kept > 0) {
    lists.moves[atomicAdd(&lists.counters->moves, 1)] = {lists.begins[term],
                                                         begin, kept};
  }
  lists.begins[term] = begin;
  lists.capacities[term] = capacity;
}

// --- Phase 4 -----------------------------------------------------------------

// Copies the entries of the i-th list that moved; `thread` of `threads` that
// do.
__device__ inline void MoveEntries(const DeviceTermLists& lists, int32_t i,
                                   int32_t thread, int32_t threads) {
  const TermListMove move = lists.moves[i];
  for (int64_t j = thread; j < move.size; j += threads) {
    lists.entries[move.to + j] = lists.entries[move.from + j];
  }
}

// --- Phase 5 -----------------------------------------------------------------

// Returns the position.
__device__ inline int32_t InsertEntry(const DeviceTermLists& lists,
                                      int32_t term, int32_t ticket, int32_t row,
                                      int32_t weight) {
  const int32_t position = lists.sizes[term] - 1 - ticket;
  // Not so only in a list that found no place.
  if (position < lists.capacities[term]) {
    lists.entries[lists.begins[term] + position] = {row, weight};
  }
  return position;
}

__device__ inline void SetEntryWeight(const DeviceTermLists& lists,
                                      int32_t term, int32_t position,
                                      int32_t weight) {
  lists.entries[lists.begins[term] + position].weight = weight;
}

__device__ inline void EndTermListBatch(const DeviceTermLists& lists) {
  lists.counters->touched = 0;
  lists.counters->moves = 0;
}

// --- Rebuilding --------------------------------------------------------------

// Returns the position of an entry of `term`.
__device__ inline int32_t CountEntry(const DeviceTermLists& lists,
                                     int32_t term) {
  return atomicAdd(&lists.sizes[term], 1);
}

__device__ inline void WriteEntry(const DeviceTermLists& lists, int32_t term,
                                  int32_t position, int32_t row,
                                  int32_t weight) {
  lists.entries[lists.begins[term] + position] = {row, weight};
}

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_CUH_
