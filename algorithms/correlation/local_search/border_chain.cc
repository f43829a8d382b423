// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/border_chain.h"

#include <algorithm>
#include <bit>

namespace warpclust {
namespace {

// How many entries of a row ahead vertices are prefetched.
constexpr int64_t kAhead = 16;
// Slots of the shortest chains: they fit into the first cache.
constexpr int kLeastSlotBits = 11;

size_t HashOf(int32_t v, int bits) {
  return static_cast<size_t>(static_cast<uint64_t>(v) * 0x9E3779B97F4A7C15u >>
                             (64 - bits));
}

}  // namespace

void BorderChain::Start(size_t expected) {
  seen_.clear();
  options_.clear();
  moved_.clear();
  best_length_ = 0;
  work_ = 0;
  slot_bits_ = std::max<int>(kLeastSlotBits, std::bit_width(2 * expected));
  slots_.assign(size_t{1} << slot_bits_, -1);
}

size_t BorderChain::SlotOf(int32_t v) const {
  const size_t mask = (size_t{1} << slot_bits_) - 1;
  size_t slot = HashOf(v, slot_bits_);
  while (slots_[slot] >= 0 && seen_[slots_[slot]].vertex != v) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

int32_t BorderChain::See(int32_t v) {
  const size_t slot = SlotOf(v);
  if (slots_[slot] >= 0) return slots_[slot];
  const auto index = static_cast<int32_t>(seen_.size());
  slots_[slot] = index;
  seen_.push_back({-vertices_[v].own, v, false});
  if (2 * seen_.size() >= size_t{1} << slot_bits_) GrowSlots();
  return index;
}

void BorderChain::GrowSlots() {
  ++slot_bits_;
  slots_.assign(size_t{1} << slot_bits_, -1);
  for (size_t i = 0; i < seen_.size(); ++i) {
    slots_[SlotOf(seen_[i].vertex)] = static_cast<int32_t>(i);
  }
}

int64_t BorderChain::Run(int32_t a, int32_t b,
                         absl::Span<const int32_t> members,
                         absl::Span<const CrossEdge> edges, int64_t least_own) {
  Start(2 * edges.size());
  unseen_ = members;
  for (const CrossEdge& edge : edges) {
    seen_[See(edge.u)].gain += edge.weight;
    seen_[See(edge.v)].gain += edge.weight;
  }
  for (size_t i = 0; i < seen_.size(); ++i) {
    options_.push_back(
        {seen_[i].gain, seen_[i].vertex, static_cast<int32_t>(i)});
  }
  std::make_heap(options_.begin(), options_.end());
  int64_t gain = 0;
  int64_t best = 0;
  Option option;
  while (moved_.size() < best_length_ + static_cast<size_t>(patience_) &&
         TakeOption(&option)) {
    Seen& seen = seen_[option.seen];
    if (seen.moved) continue;
    if (seen.gain < option.gain) AddOption(option.seen);
    if (seen.gain != option.gain) continue;
    if (!MayCatchUp(std::max(option.gain, -least_own), best - gain)) break;
    PrefetchNextRows();
    seen.moved = true;
    gain += option.gain;
    moved_.push_back(option.vertex);
    Shift(option, a, b);
    if (gain > best) {
      best = gain;
      best_length_ = moved_.size();
    }
  }
  return best;
}

bool BorderChain::TakeOption(Option* option) {
  while (!unseen_.empty() && slots_[SlotOf(unseen_.front())] >= 0) {
    unseen_.remove_prefix(1);
  }
  if (!unseen_.empty()) {
    const int32_t v = unseen_.front();
    *option = {-vertices_[v].own, v, -1};
    if (options_.empty() || options_.front() < *option) {
      option->seen = See(v);
      return true;
    }
  }
  if (options_.empty()) return false;
  std::pop_heap(options_.begin(), options_.end());
  *option = options_.back();
  options_.pop_back();
  return true;
}

bool BorderChain::MayCatchUp(int64_t most, int64_t behind) const {
  if (most > 0) return true;
  // The moves before the chain ends, if none of them ends a better prefix.
  const auto left =
      static_cast<int64_t>(best_length_ + patience_ - moved_.size());
  if (left == 1) return false;
  // A move adds at most twice the heaviest weight to what another one gains. So
  // j moves gain at most j most + j (j - 1) heaviest_, which is convex in j and
  // not positive for j = 1. It exceeds `behind` for j = left if for any j.
  return heaviest_ > (behind / left - most) / (left - 1);
}

// Asks for the memory that the next moves read: in a large graph, a chain
// mostly waits for it.
void BorderChain::PrefetchNextRows() const {
  const auto prefetch = [this](int32_t v) {
    const int64_t row = graph_.offsets[v];
    __builtin_prefetch(graph_.neighbors.data() + row);
    __builtin_prefetch(graph_.weights.data() + row);
  };
  const size_t count = std::min<size_t>(options_.size(), 3);
  for (size_t i = 0; i < count; ++i) prefetch(options_[i].vertex);
  for (const int32_t v : unseen_.first(std::min<size_t>(unseen_.size(), 2))) {
    prefetch(v);
  }
}

// Moves a vertex to the other of a and b: the gains of its neighbors change.
void BorderChain::Shift(const Option& option, int32_t a, int32_t b) {
  const int32_t from = vertices_[option.vertex].label;
  const int64_t begin = graph_.offsets[option.vertex];
  const int64_t end = graph_.offsets[option.vertex + 1];
  work_ += end - begin;
  for (int64_t i = begin; i < std::min(begin + kAhead, end); ++i) {
    __builtin_prefetch(&vertices_[graph_.neighbors[i]]);
  }
  for (int64_t i = begin; i < end; ++i) {
    if (i + kAhead < end) {
      __builtin_prefetch(&vertices_[graph_.neighbors[i + kAhead]]);
    }
    const int32_t u = graph_.neighbors[i];
    const int32_t label = vertices_[u].label;
    if (label != a && label != b) continue;
    const size_t known = seen_.size();
    const int32_t index = See(u);
    Seen& seen = seen_[index];
    if (seen.moved) continue;
    const int64_t weight =
        label == from ? graph_.weights[i] : -graph_.weights[i];
    seen.gain += 2 * weight;
    if (seen_.size() > known || weight > 0) AddOption(index);
  }
}

void BorderChain::AddOption(int32_t seen) {
  options_.push_back({seen_[seen].gain, seen_[seen].vertex, seen});
  std::push_heap(options_.begin(), options_.end());
}

}  // namespace warpclust
