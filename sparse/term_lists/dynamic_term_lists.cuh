// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Device functions on DeviceTermLists (device_term_lists.h):
// dynamic_term_lists.h on a GPU. All lists lie in one pool. Many threads remove
// and insert entries, a batch at a time (Teitler et al. 2010, section 3:
// AtomicDeletion, corrected, and AtomicInsertion).
//
// A batch is five phases. All threads of the grid must have finished one (by
// the end of a kernel, or a grid-wide barrier) before any begins the next:
//
//   1  RemoveEntry for every entry that leaves; CountInsertion, which returns a
//      ticket, for every entry that enters
//   2  FillHole for every entry that leaves
//   3  SettleList for every i below counters->touched
//   4  MoveEntries for every i below counters->moves, by all threads of a block
//   5  InsertEntry for every ticket; SetEntryWeight for every changed weight;
//      EndTermListBatch by one thread
//
// After a batch the host reads counters->used. If it exceeds `room`, lists that
// had to grow found no room and are broken. The owners know all entries, so set
// `sizes` to 0 and rebuild the lists in a larger pool:
//
//   1  CountEntry for every entry, which returns its position
//   2  capacities[t] = TermListCapacity(sizes[t]), `begins` their prefix sums,
//      counters->used the total; a pool of at least that size
//   3  WriteEntry for every entry
//
// The position of an entry depends on the order of atomics; the entries of a
// list, its size and its capacity do not.
//
// Cost: O(1) per entry, amortized: a full list moves to the end of the pool
// with twice the room. Memory: 28 bytes per term and 8 per entry, times two for
// room in the lists, times two for room that lists have left.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_CUH_
#define WARPCLUST_SPARSE_TERM_LISTS_DYNAMIC_TERM_LISTS_CUH_

#include <cstdint>

#include "sparse/term_lists/device_term_lists.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// The room of a list of `size` entries that has to move: the next power of two,
// or 2^31 - 1.
__host__ __device__ inline int32_t TermListCapacity(int32_t size) {
  if (size == 0) return 0;
  int64_t capacity = 4;
  while (capacity < size) capacity *= 2;
  return static_cast<int32_t>(capacity < INT32_MAX ? capacity : INT32_MAX);
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

// Fills the hole at `position`, from which an entry was removed, with an entry
// from behind the new end; does nothing if the hole itself is behind it. There
// are as many holes before the new end as entries that stay behind it, and each
// entry goes to one thread. Calls owners.Moved(row, term, position) for the
// entry that has moved.
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

// Copies the entries of the i-th list that moves; by thread `thread` of
// `threads`.
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
  // False only in a list that found no room.
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
