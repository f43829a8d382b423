// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/cheapest_path.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace warpclust {

// A state is 2 * vertex + (negative pairs on the way to it).
CheapestPaths::Workspace::Workspace(const CheapestPaths& paths) {
  for (Side& side : sides_) side.states.resize(2 * (paths.offsets_.size() - 1));
}

CheapestPaths::CheapestPaths(const AgreeingEdges& edges)
    : edges_(edges), offsets_(edges.offsets()) {
  entries_.reserve(edges.entries().size());
  for (const AgreeingEdges::Entry& entry : edges.entries()) {
    entries_.push_back({entry.neighbor, entry.pair, 0,
                        edges.pairs[entry.pair].negative ? 1 : 0});
  }
}

void CheapestPaths::SetPrices(const std::vector<float>& prices) {
  for (Entry& entry : entries_) entry.price = prices[entry.pair];
}

bool CheapestPaths::Search(int32_t contradicting, float limit,
                           Workspace* workspace) const {
  using State = Workspace::State;
  using Item = std::pair<float, int64_t>;
  const SignedPair& closing = edges_.pairs[contradicting];
  const int64_t num_negative = closing.negative ? 0 : 1;
  const int32_t search = ++workspace->search_;
  for (int s = 0; s < 2; ++s) {
    Workspace::Side& side = workspace->sides_[s];
    const int64_t state = 2 * int64_t{s == 0 ? closing.u : closing.v};
    side.states[state] = {search, 0, -1, -1};
    side.heap.assign(1, {0.0F, state});
  }
  // The path found must be below this, with kPairCost for each pair.
  float best = limit + 0.1F;
  int64_t meeting[2] = {-1, -1};
  const int64_t last_visit = workspace->visits + kMostVisits;
  while (workspace->visits < last_visit) {
    auto& [first, second] = workspace->sides_;
    if (first.heap.empty() || second.heap.empty()) break;
    if (first.heap[0].first + second.heap[0].first >= best) break;
    const int s = first.heap.size() <= second.heap.size() ? 0 : 1;
    Workspace::Side& side = workspace->sides_[s];
    const Workspace::Side& other = workspace->sides_[1 - s];
    std::pop_heap(side.heap.begin(), side.heap.end(), std::greater<Item>());
    const auto [cost, state] = side.heap.back();
    side.heap.pop_back();
    if (cost > side.states[state].cost) continue;
    const int64_t negative = state & 1;
    const int64_t begin = offsets_[state / 2];
    const int64_t end = offsets_[state / 2 + 1];
    workspace->visits += end - begin;
    for (int64_t i = begin; i < end; ++i) {
      const Entry& entry = entries_[i];
      if (negative + entry.negative > num_negative) continue;
      const float reached_cost = cost + entry.price + kPairCost;
      if (reached_cost >= best) continue;
      const int64_t reached =
          2 * int64_t{entry.neighbor} + negative + entry.negative;
      State& there = side.states[reached];
      if (there.search == search && there.cost <= reached_cost) continue;
      there = {search, reached_cost, i, state};
      side.heap.emplace_back(reached_cost, reached);
      std::push_heap(side.heap.begin(), side.heap.end(), std::greater<Item>());
      const int64_t rest = reached - 2 * (reached & 1) + num_negative;
      const State& met = other.states[rest];
      if (met.search != search || met.cost + reached_cost >= best) continue;
      best = met.cost + reached_cost;
      meeting[s] = reached;
      meeting[1 - s] = rest;
    }
  }
  if (meeting[0] < 0) return false;
  std::vector<int32_t>& path = workspace->path;
  path.clear();
  float price = 0;
  for (int s = 0; s < 2; ++s) {
    const std::vector<State>& states = workspace->sides_[s].states;
    for (int64_t state = meeting[s]; states[state].by >= 0;
         state = states[state].before) {
      path.push_back(entries_[states[state].by].pair);
      price += entries_[states[state].by].price;
    }
    if (s == 0) std::reverse(path.begin(), path.end());
  }
  if (price >= limit) return false;
  std::vector<int32_t> sorted = path;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace warpclust
