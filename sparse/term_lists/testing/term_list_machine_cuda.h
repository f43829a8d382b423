// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermListMachine: term lists on a GPU with owners of their entries, for the
// test of dynamic_term_lists.cuh.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_MACHINE_CUDA_H_
#define WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_MACHINE_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "sparse/term_lists/device_term_lists.h"
#include "sparse/term_lists/dynamic_term_lists.h"
#include "sparse/term_lists/testing/term_list_batches.h"

namespace warpclust {

class TermListMachine {
 public:
  // Empty lists in a pool of `room` entries, at least 1.
  static absl::StatusOr<TermListMachine> Create(int32_t num_rows,
                                                int32_t num_terms,
                                                int64_t room);

  // Rebuilds the lists with a larger pool if it runs out.
  absl::Status Apply(const TermListBatch& batch);
  absl::StatusOr<TermListsSeen> Seen() const;

  int rebuilds() const { return rebuilds_; }

 private:
  TermListMachine() = default;
  DeviceTermLists Lists();
  absl::Status Rebuild();

  int32_t num_terms_ = 0;
  int64_t num_pairs_ = 0;
  DeviceBuffer<int64_t> begins_;
  DeviceBuffer<int32_t> sizes_;
  DeviceBuffer<int32_t> capacities_;
  DeviceBuffer<DeviceCount> changes_;
  DeviceBuffer<int32_t> cursors_;
  DeviceBuffer<TermListEntry> entries_;
  DeviceBuffer<int32_t> touched_;
  DeviceBuffer<TermListCounters> counters_;
  DeviceBuffer<TermListMove> moves_;
  DeviceBuffer<int32_t> positions_;
  DeviceBuffer<int32_t> weights_;
  int rebuilds_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_TESTING_TERM_LIST_MACHINE_CUDA_H_
