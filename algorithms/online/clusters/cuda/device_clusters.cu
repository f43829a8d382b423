// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_sums.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/state/online_state.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"
#include "sparse/term_lists/dynamic_term_lists.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// The kernels stride over the grid.
constexpr int kMostBlocks = 4096;
constexpr int64_t kLeastEntries = int64_t{1} << 20;
constexpr int64_t kLeastTail = int64_t{1} << 16;

__global__ void CountSlots(DeviceClustersView clusters, DeviceTermLists lists,
                           int64_t slots) {
  for (int64_t i = ThreadIndex(); i < slots; i += NumThreads()) {
    if (i % clusters.stride >= clusters.counts[i / clusters.stride]) continue;
    clusters.positions[i] = CountEntry(lists, clusters.kept[i].term);
  }
}

__global__ void SetCapacities(DeviceTermLists lists, int32_t num_terms) {
  for (int64_t t = ThreadIndex(); t < num_terms; t += NumThreads()) {
    lists.capacities[t] = TermListCapacity(lists.sizes[t]);
  }
}

__global__ void WriteSlots(DeviceClustersView clusters, DeviceTermLists lists,
                           int64_t slots) {
  for (int64_t i = ThreadIndex(); i < slots; i += NumThreads()) {
    const auto cluster = static_cast<int32_t>(i / clusters.stride);
    if (i % clusters.stride >= clusters.counts[cluster]) continue;
    const KeptTerm kept = clusters.kept[i];
    WriteEntry(lists, kept.term, clusters.positions[i], cluster, kept.weight);
  }
}

// Whether there is a key, of a cluster with terms.
__device__ bool IsNeeded(const DeviceClustersView& clusters, uint64_t key) {
  return key != DeviceClustersView::kNoKey && clusters.counts[key >> 32] > 0;
}

__global__ void CountTail(const uint64_t* keys, int64_t count,
                          DeviceClustersView clusters, DeviceCount* needed) {
  DeviceCount mine = 0;
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    mine += IsNeeded(clusters, keys[i]) ? 1 : 0;
  }
  if (mine > 0) atomicAdd(needed, mine);
}

__global__ void InsertTail(const uint64_t* keys, const int64_t* sums,
                           int64_t count, DeviceClustersView clusters) {
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    if (!IsNeeded(clusters, keys[i])) continue;
    RaiseTailSum(clusters, static_cast<int32_t>(keys[i] >> 32),
                 static_cast<int32_t>(keys[i] & 0xFFFFFFFFu), sums[i]);
  }
}

template <typename T>
absl::Status Upload(const std::vector<T>& values, DeviceBuffer<T>& buffer) {
  return buffer.CopyFromHost(absl::MakeConstSpan(values));
}

}  // namespace

absl::StatusOr<DeviceClusters> DeviceClusters::Create(
    const OnlineOptions& options, const OnlineState& state) {
  const int32_t terms = options.terms;
  DeviceClusters clusters;
  clusters.has_tails_ = !options.truncated_mean;
  clusters.stride_ = terms;
  const int64_t n = state.num_clusters();
  clusters.num_clusters = state.num_clusters();

  const ClusterSums state_sums(options, state);
  std::vector<KeptTerm> kept(n * terms, KeptTerm{0, 0});
  std::vector<int64_t> sums(n * terms);
  std::vector<int32_t> counts(n);
  std::vector<uint8_t> has_tail(n);
  std::vector<uint64_t> tail_keys;
  std::vector<int64_t> tail_sums;
  std::vector<int32_t> weights(terms);
  for (int32_t c = 0; c < state.num_clusters(); ++c) {
    const absl::Span<const int32_t> row = state.TermsOf(c);
    const absl::Span<const int64_t> row_sums = state.SumsOf(c);
    const absl::Span<const int32_t> largest = state_sums.TermsOf(c);
    state_sums.Weigh(c, weights.data());
    size_t slot = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (slot < largest.size() && row[i] == largest[slot]) {
        const int64_t at = int64_t{c} * terms + static_cast<int64_t>(slot);
        kept[at] = {row[i], weights[slot]};
        sums[at] = row_sums[i];
        ++slot;
      } else if (clusters.has_tails_) {
        tail_keys.push_back((static_cast<uint64_t>(c) << 32) |
                            static_cast<uint32_t>(row[i]));
        tail_sums.push_back(row_sums[i]);
      }
    }
    counts[c] = static_cast<int32_t>(slot);
    has_tail[c] = clusters.has_tails_ && slot < row.size() ? 1 : 0;
  }

  RETURN_IF_ERROR(clusters.ReserveClusters(std::max<int64_t>(n, 1)));
  RETURN_IF_ERROR(clusters.ReserveTerms(std::max(state.num_terms, 1)));
  RETURN_IF_ERROR(Upload(kept, clusters.kept_));
  RETURN_IF_ERROR(Upload(sums, clusters.sums_));
  RETURN_IF_ERROR(Upload(counts, clusters.counts_));
  RETURN_IF_ERROR(Upload(has_tail, clusters.has_tail_));
  RETURN_IF_ERROR(Upload(state.sizes, clusters.sizes_));
  RETURN_IF_ERROR(Upload(state.last_times, clusters.last_times_));
  RETURN_IF_ERROR(clusters.RebuildLists());
  clusters.num_terms_ = state.num_terms;
  const auto num_tail = static_cast<int64_t>(tail_keys.size());
  RETURN_IF_ERROR(clusters.ReserveTail(std::max(kLeastTail, num_tail)));
  if (tail_keys.empty()) return clusters;
  ASSIGN_OR_RETURN(auto keys, DeviceBuffer<uint64_t>::FromHost(tail_keys));
  ASSIGN_OR_RETURN(auto values, DeviceBuffer<int64_t>::FromHost(tail_sums));
  InsertTail<<<BlocksFor(num_tail, kThreads, kMostBlocks), kThreads>>>(
      keys.data(), values.data(), num_tail, clusters.view());
  clusters.tail_used = num_tail;
  RETURN_IF_ERROR(CudaLaunchStatus("filling sums"));
  return clusters;
}

