// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/held_sums.h"

#include <algorithm>

namespace warpclust {

HeldSums::HeldSums(const OnlineOptions& options)
    : slot_bytes_(12 * int64_t{options.terms} + 40 + sizeof(Slot)),
      sums_(options) {}

std::vector<int32_t> HeldSums::clusters() const {
  std::vector<int32_t> clusters;
  for (const Slot& slot : held_) {
    if (slot.cluster != kNone) clusters.push_back(slot.cluster);
  }
  return clusters;
}

int32_t HeldSums::Take(int32_t cluster) {
  if (static_cast<size_t>(cluster) >= slots_.size()) {
    slots_.resize(std::max<size_t>(cluster + size_t{1}, 2 * slots_.size()),
                  kNone);
  }
  if (free_.empty()) {
    free_.push_back(sums_.size());
    sums_.AppendEmpty();
    held_.emplace_back();
  }
  const int32_t slot = free_.back();
  free_.pop_back();
  slots_[cluster] = slot;
  held_[slot].cluster = cluster;
  return slot;
}

void HeldSums::Use(int32_t slot) {
  held_[slot].used = batch_;
  const int64_t bytes = slot_bytes_ + sums_.TailBytes(slot);
  bytes_ += bytes - held_[slot].bytes;
  held_[slot].bytes = bytes;
}

void HeldSums::Hold(const PackedCluster& cluster) {
  const int32_t slot = Take(cluster.number);
  sums_.Set(slot, cluster.num_documents, cluster.last_time, cluster.terms,
            cluster.sums);
  Use(slot);
}

void HeldSums::Found(int32_t cluster, absl::Span<const int32_t> terms,
                     absl::Span<const int32_t> weights, int64_t clock) {
  const int32_t slot = Take(cluster);
  sums_.Set(slot, 0, clock, {}, {});
  sums_.Join(slot, terms, weights, clock);
  Use(slot);
}

void HeldSums::Join(int32_t cluster, absl::Span<const int32_t> terms,
                    absl::Span<const int32_t> weights, int64_t clock) {
  const int32_t slot = slots_[cluster];
  sums_.Join(slot, terms, weights, clock);
  Use(slot);
}

void HeldSums::Merge(int32_t from, int32_t into) {
  sums_.Merge(slots_[from], slots_[into]);
  Use(slots_[from]);
  Use(slots_[into]);
}

void HeldSums::Release(int32_t cluster, std::vector<int64_t>* pack) {
  const int32_t slot = slots_[cluster];
  PackCluster(sums_, slot, cluster, pack);
  sums_.Close(slot);
  bytes_ -= held_[slot].bytes;
  held_[slot] = Slot();
  slots_[cluster] = kNone;
  free_.push_back(slot);
}

std::vector<int32_t> HeldSums::Excess(int64_t most_bytes) {
  ++batch_;
  if (bytes_ <= most_bytes) return {};
  std::vector<Slot> by_use;
  for (const Slot& slot : held_) {
    if (slot.cluster != kNone) by_use.push_back(slot);
  }
  std::sort(by_use.begin(), by_use.end(), [](const Slot& a, const Slot& b) {
    return a.used != b.used ? a.used < b.used : a.cluster < b.cluster;
  });
  std::vector<int32_t> excess;
  int64_t left = bytes_;
  for (const Slot& slot : by_use) {
    if (left <= most_bytes / 2) break;
    left -= slot.bytes;
    excess.push_back(slot.cluster);
  }
  return excess;
}

}  // namespace warpclust
