// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/testing/random_changes.h"

#include <vector>

namespace warpclust {

RandomChanges::RandomChanges(uint32_t seed)
    : random_(seed),
      weight_kind_(Below(3)),
      most_added_(1 + Below(20)),
      percent_(1 + Below(100)) {}

float RandomChanges::Weight() {
  if (weight_kind_ == 0) return 0.5f;
  if (weight_kind_ == 1) return (1 + Below(4)) / 4.0f;
  return 0.25f + 0.75f * (static_cast<float>(random_() >> 8) / 16777216.0f);
}

void RandomChanges::Join(int32_t v, const std::set<int32_t>& others,
                         int percent, NaiveChange* change) {
  for (const int32_t u : others) {
    if (u == v || change->removed.count(u) || Below(100) >= percent) continue;
    change->edges.push_back({u, v, Weight()});
  }
}

NaiveChange RandomChanges::Next(const NaiveGraph& graph) {
  NaiveChange change;
  std::vector<int32_t> present;
  for (const auto& [v, row] : graph) present.push_back(v);

  // Removals: none, a few, many, all.
  const int kind = Below(12);
  const int percent_removed = kind < 4    ? 0
                              : kind < 10 ? 4
                              : kind < 11 ? 50
                                          : (Below(4) == 0 ? 100 : 20);
  const bool is_full = present.size() > 60;
  for (const int32_t v : present) {
    if (Below(100) < (is_full ? percent_removed + 10 : percent_removed)) {
      change.removed.insert(v);
    }
  }

  // Modifications: a fifth of the removed come back.
  for (const int32_t v : change.removed) {
    if (Below(5) > 0) continue;
    const int32_t again = next_vertex_++;
    std::set<int32_t> near;
    for (const auto& [u, weight] : graph.at(v)) near.insert(u);
    Join(again, near, 80, &change);
    change.added.insert(again);
  }

  const int32_t num_added = Below(4) == 0 ? 0 : Below(most_added_ + 1);
  for (int32_t i = 0; i < num_added; ++i) {
    const int32_t v = next_vertex_++;
    const std::set<int32_t> all(present.begin(), present.end());
    switch (Below(5)) {
      case 0:  // near one that is there: its neighbors and itself
        if (!present.empty()) {
          const int32_t beside =
              present[Below(static_cast<int32_t>(present.size()))];
          std::set<int32_t> near = {beside};
          for (const auto& [u, weight] : graph.at(beside)) near.insert(u);
          Join(v, near, percent_, &change);
        }
        break;
      case 1:  // anywhere, few
        Join(v, all, 5, &change);
        break;
      case 2:  // a hub, now and then
        Join(v, all, Below(4) == 0 ? 60 : 2, &change);
        break;
      case 3:  // with those that are added too
        Join(v, change.added, percent_, &change);
        break;
      default:  // both, or isolated
        if (Below(3) > 0) {
          Join(v, change.added, 20, &change);
          Join(v, all, 3, &change);
        }
        break;
    }
    change.added.insert(v);
  }
  return change;
}

}  // namespace warpclust
