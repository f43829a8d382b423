// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Some clusters of DeviceClusters: their sums, and new sums for them.
//
// On its way a cluster is a row of 64-bit words: a header of kHeader words, its
// K slots, and their sums. Sums of the table are pairs of words, behind the
// rows.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/clusters/cuda/split_sums.h"
#include "algorithms/online/state/online_state.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "sparse/term_lists/dynamic_term_lists.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 4096;
constexpr int64_t kLeastTailRoom = 1024;

struct RowHeader {
  int32_t cluster;
  int32_t count;  // slots in use
  int64_t has_tail;
  int64_t size;
  int64_t last_time;
};
constexpr int64_t kHeader = sizeof(RowHeader) / sizeof(int64_t);
static_assert(sizeof(KeptTerm) == sizeof(int64_t));

// What kernels and host share: of SumsOf the number of sums found in the table,
// of Replace those that are new there; and the numbers of the lists.
struct RowCounters {
  DeviceCount tails;
  DeviceCount unused;
  TermListCounters lists;
};
constexpr int64_t kCounters = sizeof(RowCounters) / sizeof(int64_t);
static_assert(sizeof(RowCounters) % sizeof(int64_t) == 0);

// Rows in the memory of host or device.
struct Rows {
  int64_t* words;  // counters first
  int64_t count;
  int32_t stride;  // K

  __host__ __device__ int64_t width() const {
    return kHeader + 2 * int64_t{stride};
  }
  __host__ __device__ RowCounters& counters() const {
    return *reinterpret_cast<RowCounters*>(words);
  }
  __host__ __device__ RowHeader& header(int64_t row) const {
    return *reinterpret_cast<RowHeader*>(words + kCounters + row * width());
  }
  __host__ __device__ KeptTerm& kept(int64_t row, int64_t slot) const {
    return *reinterpret_cast<KeptTerm*>(words + kCounters + row * width() +
                                        kHeader + slot);
  }
  __host__ __device__ int64_t& sum(int64_t row, int64_t slot) const {
    return words[kCounters + row * width() + kHeader + stride + slot];
  }
  // The words before the sums of the table.
  __host__ __device__ int64_t size() const {
    return kCounters + count * width();
  }
};

__global__ void GatherRows(DeviceClustersView clusters, const int32_t* numbers,
                           Rows rows) {
  if (ThreadIndex() == 0) rows.counters().tails = 0;
  for (int64_t i = ThreadIndex(); i < rows.count * rows.stride;
       i += NumThreads()) {
    const int64_t row = i / rows.stride;
    const int64_t slot = i % rows.stride;
    const int32_t cluster = numbers[row];
    const int64_t from = int64_t{cluster} * rows.stride + slot;
    rows.kept(row, slot) = clusters.kept[from];
    rows.sum(row, slot) = clusters.sums[from];
    if (slot != 0) continue;
    rows.header(row) = {cluster, clusters.counts[cluster],
                        clusters.has_tail[cluster], clusters.sizes[cluster],
                        clusters.last_times[cluster]};
  }
}

// Writes the sums of the table that are of these ascending clusters, as many as
// there is room for; their keys have the row for the cluster.
__global__ void GatherTails(DeviceClustersView clusters, const int32_t* numbers,
                            Rows rows, int64_t room) {
  int64_t* const to = rows.words + rows.size();
  for (uint64_t i = ThreadIndex(); i <= clusters.tail_mask; i += NumThreads()) {
    const uint64_t key = clusters.tail_keys[i];
    if (key == DeviceClustersView::kNoKey) continue;
    const int32_t cluster = ClusterOfKey(key);
    int64_t row = 0;
    for (int64_t end = rows.count; row < end;) {
      const int64_t middle = (row + end) / 2;
      if (numbers[middle] < cluster) {
        row = middle + 1;
      } else {
        end = middle;
      }
    }
    if (row == rows.count || numbers[row] != cluster) continue;
    const auto at =
        static_cast<int64_t>(atomicAdd(&rows.counters().tails, DeviceCount{1}));
    if (at >= room) continue;
    to[2 * at] = static_cast<int64_t>(
        TailKey(static_cast<int32_t>(row), TermOfKey(key)));
    to[2 * at + 1] = clusters.tail_sums[i];
  }
}

