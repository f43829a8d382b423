// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/touched_clusters.h"

#include <utility>

namespace warpclust {

void TouchedClusters::Reserve(int32_t num_clusters, int32_t num_terms) {
  if (slots_.size() < static_cast<size_t>(num_clusters)) {
    slots_.resize(num_clusters, kNone);
  }
  lists_.ReserveTerms(num_terms);
}

void TouchedClusters::Set(int32_t cluster, absl::Span<const int32_t> terms,
                          absl::Span<const int32_t> weights) {
  int32_t slot = slots_[cluster];
  if (slot == kNone) {
    if (free_slots_.empty()) {
      free_slots_.push_back(static_cast<int32_t>(clusters_.size()));
      clusters_.push_back(kNone);
      is_new_.push_back(false);
      similarities_.push_back(0);
      candidates_.resize(clusters_.size() + 1);
      vectors_.Reserve(static_cast<int32_t>(clusters_.size()));
    }
    slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[cluster] = slot;
    clusters_[slot] = cluster;
    is_new_[slot] = false;
  }
  if (!is_new_[slot]) {
    is_new_[slot] = true;
    in_this_batch_.push_back(cluster);
  }
  vectors_.Replace(slot, terms, weights, &lists_);
}

void TouchedClusters::NextBatch() {
  for (const int32_t cluster : in_last_batch_) {
    const int32_t slot = slots_[cluster];
    if (is_new_[slot]) continue;
    vectors_.Replace(slot, {}, {}, &lists_);
    slots_[cluster] = kNone;
    free_slots_.push_back(slot);
  }
  std::swap(in_this_batch_, in_last_batch_);
  in_this_batch_.clear();
  for (const int32_t cluster : in_last_batch_) is_new_[slots_[cluster]] = false;
}

void TouchedClusters::Improve(absl::Span<const int32_t> terms,
                              absl::Span<const int32_t> weights,
                              absl::FunctionRef<bool(int32_t)> accepts,
                              int32_t* cluster, int64_t* similarity) {
  int64_t* const similarities = similarities_.data();
  int32_t* const candidates = candidates_.data();
  size_t count = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const int64_t weight = weights[i];
    const absl::Span<const TermListEntry> list = lists_[terms[i]];
    for (const TermListEntry& entry : list) {
      // All products are positive: 0 is a slot not met before.
      const int64_t before = similarities[entry.row];
      candidates[count] = entry.row;
      count += before == 0 ? 1 : 0;
      similarities[entry.row] = before + weight * entry.weight;
    }
    partial_products_ += static_cast<int64_t>(list.size());
  }
  for (size_t i = 0; i < count; ++i) {
    const int32_t slot = candidates[i];
    const int64_t found = similarities[slot];
    similarities[slot] = 0;
    if (found < *similarity) continue;
    const int32_t other = clusters_[slot];
    if (found == *similarity && (*cluster == kNone || other > *cluster)) {
      continue;
    }
    if (!accepts(other)) continue;
    *similarity = found;
    *cluster = other;
  }
}

}  // namespace warpclust
