// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/cuda_status.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// The kernels stride over the grid.
constexpr int kMostBlocks = 4096;
constexpr int64_t kLeastEntries = int64_t{1} << 20;
constexpr int64_t kLeastTail = int64_t{1} << 16;

// The room of a list of `length` entries in a packed pool.
int32_t PackedCapacity(int32_t length) {
  if (length == 0) return 0;
  int64_t capacity = 4;
  while (capacity < length) capacity *= 2;
  return static_cast<int32_t>(
      std::min<int64_t>(capacity, std::numeric_limits<int32_t>::max()));
}

__global__ void CopyLists(const TermListEntry* from, TermListEntry* to,
                          const int64_t* from_begins, const int64_t* to_begins,
                          const int32_t* lengths, int32_t num_terms) {
  // One warp per list.
  const int64_t lane = threadIdx.x % 32;
  const int64_t warps = int64_t{gridDim.x} * blockDim.x / 32;
  for (int64_t t = (int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
       t < num_terms; t += warps) {
    for (int64_t e = lane; e < lengths[t]; e += 32) {
      to[to_begins[t] + e] = from[from_begins[t] + e];
    }
  }
}

__global__ void InsertTail(const uint64_t* keys, const int64_t* sums,
                           int64_t count, DeviceClustersView clusters) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    if (keys[i] == DeviceClustersView::kNoKey) continue;
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
    int32_t terms, const OnlineState& state) {
  DeviceClusters clusters;
  clusters.stride_ = terms;
  const int64_t n = state.num_clusters();
  clusters.num_clusters = state.num_clusters();

  // The same three steps as ClusterVectors: the K largest, weights, lists.
  std::vector<KeptTerm> kept(n * terms, KeptTerm{0, 0});
  std::vector<int64_t> sums(n * terms);
  std::vector<int32_t> positions(n * terms);
  std::vector<int32_t> counts(n);
  std::vector<uint8_t> has_tail(n);
  std::vector<int32_t> lengths(state.num_terms);
  std::vector<uint64_t> tail_keys;
  std::vector<int64_t> tail_sums;
  std::vector<std::pair<int64_t, int32_t>> ranked;  // (-sum, term)
  for (int32_t c = 0; c < state.num_clusters(); ++c) {
    const absl::Span<const int32_t> row = state.TermsOf(c);
    const absl::Span<const int64_t> row_sums = state.SumsOf(c);
    ranked.clear();
    for (size_t i = 0; i < row.size(); ++i) {
      ranked.emplace_back(-row_sums[i], row[i]);
    }
    const size_t slots = std::min<size_t>(ranked.size(), terms);
    std::nth_element(ranked.begin(), ranked.begin() + slots, ranked.end());
    unsigned __int128 squares = 0;
    for (size_t i = 0; i < slots; ++i) {
      squares += static_cast<unsigned __int128>(-ranked[i].first) *
                 static_cast<unsigned __int128>(-ranked[i].first);
    }
    const double scale = UnitScale(static_cast<uint64_t>(squares >> 64),
                                   static_cast<uint64_t>(squares));
    for (size_t i = 0; i < slots; ++i) {
      const auto [negative_sum, term] = ranked[i];
      const int64_t at = int64_t{c} * terms + static_cast<int64_t>(i);
      kept[at] = {term, UnitWeight(-negative_sum, scale)};
      sums[at] = -negative_sum;
      positions[at] = lengths[term]++;
    }
    counts[c] = static_cast<int32_t>(slots);
    has_tail[c] = ranked.size() > slots ? 1 : 0;
    for (size_t i = slots; i < ranked.size(); ++i) {
      tail_keys.push_back((static_cast<uint64_t>(c) << 32) |
                          static_cast<uint32_t>(ranked[i].second));
      tail_sums.push_back(-ranked[i].first);
    }
  }
  std::vector<int64_t> begins(state.num_terms);
  std::vector<int32_t> capacities(state.num_terms);
  for (int32_t t = 0; t < state.num_terms; ++t) {
    begins[t] = clusters.entries_used;
    capacities[t] = PackedCapacity(lengths[t]);
    clusters.entries_used += capacities[t];
  }
  std::vector<TermListEntry> entries(clusters.entries_used,
                                     TermListEntry{0, 0});
  for (int32_t c = 0; c < state.num_clusters(); ++c) {
    for (int64_t at = int64_t{c} * terms; at < int64_t{c} * terms + counts[c];
         ++at) {
      entries[begins[kept[at].term] + positions[at]] = {c, kept[at].weight};
    }
  }

  absl::Status status;
  status.Update(clusters.ReserveClusters(std::max<int64_t>(n, 1)));
  status.Update(clusters.ReserveTerms(std::max(state.num_terms, 1)));
  status.Update(AllocateUpTo(std::max(kLeastEntries, 2 * clusters.entries_used),
                             clusters.entries_used + 1, clusters.entries_));
  if (!status.ok()) return status;
  status.Update(Upload(kept, clusters.kept_));
  status.Update(Upload(sums, clusters.sums_));
  status.Update(Upload(positions, clusters.positions_));
  status.Update(Upload(counts, clusters.counts_));
  status.Update(Upload(has_tail, clusters.has_tail_));
  status.Update(Upload(state.sizes, clusters.sizes_));
  status.Update(Upload(state.last_times, clusters.last_times_));
  status.Update(Upload(entries, clusters.entries_));
  status.Update(Upload(begins, clusters.begins_));
  status.Update(Upload(lengths, clusters.lengths_));
  status.Update(Upload(capacities, clusters.capacities_));
  clusters.num_terms_ = state.num_terms;
  clusters.tail_used = static_cast<int64_t>(tail_keys.size());
  if (!status.ok()) return status;
  status.Update(clusters.ReserveTail(std::max(kLeastTail, clusters.tail_used)));
  if (!status.ok()) return status;
  if (tail_keys.empty()) return clusters;
  ASSIGN_OR_RETURN(auto keys, DeviceBuffer<uint64_t>::FromHost(tail_keys));
  ASSIGN_OR_RETURN(auto values, DeviceBuffer<int64_t>::FromHost(tail_sums));
  InsertTail<<<BlocksFor(clusters.tail_used, kThreads, kMostBlocks),
               kThreads>>>(keys.data(), values.data(), clusters.tail_used,
                           clusters.view());
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
  absl::Status status = ReserveInto(room * stride_, kept_, used * stride_);
  if (status.ok()) status = ReserveInto(room * stride_, sums_, used * stride_);
  if (status.ok()) {
    status = ReserveInto(room * stride_, positions_, used * stride_);
  }
  if (status.ok()) status = ReserveInto(room, sizes_, used);
  if (status.ok()) status = ReserveInto(room, last_times_, used);
  if (status.ok()) status = ReserveZeroed(room, has_tail_);
  if (status.ok()) status = ReserveInto(room, counts_, used);
  if (status.ok()) max_clusters_ = room;
  return status;
}

