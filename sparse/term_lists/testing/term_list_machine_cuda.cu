// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <utility>
#include <vector>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "sparse/term_lists/dynamic_term_lists.cuh"
#include "sparse/term_lists/testing/term_list_machine_cuda.h"
#include "sparse/term_lists/testing/term_list_phases.cuh"

namespace warpclust {
namespace {

constexpr int kBlock = 128;

#define WARPCLUST_GRID_STRIDE(i, count)                                \
  for (int32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (count); \
       i += gridDim.x * blockDim.x)

__global__ void Mark(TermListBatchView view) {
  WARPCLUST_GRID_STRIDE(i, view.num_removals + view.num_insertions) {
    MarkPhase(view, i);
  }
}

__global__ void Fill(TermListBatchView view) {
  WARPCLUST_GRID_STRIDE(i, view.num_removals) { FillPhase(view, i); }
}

__global__ void Settle(TermListBatchView view) {
  WARPCLUST_GRID_STRIDE(i, view.lists.counters->touched) {
    SettleList(view.lists, i);
  }
}

__global__ void Move(TermListBatchView view) {
  for (int32_t i = blockIdx.x; i < view.lists.counters->moves; i += gridDim.x) {
    MoveEntries(view.lists, i, threadIdx.x, blockDim.x);
  }
}

__global__ void Insert(TermListBatchView view) {
  WARPCLUST_GRID_STRIDE(i, view.num_insertions + view.num_new_weights + 1) {
    InsertPhase(view, i);
  }
}

__global__ void Count(TermListBatchView view, int32_t pairs) {
  WARPCLUST_GRID_STRIDE(i, pairs) { CountPhase(view, i); }
}

__global__ void Capacities(TermListBatchView view) {
  WARPCLUST_GRID_STRIDE(i, view.owners.num_terms) { CapacityPhase(view, i); }
}

__global__ void Write(TermListBatchView view, int32_t pairs) {
  WARPCLUST_GRID_STRIDE(i, pairs) { WritePhase(view, i); }
}

#undef WARPCLUST_GRID_STRIDE

template <typename T>
absl::Status AllocateZeros(int64_t count, DeviceBuffer<T>& buffer) {
  RETURN_IF_ERROR(AllocateInto(count, buffer));
  return buffer.FillBytes(0);
}

// A copy with at least one element, so that kernels get a pointer.
absl::StatusOr<DeviceBuffer<TermListChange>> Upload(
    std::vector<TermListChange> changes) {
  changes.push_back({0, 0, 0});
  return DeviceBuffer<TermListChange>::FromHost(changes);
}

}  // namespace

absl::StatusOr<TermListMachine> TermListMachine::Create(int32_t num_rows,
                                                        int32_t num_terms,
                                                        int64_t room) {
  TermListMachine machine;
  machine.num_terms_ = num_terms;
  machine.num_pairs_ = int64_t{num_rows} * num_terms;
  const int64_t pairs = machine.num_pairs_;
  for (absl::Status s : {AllocateZeros(num_terms, machine.begins_),
                         AllocateZeros(num_terms, machine.sizes_),
                         AllocateZeros(num_terms, machine.capacities_),
                         AllocateZeros(num_terms, machine.changes_),
                         AllocateZeros(num_terms, machine.cursors_),
                         AllocateZeros(room, machine.entries_),
                         AllocateZeros(num_terms, machine.touched_),
                         AllocateZeros(1, machine.counters_),
                         AllocateZeros(num_terms, machine.moves_),
                         AllocateInto(pairs, machine.positions_),
                         machine.positions_.FillBytes(0xFF),
                         AllocateZeros(pairs, machine.weights_)}) {
    if (!s.ok()) return s;
  }
  return machine;
}

DeviceTermLists TermListMachine::Lists() {
  return {begins_.data(),  sizes_.data(),    capacities_.data(),
          changes_.data(), cursors_.data(),  entries_.data(),
          entries_.size(), counters_.data(), touched_.data(),
          moves_.data()};
}

absl::Status TermListMachine::Apply(const TermListBatch& batch) {
  ASSIGN_OR_RETURN(const auto removals, Upload(batch.removals));
  ASSIGN_OR_RETURN(const auto insertions, Upload(batch.insertions));
  ASSIGN_OR_RETURN(const auto new_weights, Upload(batch.new_weights));
  ASSIGN_OR_RETURN(auto removed_positions,
                   DeviceBuffer<int32_t>::Allocate(removals.size()));
  ASSIGN_OR_RETURN(auto tickets,
                   DeviceBuffer<int32_t>::Allocate(insertions.size()));

  TermListBatchView view;
  view.lists = Lists();
  view.owners = {num_terms_, positions_.data(), weights_.data()};
  view.removals = removals.data();
  view.removed_positions = removed_positions.data();
  view.num_removals = static_cast<int32_t>(batch.removals.size());
  view.insertions = insertions.data();
  view.tickets = tickets.data();
  view.num_insertions = static_cast<int32_t>(batch.insertions.size());
  view.new_weights = new_weights.data();
  view.num_new_weights = static_cast<int32_t>(batch.new_weights.size());
  const int blocks =
      1 +
      (view.num_removals + view.num_insertions + view.num_new_weights) / kBlock;
  Mark<<<blocks, kBlock>>>(view);
  Fill<<<blocks, kBlock>>>(view);
  Settle<<<blocks, kBlock>>>(view);
  Move<<<blocks, kBlock>>>(view);
  Insert<<<blocks, kBlock>>>(view);
  RETURN_IF_ERROR(CudaLaunchStatus("change term lists"));

  TermListCounters counters;
  RETURN_IF_ERROR(counters_.CopyToHost({&counters, 1}));
  if (counters.touched != 0 || counters.moves != 0) {
    return absl::InternalError("counters of a batch outlive it");
  }
  if (counters.used > static_cast<uint64_t>(entries_.size())) return Rebuild();
  return absl::OkStatus();
}

absl::Status TermListMachine::Rebuild() {
  ++rebuilds_;
  RETURN_IF_ERROR(sizes_.FillBytes(0));
  TermListBatchView view = {};
  view.lists = Lists();
  view.owners = {num_terms_, positions_.data(), weights_.data()};
  const auto pairs = static_cast<int32_t>(num_pairs_);
  const int blocks = 1 + pairs / kBlock;
  Count<<<blocks, kBlock>>>(view, pairs);
  Capacities<<<blocks, kBlock>>>(view);
  RETURN_IF_ERROR(CudaLaunchStatus("count entries"));
  ASSIGN_OR_RETURN(const std::vector<int32_t> capacities, capacities_.ToHost());
  std::vector<int64_t> begins;
  TermListCounters counters = {0, 0, 0};
  for (const int32_t capacity : capacities) {
    begins.push_back(static_cast<int64_t>(counters.used));
    counters.used += DeviceCount(capacity);
  }
  for (absl::Status s :
       {begins_.CopyFromHost(begins), counters_.CopyFromHost({&counters, 1}),
        AllocateInto(static_cast<int64_t>(2 * counters.used + 1), entries_)}) {
    if (!s.ok()) return s;
  }
  view.lists.entries = entries_.data();
  view.lists.room = entries_.size();
  Write<<<blocks, kBlock>>>(view, pairs);
  return CudaLaunchStatus("write entries");
}

absl::StatusOr<TermListsSeen> TermListMachine::Seen() const {
  ASSIGN_OR_RETURN(const auto begins, begins_.ToHost());
  ASSIGN_OR_RETURN(const auto sizes, sizes_.ToHost());
  ASSIGN_OR_RETURN(const auto entries, entries_.ToHost());
  ASSIGN_OR_RETURN(auto positions, positions_.ToHost());
  TermListsSeen seen;
  for (int32_t t = 0; t < num_terms_; ++t) {
    const int64_t begin = begins[t];
    if (begin < 0 || sizes[t] < 0 || begin + sizes[t] > entries_.size()) {
      return absl::InternalError("a list reaches out of the pool");
    }
    const auto first = entries.begin() + begin;
    seen.lists.emplace_back(first, first + sizes[t]);
  }
  seen.positions = std::move(positions);
  return seen;
}

}  // namespace warpclust
