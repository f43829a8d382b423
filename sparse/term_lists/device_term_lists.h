// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceTermLists: pointers to term lists in the memory of a GPU. Their owner
// allocates the memory and passes the pointers to kernels, which change the
// lists by the functions of dynamic_term_lists.cuh.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_DEVICE_TERM_LISTS_H_
#define WARPCLUST_SPARSE_TERM_LISTS_DEVICE_TERM_LISTS_H_

#include <cstdint>

#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// The 64-bit type of CUDA's atomics.
using DeviceCount = unsigned long long;  // NOLINT(google-runtime-int)

// An entry that leaves its list.
struct TermListRemoval {
  int32_t term;
  int32_t position;
};

// A list that moves: where its entries lie in the pool.
struct TermListMove {
  int64_t from;
  int64_t to;
  int32_t size;
};

struct TermListCounters {
  // Entries of the pool given to lists, including those that lists have left.
  DeviceCount used;
  // Of this batch; 0 between batches.
  int32_t touched;
  int32_t moves;
};

// Pointers to device memory that the caller owns.
struct DeviceTermLists {
  // One per term; a new term is all 0. The list of term t is
  // entries[begins[t] + [0, sizes[t])].
  int64_t* begins;
  int32_t* sizes;
  // Powers of two, 0, or 2^31 - 1.
  int32_t* capacities;
  // Of this batch, 0 between batches: the number of entries that leave, plus
  // 2^32 times the number of entries that enter.
  DeviceCount* changes;
  // Of this batch, 0 between batches: entries at the end that were visited to
  // fill holes.
  int32_t* cursors;

  // `room` entries.
  TermListEntry* entries;
  int64_t room;
  TermListCounters* counters;

  // Scratch, for all terms that a batch can touch: at most one per entry that
  // leaves or enters, and at most all terms.
  int32_t* touched;
  TermListMove* moves;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_DEVICE_TERM_LISTS_H_