absl::Status DeviceClusters::ReserveTerms(int32_t count) {
  num_terms_ = std::max(num_terms_, count);
  absl::Status status = ReserveZeroed(count, begins_);
  status.Update(ReserveZeroed(begins_.size(), lengths_));
  status.Update(ReserveZeroed(begins_.size(), capacities_));
  return status;
}

absl::Status DeviceClusters::ReserveTail(int64_t count) {
  if (count <= max_tail()) return absl::OkStatus();
  int64_t slots = 2 * kLeastTail;
  while (slots / 2 < count) slots *= 2;
  DeviceBuffer<uint64_t> keys;
  DeviceBuffer<int64_t> sums;
  absl::Status status = AllocateInto(slots, keys);
  status.Update(AllocateInto(slots, sums));
  if (!status.ok()) return status;
  status.Update(keys.FillBytes(0xFF));
  status.Update(sums.FillBytes(0));
  if (!status.ok()) return status;
  std::swap(keys, tail_keys_);
  std::swap(sums, tail_sums_);
  if (keys.empty()) return absl::OkStatus();
  InsertTail<<<BlocksFor(keys.size(), kThreads, kMostBlocks), kThreads>>>(
      keys.data(), sums.data(), keys.size(), view());
  return CudaLaunchStatus("moving sums");
}

absl::Status DeviceClusters::GrowEntries(int64_t more) {
  ASSIGN_OR_RETURN(auto lengths, lengths_.ToHost());
  std::vector<int64_t> begins(lengths.size());
  std::vector<int32_t> capacities(lengths.size());
  int64_t used = 0;
  for (size_t t = 0; t < lengths.size(); ++t) {
    begins[t] = used;
    capacities[t] = PackedCapacity(lengths[t]);
    used += capacities[t];
  }
  ASSIGN_OR_RETURN(auto new_begins, DeviceBuffer<int64_t>::FromHost(begins));
  DeviceBuffer<TermListEntry> packed;
  RETURN_IF_ERROR(
      AllocateUpTo(std::max({kLeastEntries, 2 * used, used + 2 * more}),
                   used + more, packed));
  CopyLists<<<BlocksFor(int64_t{num_terms_} * 32, kThreads, kMostBlocks),
              kThreads>>>(entries_.data(), packed.data(), begins_.data(),
                          new_begins.data(), lengths_.data(), num_terms_);
  RETURN_IF_ERROR(CudaLaunchStatus("packing term lists"));
  std::swap(entries_, packed);
  std::swap(begins_, new_begins);
  entries_used = used;
  return Upload(capacities, capacities_);
}

DeviceClustersView DeviceClusters::view() {
  DeviceClustersView view;
  view.stride = stride_;
  view.kept = kept_.data();
  view.sums = sums_.data();
  view.positions = positions_.data();
  view.counts = counts_.data();
  view.has_tail = has_tail_.data();
  view.sizes = sizes_.data();
  view.last_times = last_times_.data();
  view.tail_keys = tail_keys_.data();
  view.tail_sums = tail_sums_.data();
  view.tail_mask = static_cast<uint64_t>(tail_keys_.size()) - 1;
  view.entries = entries_.data();
  view.begins = begins_.data();
  view.lengths = lengths_.data();
  view.capacities = capacities_.data();
  return view;
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
  absl::Status status;
  status.Update(kept_.CopyToHost(absl::MakeSpan(kept)));
  status.Update(sums_.CopyToHost(absl::MakeSpan(sums)));
  status.Update(counts_.CopyToHost(absl::MakeSpan(counts)));
  status.Update(sizes_.CopyToHost(absl::MakeSpan(state.sizes)));
  status.Update(last_times_.CopyToHost(absl::MakeSpan(state.last_times)));
  if (!status.ok()) return status;
  ASSIGN_OR_RETURN(auto tail_keys, tail_keys_.ToHost());
  ASSIGN_OR_RETURN(auto tail_sums, tail_sums_.ToHost());

  // (cluster * 2^32 + term, sum) of slots and table; a term may be in both.
  std::vector<std::pair<uint64_t, int64_t>> all;
  const auto is_open = [&](uint64_t cluster) {
    return !IsExpired(state.last_times[cluster], clock, expire_after);
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
