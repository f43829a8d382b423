// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/cluster_sums.h"

#include <algorithm>

#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {
namespace {

// The place of `term` among `count` > 0 ascending terms, or where it would be.
// Without a branch on the terms, which would be mispredicted half of the time.
int32_t PlaceOf(int32_t term, const int32_t* terms, int32_t count) {
  const int32_t* first = terms;
  while (count > 1) {
    const int32_t half = count / 2;
    first += first[half] <= term ? half : 0;
    count -= half;
  }
  return static_cast<int32_t>(first - terms);
}

}  // namespace

ClusterSums::ClusterSums(const OnlineOptions& options)
    : stride_(options.terms), has_tails_(!options.truncated_mean) {
  entering_.resize(OnlineOptions::kMaxTerms + 1);
  ranked_.reserve(2 * OnlineOptions::kMaxTerms);
}

ClusterSums::ClusterSums(const OnlineOptions& options, const OnlineState& state)
    : ClusterSums(options) {
  for (int32_t c = 0; c < state.num_clusters(); ++c) {
    AppendEmpty();
    Set(c, state.sizes[c], state.last_times[c], state.TermsOf(c),
        state.SumsOf(c));
  }
}

void ClusterSums::Set(int32_t cluster, int64_t num_documents, int64_t last_time,
                      absl::Span<const int32_t> terms,
                      absl::Span<const int64_t> sums) {
  Close(cluster);
  headers_[cluster].size = num_documents;
  headers_[cluster].last_time = last_time;
  Add(cluster, terms, sums);
}

int32_t ClusterSums::Append(int64_t clock) {
  const int32_t cluster = size();
  headers_.emplace_back();
  headers_.back().last_time = clock;
  const size_t slots = (static_cast<size_t>(cluster) + 1) * stride_;
  terms_.resize(slots);
  sums_.resize(slots);
  return cluster;
}

void ClusterSums::Weigh(int32_t cluster, int32_t* weights) const {
  const int64_t* const sums = sums_.data() + At(cluster);
  const int32_t count = headers_[cluster].count;
  unsigned __int128 squares = 0;
  for (int32_t i = 0; i < count; ++i) {
    squares += static_cast<unsigned __int128>(static_cast<uint64_t>(sums[i])) *
               static_cast<uint64_t>(sums[i]);
  }
  const double scale = UnitScale(static_cast<uint64_t>(squares >> 64),
                                 static_cast<uint64_t>(squares));
  for (int32_t i = 0; i < count; ++i) weights[i] = UnitWeight(sums[i], scale);
}

int32_t ClusterSums::Found(absl::Span<const int32_t> terms,
                           absl::Span<const int32_t> weights, int64_t clock) {
  const int32_t cluster = Append(clock);
  headers_[cluster].size = 1;
  headers_[cluster].count = static_cast<int32_t>(terms.size());
  std::copy(terms.begin(), terms.end(), terms_.begin() + At(cluster));
  std::copy(weights.begin(), weights.end(), sums_.begin() + At(cluster));
  return cluster;
}

void ClusterSums::Join(int32_t cluster, absl::Span<const int32_t> terms,
                       absl::Span<const int32_t> weights, int64_t clock) {
  ++headers_[cluster].size;
  headers_[cluster].last_time = clock;
  Add(cluster, terms, weights);
}

template <typename Weight>
void ClusterSums::Add(int32_t cluster, absl::Span<const int32_t> terms,
                      absl::Span<const Weight> weights) {
  Header& header = headers_[cluster];
  const int32_t* const kept = terms_.data() + At(cluster);
  int64_t* const sums = sums_.data() + At(cluster);
  const int32_t count = header.count;

  // The tail is needed later; which places is known now.
  if (count == stride_) PrefetchTail(cluster, terms);

  // Kept sums grow in place. The loop writes one place more than can enter.
  entering_.resize(std::max(entering_.size(), terms.size() + 1));
  TermSum* const entering = entering_.data();
  size_t entered = 0;
  if (count == 0) {
    for (size_t i = 0; i < terms.size(); ++i) {
      entering[entered++] = {weights[i], terms[i]};
    }
  } else {
    for (size_t i = 0; i < terms.size(); ++i) {
      const int32_t place = PlaceOf(terms[i], kept, count);
      const bool is_kept = kept[place] == terms[i];
      const int64_t weight = weights[i];
      sums[place] += is_kept ? weight : 0;
      entering[entered] = {weight, terms[i]};
      entered += is_kept ? 0 : 1;
    }
  }

  if (count == stride_ && entered > 0) {
    // Most entering terms stay below the smallest kept sum.
    TermSum least = {sums[0], kept[0]};
    for (int32_t i = 1; i < count; ++i) {
      if (sums[i] <= least.sum) least = {sums[i], kept[i]};
    }
    if (has_tails_) MakeRoomFor(entered, &header.tail);
    size_t above = 0;
    for (size_t i = 0; i < entered; ++i) {
      int64_t forgotten = 0;
      int64_t& in_tail = has_tails_ ? header.tail[entering[i].term] : forgotten;
      entering[i].sum += in_tail;
      const bool enters = Outranks(entering[i], least);
      in_tail = enters ? 0 : entering[i].sum;
      entering[above] = entering[i];
      above += enters ? 1 : 0;
    }
    entered = above;
  }
  if (entered == 0) return;
  entering_.resize(entered);
  if (count + static_cast<int64_t>(entered) > stride_) MoveToTail(cluster);
  Insert(cluster);
}

