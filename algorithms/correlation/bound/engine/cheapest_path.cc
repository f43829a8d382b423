// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/engine/cheapest_path.h"

#include <algorithm>
#include <functional>

namespace warpclust {

CheapestPaths::Workspace::Workspace(const CheapestPaths& paths) {
  for (Side& side : sides_) side.states.resize(2 * (paths.offsets_.size() - 1));
}

CheapestPaths::CheapestPaths(const AgreeingEdges& edges)
    : edges_(edges), offsets_(edges.offsets()), prices_(edges.pairs.size()) {
  entries_.reserve(edges.entries().size());
  for (const AgreeingEdges::Entry& entry : edges.entries()) {
    entries_.push_back({entry.neighbor, entry.pair, 0,
                        edges.pairs[entry.pair].negative ? 1 : 0});
  }
}

void CheapestPaths::SetPrices(const std::vector<float>& prices) {
  prices_ = prices;
  for (Entry& entry : entries_) entry.price = prices[entry.pair];
}

bool CheapestPaths::Search(int32_t contradicting, float limit,
                           int64_t max_visits, Workspace* workspace) const {
  using State = Workspace::State;
  const SignedPair& closing = edges_.pairs[contradicting];
  const int32_t num_negative = closing.negative ? 0 : 1;
  const int32_t search = ++workspace->search_;
  auto& sides = workspace->sides_;
  for (int s = 0; s < 2; ++s) {
    const uint32_t state =
        2 * static_cast<uint32_t>(s == 0 ? closing.u : closing.v);
    sides[s].states[state] = {search, 0, -1};
    sides[s].heap.assign(1, PathKey(0, state));
  }
  // The path found must be below this, with kPairCost for each pair.
  float best = limit + kMostPairCosts;
  bool found = false;
  uint32_t meeting[2] = {0, 0};
  int64_t visits[2] = {0, 0};
  while (!sides[0].heap.empty() && !sides[1].heap.empty()) {
    const uint64_t tops[2] = {sides[0].heap[0], sides[1].heap[0]};
    if (PathCost(tops[0]) + PathCost(tops[1]) >= best) break;
    // Continues where fewer entries will have been looked at.
    int64_t after[2];
    for (int s = 0; s < 2; ++s) {
      const uint32_t vertex = PathState(tops[s]) / 2;
      after[s] = visits[s] + offsets_[vertex + 1] - offsets_[vertex];
    }
    const int s = after[0] <= after[1] ? 0 : 1;
    std::vector<uint64_t>& heap = sides[s].heap;
    std::vector<State>& own = sides[s].states;
    const std::vector<State>& other = sides[1 - s].states;
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    heap.pop_back();
    const uint32_t state = PathState(tops[s]);
    const float cost = PathCost(tops[s]);
    if (cost > own[state].cost) continue;
    if (after[s] + visits[1 - s] > max_visits) break;
    visits[s] = after[s];
    // The entries of a row lead to different states, and are all compared with
    // what was best before the row.
    const float before = best;
    const float other_cost = PathCost(tops[1 - s]);
    const auto negative = static_cast<int32_t>(state & 1);
    for (int64_t i = offsets_[state / 2]; i < offsets_[state / 2 + 1]; ++i) {
      const Entry& entry = entries_[i];
      if (negative + entry.negative > num_negative) continue;
      const float reached_cost = cost + entry.price + kPairCost;
      if (reached_cost >= before) continue;
      const auto reached = static_cast<uint32_t>(2 * int64_t{entry.neighbor} +
                                                 negative + entry.negative);
      const uint32_t rest = RestOfPath(reached, num_negative);
      const State& met = other[rest];
      const float sum = met.cost + reached_cost;
      const bool meets = met.search == search && sum < before;
      // Otherwise no better path continues from there.
      const bool continues = reached_cost + other_cost < before;
      if (!meets && !continues) continue;
      State& there = own[reached];
      if (there.search == search && there.cost <= reached_cost) continue;
      there = {search, reached_cost, entry.pair};
      if (continues) {
        heap.push_back(PathKey(reached_cost, reached));
        std::push_heap(heap.begin(), heap.end(), std::greater<>());
      }
      if (!meets || sum >= best) continue;
      best = sum;
      found = true;
      meeting[s] = reached;
      meeting[1 - s] = rest;
    }
  }
  workspace->visits += visits[0] + visits[1];
  if (!found) return false;
  std::vector<int32_t>& path = workspace->path;
  path.clear();
  float price = 0;
  for (int s = 0; s < 2; ++s) {
    const std::vector<State>& states = sides[s].states;
    uint32_t state = meeting[s];
    while (states[state].pair >= 0) {
      const int32_t index = states[state].pair;
      const SignedPair& pair = edges_.pairs[index];
      path.push_back(index);
      price += prices_[index];
      state = StateBefore(state, static_cast<uint32_t>(pair.u ^ pair.v),
                          pair.negative ? 1 : 0);
    }
    if (s == 0) std::reverse(path.begin(), path.end());
  }
  if (price >= limit) return false;
  std::vector<int32_t> sorted = path;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace warpclust
