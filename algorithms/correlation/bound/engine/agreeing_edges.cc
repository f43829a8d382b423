// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/engine/agreeing_edges.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace warpclust {
namespace {

// A state is 8 * vertex + 2 * (pairs with nothing left) + (negative pairs).
constexpr int kStates = 8;

// Whether this search does not see a pair with nothing left.
bool Hidden(int32_t pair, uint64_t shuffle) {
  if (shuffle == 0) return false;
  const uint64_t mixed = static_cast<uint64_t>(pair) * 0x9E3779B97F4A7C15u +
                         shuffle * 0xD1342543DE82EF95u;
  return mixed >> 63 == 0;
}

}  // namespace

AgreeingEdges::AgreeingEdges(const SignedGraph& graph,
                             absl::Span<const int32_t> labels) {
  const int32_t n = graph.num_vertices();
  offsets_.assign(n + size_t{1}, 0);
  for (int32_t u = 0; u < n; ++u) {
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      const int32_t v = graph.neighbors[i];
      if (v < u) continue;
      const int64_t weight = graph.weights[i];
      const bool agrees = (weight < 0) != (labels[u] == labels[v]);
      pairs.push_back({u, v, weight < 0, agrees, std::abs(weight)});
      if (!agrees) continue;
      ++offsets_[u + 1];
      ++offsets_[v + 1];
    }
  }
  for (int32_t v = 0; v < n; ++v) offsets_[v + 1] += offsets_[v];
  entries_.resize(offsets_[n]);
  std::vector<int64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const SignedPair& pair = pairs[i];
    if (!pair.agrees) continue;
    entries_[next[pair.u]++] = {pair.v, static_cast<int32_t>(i)};
    entries_[next[pair.v]++] = {pair.u, static_cast<int32_t>(i)};
  }
  for (Side& side : sides_) {
    side.search.assign(size_t{kStates} * n, 0);
    side.before.resize(size_t{kStates} * n);
    side.by.resize(size_t{kStates} * n);
  }
}

void AgreeingEdges::Unwind(const Side& side, int64_t state) {
  for (; side.by[state] >= 0; state = side.before[state]) {
    path_.push_back(side.by[state]);
  }
}

AgreeingEdges::Found AgreeingEdges::Search(int32_t contradicting,
                                           const PathLimits& limits) {
  const SignedPair& closing = pairs[contradicting];
  const int num_negative = closing.negative ? 0 : 1;
  const int64_t last_visit = limits.visits > 0 ? visits_ + limits.visits : 0;
  ++search_;
  for (int s = 0; s < 2; ++s) {
    Side& side = sides_[s];
    const int64_t state = int64_t{kStates} * (s == 0 ? closing.u : closing.v);
    side.frontier.assign(1, state);
    side.search[state] = search_;
    side.by[state] = -1;
  }
  for (int length = 1; length <= limits.length; ++length) {
    const int s = sides_[1].frontier.size() < sides_[0].frontier.size() ? 1 : 0;
    Side& side = sides_[s];
    const Side& other = sides_[1 - s];
    next_.clear();
    for (const int64_t state : side.frontier) {
      const int64_t vertex = state / kStates;
      const int64_t begin = offsets_[vertex];
      const int64_t degree = offsets_[vertex + 1] - begin;
      visits_ += degree;
      if (last_visit > 0 && visits_ > last_visit) return Found::kTooManyVisits;
      if (degree == 0) continue;
      int64_t i = static_cast<int64_t>(limits.shuffle % degree);
      for (int64_t k = 0; k < degree; ++k, ++i) {
        if (i == degree) i = 0;
        const Entry entry = entries_[begin + i];
        const SignedPair& pair = pairs[entry.pair];
        const int negative = (state & 1) + (pair.negative ? 1 : 0);
        const int used_up = (state / 2 & 3) + (pair.left == 0 ? 1 : 0);
        if (negative > num_negative || used_up > limits.used_up) continue;
        if (pair.left == 0 && Hidden(entry.pair, limits.shuffle)) continue;
        const int64_t place = int64_t{kStates} * entry.neighbor;
        const int64_t reached = place + 2 * used_up + negative;
        if (side.search[reached] == search_) continue;
        // Was it reached as soon with fewer?
        if (used_up > 0 && side.search[reached - 2] == search_) continue;
        side.search[reached] = search_;
        side.before[reached] = state;
        side.by[reached] = entry.pair;
        for (int rest = 0; rest + used_up <= limits.used_up; ++rest) {
          const int64_t meeting = place + 2 * rest + (num_negative - negative);
          if (other.search[meeting] != search_) continue;
          path_.clear();
          Unwind(sides_[0], s == 0 ? reached : meeting);
          std::reverse(path_.begin(), path_.end());
          Unwind(sides_[1], s == 0 ? meeting : reached);
          return Found::kPath;
        }
        next_.push_back(reached);
      }
    }
    side.frontier.swap(next_);
    if (side.frontier.empty()) return Found::kNone;
  }
  return Found::kTooLong;
}

}  // namespace warpclust
