// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/dense_clusters.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warpclust {

DenseClusters::DenseClusters(const OnlineState& state)
    : num_dimensions_(state.num_terms) {
  for (int32_t c = 0; c < state.num_clusters(); ++c) {
    Append(state.sizes[c], state.last_times[c]);
    const absl::Span<const int32_t> terms = state.TermsOf(c);
    const absl::Span<const int64_t> sums = state.SumsOf(c);
    for (size_t i = 0; i < terms.size(); ++i) sums_[At(c) + terms[i]] = sums[i];
    is_stale_[c] = true;
    closed_[c] = terms.empty();
  }
}

void DenseClusters::SetDimensions(int32_t num_dimensions) {
  num_dimensions_ = num_dimensions;
  sums_.resize(At(size()));
  weights_.resize(At(size()));
}

int32_t DenseClusters::Append(int64_t size, int64_t last_time) {
  const int32_t cluster = this->size();
  sizes_.push_back(size);
  last_times_.push_back(last_time);
  closed_.push_back(false);
  is_stale_.push_back(false);
  sums_.resize(At(cluster + 1));
  weights_.resize(At(cluster + 1));
  return cluster;
}

void DenseClusters::Weigh(int32_t cluster) const {
  is_stale_[cluster] = false;
  ClusterWeights(
      absl::MakeConstSpan(sums_).subspan(At(cluster), num_dimensions_),
      weights_.data() + At(cluster));
}

int32_t DenseClusters::Found(const int32_t* weights, int64_t clock) {
  const int32_t cluster = Append(0, clock);
  Join(cluster, weights, clock);
  return cluster;
}

void DenseClusters::Join(int32_t cluster, const int32_t* weights,
                         int64_t clock) {
  ++sizes_[cluster];
  last_times_[cluster] = clock;
  int64_t* const sums = sums_.data() + At(cluster);
  for (int32_t k = 0; k < num_dimensions_; ++k) sums[k] += weights[k];
  is_stale_[cluster] = true;
}

void DenseClusters::Merge(int32_t from, int32_t into) {
  for (int32_t k = 0; k < num_dimensions_; ++k) {
    sums_[At(into) + k] += sums_[At(from) + k];
  }
  sizes_[into] += std::exchange(sizes_[from], 0);
  last_times_[into] = std::max(last_times_[into], last_times_[from]);
  is_stale_[into] = true;
  Close(from);
}

void DenseClusters::Close(int32_t cluster) {
  std::fill_n(sums_.begin() + At(cluster), num_dimensions_, 0);
  std::fill_n(weights_.begin() + At(cluster), num_dimensions_, 0);
  is_stale_[cluster] = false;
  closed_[cluster] = true;
}

OnlineState DenseClusters::State() const {
  OnlineState state;
  state.offsets.reserve(sizes_.size() + 1);
  for (int32_t c = 0; c < size(); ++c) {
    for (int32_t k = 0; k < num_dimensions_; ++k) {
      const int64_t sum = sums_[At(c) + k];
      if (sum == 0) continue;
      state.terms.push_back(k);
      state.sums.push_back(sum);
    }
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
  }
  state.sizes = sizes_;
  state.last_times = last_times_;
  return state;
}

}  // namespace warpclust