absl::Status DeviceClusters::ReserveClusters(int64_t count) {
  if (count <= max_clusters()) return absl::OkStatus();
  const int64_t half_more = max_clusters() + max_clusters() / 2;
  absl::Status status = GrowClusters(std::max(count, half_more));
  return absl::IsResourceExhausted(status) && count < half_more
             ? GrowClusters(count)
             : status;
}

absl::Status DeviceClusters::GrowClusters(int64_t room) {
  const int64_t used = num_clusters;
  const int64_t slots = room * stride_;
  RETURN_IF_ERROR(ReserveInto(slots, kept_, used * stride_));
  RETURN_IF_ERROR(ReserveInto(slots, sums_, used * stride_));
  RETURN_IF_ERROR(ReserveInto(slots, positions_, used * stride_));
  RETURN_IF_ERROR(ReserveInto(room, sizes_, used));
  RETURN_IF_ERROR(ReserveInto(room, last_times_, used));
  RETURN_IF_ERROR(ReserveZeroed(room, has_tail_));
  RETURN_IF_ERROR(ReserveInto(room, counts_, used));
  max_clusters_ = room;
  return absl::OkStatus();
}

absl::Status DeviceClusters::ReserveTerms(int32_t count) {
  num_terms_ = std::max(num_terms_, count);
  RETURN_IF_ERROR(ReserveZeroed(count, begins_));
  RETURN_IF_ERROR(ReserveZeroed(begins_.size(), lengths_));
  RETURN_IF_ERROR(ReserveZeroed(begins_.size(), capacities_));
  RETURN_IF_ERROR(ReserveZeroed(begins_.size(), changes_));
  return ReserveZeroed(begins_.size(), cursors_);
}

absl::Status DeviceClusters::ReserveTail(int64_t more) {
  if (tail_used + more <= max_tail()) return absl::OkStatus();
  DeviceCount needed = 0;
  if (!tail_keys_.empty()) {
    ASSIGN_OR_RETURN(auto counter, DeviceBuffer<DeviceCount>::Allocate(1));
    RETURN_IF_ERROR(counter.FillBytes(0));
    CountTail<<<BlocksFor(tail_keys_.size(), kThreads, kMostBlocks),
                kThreads>>>(tail_keys_.data(), tail_keys_.size(), view(),
                            counter.data());
    RETURN_IF_ERROR(CudaLaunchStatus("counting sums"));
    RETURN_IF_ERROR(counter.CopyToHost({&needed, 1}));
  }
  const auto used = static_cast<int64_t>(needed);
  int64_t slots = 2 * kLeastTail;
  while (slots / 2 < used + std::max(more, used)) slots *= 2;
  DeviceBuffer<uint64_t> keys;
  DeviceBuffer<int64_t> sums;
  RETURN_IF_ERROR(AllocateInto(slots, keys));
  RETURN_IF_ERROR(AllocateInto(slots, sums));
  RETURN_IF_ERROR(keys.FillBytes(0xFF));
  RETURN_IF_ERROR(sums.FillBytes(0));
  std::swap(keys, tail_keys_);
  std::swap(sums, tail_sums_);
  tail_used = used;
  if (keys.empty()) return absl::OkStatus();
  InsertTail<<<BlocksFor(keys.size(), kThreads, kMostBlocks), kThreads>>>(
      keys.data(), sums.data(), keys.size(), view());
  return CudaLaunchStatus("moving sums");
}

absl::Status DeviceClusters::ReserveListChanges(int64_t count) {
  RETURN_IF_ERROR(MakeRoom(count, touched_));
  return MakeRoom(count, moves_);
}