// Takes the entries of these clusters out of the lists, and puts those of the
// rows in; by one block. `tickets` has a place per slot.
__global__ void ReplaceRows(DeviceClustersView clusters, DeviceTermLists lists,
                            Rows rows, int32_t* tickets) {
  const int64_t slots = rows.count * rows.stride;
  for (int64_t i = threadIdx.x; i < slots; i += blockDim.x) {
    const int64_t row = i / rows.stride;
    const int64_t slot = i % rows.stride;
    const RowHeader& header = rows.header(row);
    const int64_t at = int64_t{header.cluster} * rows.stride + slot;
    if (slot < clusters.counts[header.cluster]) {
      RemoveEntry(lists, clusters.kept[at].term, clusters.positions[at]);
    }
    if (slot < header.count) {
      tickets[i] = CountInsertion(lists, rows.kept(row, slot).term);
    }
  }
  __syncthreads();
  for (int64_t i = threadIdx.x; i < slots; i += blockDim.x) {
    const int32_t cluster = rows.header(i / rows.stride).cluster;
    const int64_t slot = i % rows.stride;
    const int64_t at = int64_t{cluster} * rows.stride + slot;
    if (slot < clusters.counts[cluster]) {
      FillHole(lists, clusters.kept[at].term, clusters.positions[at],
               SlotOwners{clusters});
    }
  }
  __syncthreads();
  const int32_t touched = lists.counters->touched;
  for (auto i = static_cast<int32_t>(threadIdx.x); i < touched;
       i += static_cast<int32_t>(blockDim.x)) {
    SettleList(lists, i);
  }
  __syncthreads();
  const int32_t moves = lists.counters->moves;
  for (int32_t i = 0; i < moves; ++i) {
    MoveEntries(lists, i, static_cast<int32_t>(threadIdx.x),
                static_cast<int32_t>(blockDim.x));
  }
  __syncthreads();
  for (int64_t i = threadIdx.x; i < slots; i += blockDim.x) {
    const int64_t row = i / rows.stride;
    const int64_t slot = i % rows.stride;
    const RowHeader& header = rows.header(row);
    const int64_t at = int64_t{header.cluster} * rows.stride + slot;
    if (slot == 0) {
      clusters.counts[header.cluster] = header.count;
      clusters.has_tail[header.cluster] = header.has_tail != 0 ? 1 : 0;
      clusters.sizes[header.cluster] = header.size;
      clusters.last_times[header.cluster] = header.last_time;
    }
    if (slot >= header.count) continue;
    const KeptTerm kept = rows.kept(row, slot);
    clusters.kept[at] = kept;
    clusters.sums[at] = rows.sum(row, slot);
    clusters.positions[at] =
        InsertEntry(lists, kept.term, tickets[i], header.cluster, kept.weight);
  }
  if (threadIdx.x == 0) EndTermListBatch(lists);
}

__global__ void RaiseTails(DeviceClustersView clusters, Rows rows,
                           int64_t count) {
  const int64_t* const from = rows.words + rows.size();
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    const auto key = static_cast<uint64_t>(from[2 * i]);
    if (RaiseTailSum(clusters, ClusterOfKey(key), TermOfKey(key),
                     from[2 * i + 1])) {
      atomicAdd(&rows.counters().tails, DeviceCount{1});
    }
  }
}

}  // namespace

void DeviceClusters::FillRows(std::vector<KeyedSum> sums, int32_t count,
                              OnlineState* state) {
  // For a term in both, the larger sum is right.
  std::sort(sums.begin(), sums.end(), [](const KeyedSum& a, const KeyedSum& b) {
    return std::tie(a.key, b.sum) < std::tie(b.key, a.sum);
  });
  size_t i = 0;
  for (int32_t c = 0; c < count; ++c) {
    for (; i < sums.size() && ClusterOfKey(sums[i].key) == c; ++i) {
      if (i > 0 && sums[i].key == sums[i - 1].key) continue;
      state->terms.push_back(TermOfKey(sums[i].key));
      state->sums.push_back(sums[i].sum);
    }
    state->offsets.push_back(static_cast<int64_t>(state->terms.size()));
  }
}

