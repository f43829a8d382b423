// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/batch_delta.h"

#include <algorithm>
#include <cstddef>

#include "algorithms/online/clusters/list_search.h"

namespace warpclust {

void BatchDelta::Reserve(int32_t num_clusters, int32_t num_terms) {
  if (places_.size() < static_cast<size_t>(num_clusters)) {
    places_.resize(num_clusters, kNone);
  }
  for (Part& part : parts_) part.lists.ReserveTerms(num_terms);
}

void BatchDelta::Set(int32_t cluster, absl::Span<const int32_t> terms,
                     absl::Span<const int32_t> weights) {
  Part& part = parts_[now_];
  const int32_t place = places_[cluster];
  if (place != kNone && place % 2 == now_) {
    part.vectors.Replace(place / 2, terms, weights, &part.lists);
    return;
  }
  if (place != kNone) parts_[place % 2].clusters[place / 2] = kNone;
  const auto slot = static_cast<int32_t>(part.clusters.size());
  part.clusters.push_back(cluster);
  if (part.similarities.size() < part.clusters.size()) {
    part.similarities.push_back(0);
    candidates_.resize(std::max(candidates_.size(), part.clusters.size() + 1));
    part.vectors.Reserve(slot + 1);
  }
  part.vectors.Set(slot, terms, weights);
  part.vectors.Fill(slot, &part.lists);
  places_[cluster] = 2 * slot + now_;
}

void BatchDelta::NextBatch() {
  now_ = 1 - now_;
  Part& part = parts_[now_];
  for (size_t slot = 0; slot < part.clusters.size(); ++slot) {
    const absl::Span<const int32_t> terms =
        part.vectors.TermsOf(static_cast<int32_t>(slot));
    for (const int32_t term : terms) part.lists.Clear(term);
    if (part.clusters[slot] != kNone) places_[part.clusters[slot]] = kNone;
  }
  part.clusters.clear();
}

void BatchDelta::Improve(absl::Span<const int32_t> terms,
                         absl::Span<const int32_t> weights,
                         absl::FunctionRef<bool(int32_t)> accepts,
                         int32_t* cluster, int64_t* similarity) {
  for (Part& part : parts_) {
    const size_t count =
        AddPartialProducts(terms, weights, part.lists, part.similarities.data(),
                           candidates_.data(), &partial_products_);
    for (size_t i = 0; i < count; ++i) {
      const int32_t slot = candidates_[i];
      const int64_t found = part.similarities[slot];
      part.similarities[slot] = 0;
      if (found < *similarity) continue;
      const int32_t other = part.clusters[slot];
      if (other == kNone) continue;
      if (found == *similarity && (*cluster == kNone || other > *cluster)) {
        continue;
      }
      if (!accepts(other)) continue;
      *similarity = found;
      *cluster = other;
    }
  }
}

void BatchDelta::PrefetchHeads(absl::Span<const int32_t> terms) const {
  for (const Part& part : parts_) {
    for (const int32_t term : terms) part.lists.PrefetchHead(term);
  }
}

void BatchDelta::PrefetchLists(absl::Span<const int32_t> terms) const {
  for (const Part& part : parts_) {
    for (const int32_t term : terms) {
      __builtin_prefetch(part.lists[term].data());
    }
  }
}

}  // namespace warpclust