absl::Status DeviceClusters::RebuildLists() {
  if (num_terms_ == 0) return absl::OkStatus();
  RETURN_IF_ERROR(lengths_.FillBytes(0));
  const int64_t slots = int64_t{num_clusters} * stride_;
  CountSlots<<<BlocksFor(slots, kThreads, kMostBlocks), kThreads>>>(
      view(), lists(nullptr), slots);
  SetCapacities<<<BlocksFor(num_terms_, kThreads, kMostBlocks), kThreads>>>(
      lists(nullptr), num_terms_);
  RETURN_IF_ERROR(CudaLaunchStatus("counting entries"));
  TemporaryStorage storage;
  RETURN_IF_ERROR(ExclusiveSum(capacities_.data(), begins_.data(), num_terms_,
                               storage, cudaStream_t{}));
  int64_t last_begin = 0;
  int32_t last_capacity = 0;
  RETURN_IF_ERROR(begins_.CopyToHost({&last_begin, 1}, num_terms_ - 1));
  RETURN_IF_ERROR(capacities_.CopyToHost({&last_capacity, 1}, num_terms_ - 1));
  entries_used = last_begin + last_capacity;
  if (2 * entries_used >= max_entries()) {
    RETURN_IF_ERROR(AllocateUpTo(std::max(kLeastEntries, 2 * entries_used),
                                 entries_used + 1, entries_));
  }
  WriteSlots<<<BlocksFor(slots, kThreads, kMostBlocks), kThreads>>>(
      view(), lists(nullptr), slots);
  return CudaLaunchStatus("writing entries");
}

DeviceClustersView DeviceClusters::view() {
  DeviceClustersView view;
  view.stride = stride_;
  view.kept = kept_.data();
  view.sums = sums_.data();
  view.positions = positions_.data();
  view.counts = counts_.data();
  view.has_tails = has_tails_;
  view.has_tail = has_tail_.data();
  view.sizes = sizes_.data();
  view.last_times = last_times_.data();
  view.tail_keys = tail_keys_.data();
  view.tail_sums = tail_sums_.data();
  view.tail_mask = static_cast<uint64_t>(tail_keys_.size()) - 1;
  view.entries = entries_.data();
  view.begins = begins_.data();
  view.lengths = lengths_.data();
  return view;
}

DeviceTermLists DeviceClusters::lists(TermListCounters* counters) {
  return {begins_.data(),  lengths_.data(), capacities_.data(), changes_.data(),
          cursors_.data(), entries_.data(), entries_.size(),    counters,
          touched_.data(), moves_.data()};
}

absl::StatusOr<OnlineState> DeviceClusters::State(int64_t clock,
                                                  int64_t expire_after) const {
  const auto n = static_cast<size_t>(num_clusters);
  std::vector<KeptTerm> kept(n * stride_);
  std::vector<int64_t> sums(n * stride_);
  std::vector<int32_t> counts(n);
  OnlineState state;
  state.sizes.resize(n);
  state.last_times.resize(n);
  state.num_terms = num_terms_;
  state.clock = clock;
  RETURN_IF_ERROR(kept_.CopyToHost(absl::MakeSpan(kept)));
  RETURN_IF_ERROR(sums_.CopyToHost(absl::MakeSpan(sums)));
  RETURN_IF_ERROR(counts_.CopyToHost(absl::MakeSpan(counts)));
  RETURN_IF_ERROR(sizes_.CopyToHost(absl::MakeSpan(state.sizes)));
  RETURN_IF_ERROR(last_times_.CopyToHost(absl::MakeSpan(state.last_times)));
  ASSIGN_OR_RETURN(auto tail_keys, tail_keys_.ToHost());
  ASSIGN_OR_RETURN(auto tail_sums, tail_sums_.ToHost());

  // (cluster * 2^32 + term, sum) of slots and table; a term may be in both.
  std::vector<std::pair<uint64_t, int64_t>> all;
  // A cluster that has merged has no slots, but may still have sums there.
  const auto is_open = [&](uint64_t cluster) {
    return counts[cluster] > 0 &&
           !IsExpired(state.last_times[cluster], clock, expire_after);
  };
  for (size_t c = 0; c < n; ++c) {
    if (!is_open(c)) continue;
    for (int32_t s = 0; s < counts[c]; ++s) {
      all.emplace_back((static_cast<uint64_t>(c) << 32) |
                           static_cast<uint32_t>(kept[c * stride_ + s].term),
                       sums[c * stride_ + s]);
    }
  }
  for (size_t i = 0; i < tail_keys.size(); ++i) {
    const uint64_t key = tail_keys[i];
    if (key == DeviceClustersView::kNoKey || !is_open(key >> 32)) continue;
    all.emplace_back(key, tail_sums[i]);
  }
  // For a term in both, the larger sum is right.
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, b.second) < std::tie(b.first, a.second);
  });
  size_t i = 0;
  for (uint64_t c = 0; c < n; ++c) {
    for (; i < all.size() && all[i].first >> 32 == c; ++i) {
      if (i > 0 && all[i].first == all[i - 1].first) continue;
      state.terms.push_back(static_cast<int32_t>(all[i].first & 0xFFFFFFFFu));
      state.sums.push_back(all[i].second);
    }
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
  }
  return state;
}

absl::Status DeviceClusters::CountEntries(int64_t* entries,
                                          int64_t* lists) const {
  ASSIGN_OR_RETURN(auto lengths, lengths_.ToHost());
  *entries = 0;
  *lists = 0;
  for (const int32_t length : lengths) {
    *entries += length;
    *lists += length > 0 ? 1 : 0;
  }
  return absl::OkStatus();
}

}  // namespace warpclust