absl::StatusOr<OnlineState> DeviceClusters::SumsOf(
    absl::Span<const int32_t> numbers) {
  OnlineState state;
  state.num_terms = num_terms_;
  if (numbers.empty()) return state;
  const auto count = static_cast<int64_t>(numbers.size());
  RETURN_IF_ERROR(MakeRoom(count, numbers_));
  RETURN_IF_ERROR(numbers_.CopyFromHost(numbers));
  Rows rows = {nullptr, count, stride_};
  int64_t tail_room = kLeastTailRoom;
  std::vector<int64_t> words;
  while (true) {
    RETURN_IF_ERROR(MakeRoom(rows.size() + 2 * tail_room, rows_));
    rows.words = rows_.data();
    GatherRows<<<BlocksFor(count * stride_, kThreads, kMostBlocks), kThreads>>>(
        view(), numbers_.data(), rows);
    GatherTails<<<BlocksFor(tail_keys_.size(), kThreads, kMostBlocks),
                  kThreads>>>(view(), numbers_.data(), rows, tail_room);
    RETURN_IF_ERROR(CudaLaunchStatus("gathering clusters"));
    words.resize(rows.size() + 2 * tail_room);
    RETURN_IF_ERROR(rows_.CopyToHost(absl::MakeSpan(words)));
    rows.words = words.data();
    const auto found = static_cast<int64_t>(rows.counters().tails);
    if (found <= tail_room) break;
    tail_room = found;
  }
  std::vector<KeyedSum> sums;
  for (int32_t i = 0; i < static_cast<int32_t>(count); ++i) {
    const RowHeader& header = rows.header(i);
    state.sizes.push_back(header.size);
    state.last_times.push_back(header.last_time);
    for (int32_t s = 0; s < header.count; ++s) {
      sums.push_back({TailKey(i, rows.kept(i, s).term), rows.sum(i, s)});
    }
  }
  const int64_t* const tails = words.data() + rows.size();
  for (int64_t i = 0; i < static_cast<int64_t>(rows.counters().tails); ++i) {
    sums.push_back({static_cast<uint64_t>(tails[2 * i]), tails[2 * i + 1]});
  }
  FillRows(std::move(sums), static_cast<int32_t>(count), &state);
  return state;
}

absl::Status DeviceClusters::Replace(const OnlineOptions& options,
                                     absl::Span<const int32_t> numbers,
                                     const OnlineState& state) {
  const auto count = static_cast<int64_t>(numbers.size());
  if (count == 0) return absl::OkStatus();
  Rows rows = {nullptr, count, stride_};
  std::vector<int64_t> words(rows.size());
  std::vector<int64_t> tails;
  rows.words = words.data();
  rows.counters().lists.used = static_cast<DeviceCount>(entries_used);
  const ClusterSums sums(options, state);
  std::vector<int32_t> weights(stride_);
  for (int32_t i = 0; i < static_cast<int32_t>(count); ++i) {
    RowHeader& header = rows.header(i);
    header = {numbers[i], 0, 0, state.sizes[i], state.last_times[i]};
    sums.Weigh(i, weights.data());
    header.count = SplitSums(
        state, sums, i,
        [&](int64_t slot, int32_t term, int64_t sum) {
          rows.kept(i, slot) = {term, weights[slot]};
          rows.sum(i, slot) = sum;
        },
        [&](int32_t term, int64_t sum) {
          if (!has_tails_) return;
          header.has_tail = 1;
          tails.push_back(static_cast<int64_t>(TailKey(header.cluster, term)));
          tails.push_back(sum);
        });
  }
  const auto num_tails = static_cast<int64_t>(tails.size() / 2);
  words.insert(words.end(), tails.begin(), tails.end());

  RETURN_IF_ERROR(ReserveListChanges(2 * count * stride_));
  RETURN_IF_ERROR(ReserveTail(num_tails));
  RETURN_IF_ERROR(MakeRoom(count * stride_, tickets_));
  RETURN_IF_ERROR(MakeRoom(static_cast<int64_t>(words.size()), rows_));
  RETURN_IF_ERROR(rows_.CopyFromHost(words));
  rows.words = rows_.data();
  ReplaceRows<<<1, 1024>>>(view(), lists(&rows.counters().lists), rows,
                           tickets_.data());
  if (num_tails > 0) {
    RaiseTails<<<BlocksFor(num_tails, kThreads, kMostBlocks), kThreads>>>(
        view(), rows, num_tails);
  }
  RETURN_IF_ERROR(CudaLaunchStatus("replacing clusters"));
  RETURN_IF_ERROR(rows_.CopyToHost(absl::MakeSpan(words).first(kCounters)));
  rows.words = words.data();
  tail_used += static_cast<int64_t>(rows.counters().tails);
  entries_used = static_cast<int64_t>(rows.counters().lists.used);
  return absl::OkStatus();
}

}  // namespace warpclust
