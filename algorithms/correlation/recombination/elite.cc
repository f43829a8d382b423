// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/elite.h"

#include <algorithm>
#include <utility>

namespace warpclust {

void KeepBest(size_t count, std::vector<Candidate>* candidates) {
  std::stable_sort(candidates->begin(), candidates->end(), IsBetter);
  if (candidates->size() > count) candidates->resize(count);
}

void Elite::Add(Candidate candidate) {
  const auto place = std::upper_bound(candidates_.begin(), candidates_.end(),
                                      candidate, IsBetter);
  for (auto it = candidates_.begin(); it != place; ++it) {
    if (it->labels == candidate.labels) return;
  }
  candidates_.insert(place, std::move(candidate));
  if (candidates_.size() > kNumElite) candidates_.pop_back();
  control_.Report(best().imbalance);
}

}  // namespace warpclust
