// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceTermLists: where term lists that change lie in the memory of a GPU.
// What owners allocate and kernels get; dynamic_term_lists.cuh is what they do
// with it.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_DEVICE_TERM_LISTS_H_
#define WARPCLUST_SPARSE_TERM_LISTS_DEVICE_TERM_LISTS_H_

#include <cstdint>

#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// What CUDA's atomics count in.
using DeviceCount = unsigned long long;  // NOLINT(google-runtime-int)

// A list that grew: its entries, positions in the pool.
struct TermListMove {
  int64_t from;
  int64_t to;
  int32_t size;
};

struct TermListCounters {
  // Entries of the pool that belong, or belonged, to lists.
  DeviceCount used;
  // Of this batch; 0 between batches.
  int32_t touched;
  int32_t moves;
};

// Pointers to device memory that the caller owns.
struct DeviceTermLists {
  // One a term; a new term is all 0. The list of term t is entries[begins[t]]
  // to entries[begins[t] + sizes[t] - 1].
  int64_t* begins;
  int32_t* sizes;
  // Powers of two, or 0.
  int32_t* capacities;
  // Of this batch, 0 between batches: entries that leave, and those that come
  // times 2^32.
  DeviceCount* changes;
  // Of this batch, 0 between batches: entries at the end looked at for filling
  // holes.
  int32_t* cursors;

  // `room` entries.
  TermListEntry* entries;
  int64_t room;
  TermListCounters* counters;

  // Scratch, as many as there can be terms touched in a batch: at most the
  // entries that leave and come together, and at most all terms.
  int32_t* touched;
  TermListMove* moves;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_DEVICE_TERM_LISTS_H_