void ClusterSums::MoveToTail(int32_t cluster) {
  Header& header = headers_[cluster];
  int32_t* const kept = terms_.data() + At(cluster);
  int64_t* const sums = sums_.data() + At(cluster);
  ranked_.clear();
  for (int32_t i = 0; i < header.count; ++i) {
    ranked_.push_back({sums[i], kept[i]});
  }
  ranked_.insert(ranked_.end(), entering_.begin(), entering_.end());
  std::nth_element(
      ranked_.begin(), ranked_.begin() + stride_, ranked_.end(),
      [](const TermSum& a, const TermSum& b) { return Outranks(a, b); });
  const TermSum limit = ranked_[stride_];
  if (has_tails_) {
    MakeRoomFor(ranked_.size() - stride_, &header.tail);
    for (size_t i = stride_; i < ranked_.size(); ++i) {
      header.tail[ranked_[i].term] = ranked_[i].sum;
    }
  }
  int32_t count = 0;
  for (int32_t i = 0; i < header.count; ++i) {
    const TermSum entry = {sums[i], kept[i]};
    sums[count] = entry.sum;
    kept[count] = entry.term;
    count += Outranks(entry, limit) ? 1 : 0;
  }
  header.count = count;
  size_t entered = 0;
  for (const TermSum& entry : entering_) {
    entering_[entered] = entry;
    entered += Outranks(entry, limit) ? 1 : 0;
  }
  entering_.resize(entered);
}

void ClusterSums::Insert(int32_t cluster) {
  Header& header = headers_[cluster];
  int32_t* const kept = terms_.data() + At(cluster);
  int64_t* const sums = sums_.data() + At(cluster);
  // From the last to the first, so that nothing is overwritten before it moves.
  int32_t i = header.count - 1;
  int32_t to = header.count + static_cast<int32_t>(entering_.size()) - 1;
  header.count = to + 1;
  for (auto entry = entering_.rbegin(); entry != entering_.rend(); ++entry) {
    for (; i >= 0 && kept[i] > entry->term; --i, --to) {
      kept[to] = kept[i];
      sums[to] = sums[i];
    }
    kept[to] = entry->term;
    sums[to--] = entry->sum;
  }
}

void ClusterSums::Merge(int32_t from, int32_t into) {
  std::vector<std::pair<int32_t, int64_t>> added;
  AppendSums(from, &added);
  std::vector<int32_t> terms;
  std::vector<int64_t> sums;
  for (const auto& [term, sum] : added) {
    terms.push_back(term);
    sums.push_back(sum);
  }
  Add(into, absl::MakeConstSpan(terms), absl::MakeConstSpan(sums));
  headers_[into].size += std::exchange(headers_[from].size, 0);
  headers_[into].last_time =
      std::max(headers_[into].last_time, headers_[from].last_time);
  Close(from);
}

void ClusterSums::Close(int32_t cluster) {
  headers_[cluster].count = 0;
  tail_bytes_ -= headers_[cluster].tail.bytes();
  headers_[cluster].tail = TailSums();
}

void ClusterSums::Prefetch(int32_t cluster) const {
  __builtin_prefetch(&headers_[cluster]);
  const int32_t* const kept = terms_.data() + At(cluster);
  const int64_t* const sums = sums_.data() + At(cluster);
  for (int32_t i = 0; i < stride_; i += 16) __builtin_prefetch(kept + i);
  for (int32_t i = 0; i < stride_; i += 8) __builtin_prefetch(sums + i, 1);
}

void ClusterSums::PrefetchTail(int32_t cluster,
                               absl::Span<const int32_t> terms) const {
  const TailSums& tail = headers_[cluster].tail;
  if (tail.empty()) return;
  for (const int32_t term : terms) __builtin_prefetch(tail.AddressOf(term), 1);
}

void ClusterSums::AppendSums(
    int32_t cluster, std::vector<std::pair<int32_t, int64_t>>* sums) const {
  const auto before = static_cast<int64_t>(sums->size());
  const Header& header = headers_[cluster];
  const int64_t begin = At(cluster);
  for (int64_t i = begin; i < begin + header.count; ++i) {
    sums->emplace_back(terms_[i], sums_[i]);
  }
  if (header.tail.empty()) return;
  header.tail.ForEach(
      [&](int32_t term, int64_t sum) { sums->emplace_back(term, sum); });
  std::sort(sums->begin() + before, sums->end());
}

OnlineState ClusterSums::State() const {
  OnlineState state;
  state.offsets.reserve(headers_.size() + 1);
  std::vector<std::pair<int32_t, int64_t>> sums;
  for (int32_t c = 0; c < size(); ++c) {
    state.sizes.push_back(headers_[c].size);
    state.last_times.push_back(headers_[c].last_time);
    sums.clear();
    AppendSums(c, &sums);
    for (const auto& [term, sum] : sums) {
      state.terms.push_back(term);
      state.sums.push_back(sum);
    }
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
  }
  return state;
}

}  // namespace warpclust
