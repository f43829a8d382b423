// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/cluster_vectors.h"

#include <algorithm>
#include <utility>

#include "algorithms/online/online_options.h"
#include "algorithms/online/unit_vectors.h"

namespace warpclust {
namespace {

// Whether a sum outranks another: the larger, then that of the smaller term.
bool Outranks(int64_t sum, int32_t term, int64_t other_sum,
              int32_t other_term) {
  return sum != other_sum ? sum > other_sum : term < other_term;
}

}  // namespace

ClusterVectors::ClusterVectors(int32_t terms) : stride_(terms) {
  merged_.reserve(size_t{2} * OnlineOptions::kMaxTerms);
  ranked_.reserve(size_t{2} * OnlineOptions::kMaxTerms);
}

ClusterVectors::ClusterVectors(int32_t terms, const OnlineState& state)
    : ClusterVectors(terms) {
  for (int32_t c = 0; c < state.num_clusters(); ++c) {
    Append(state.last_times[c]);
    sizes_[c] = state.sizes[c];
    const absl::Span<const int32_t> row = state.TermsOf(c);
    const absl::Span<const int64_t> sums = state.SumsOf(c);
    merged_.clear();
    for (size_t i = 0; i < row.size(); ++i) {
      merged_.push_back({sums[i], row[i], kNew});
    }
    KeepLargest(c, nullptr);
    Weigh(c);
  }
}

int32_t ClusterVectors::Append(int64_t clock) {
  const int32_t cluster = size();
  counts_.push_back(0);
  sizes_.push_back(0);
  last_times_.push_back(clock);
  tails_.emplace_back();
  const size_t slots = (static_cast<size_t>(cluster) + 1) * stride_;
  terms_.resize(slots);
  weights_.resize(slots);
  sums_.resize(slots);
  positions_.resize(slots);
  return cluster;
}

void ClusterVectors::Weigh(int32_t cluster) {
  const int64_t begin = At(cluster);
  const int64_t end = begin + counts_[cluster];
  unsigned __int128 squares = 0;
  for (int64_t i = begin; i < end; ++i) {
    squares += static_cast<unsigned __int128>(sums_[i]) * sums_[i];
  }
  const double scale = UnitScale(static_cast<uint64_t>(squares >> 64),
                                 static_cast<uint64_t>(squares));
  for (int64_t i = begin; i < end; ++i) {
    weights_[i] = UnitWeight(sums_[i], scale);
  }
}

void ClusterVectors::RemoveEntry(int32_t term, int32_t position,
                                 DynamicTermLists* lists) {
  const int32_t row = lists->Remove(term, position);
  if (row == DynamicTermLists::kNoRow) return;
  const int64_t begin = At(row);
  const int32_t* const first = terms_.data() + begin;
  const int32_t* const found =
      std::lower_bound(first, first + counts_[row], term);
  positions_[begin + (found - first)] = position;
}

int32_t ClusterVectors::Found(absl::Span<const int32_t> terms,
                              absl::Span<const int32_t> weights, int64_t clock,
                              DynamicTermLists* lists) {
  const int32_t cluster = Append(clock);
  sizes_[cluster] = 1;
  counts_[cluster] = static_cast<int32_t>(terms.size());
  const int64_t begin = At(cluster);
  for (size_t i = 0; i < terms.size(); ++i) {
    terms_[begin + i] = terms[i];
    sums_[begin + i] = weights[i];
  }
  Weigh(cluster);
  for (size_t i = 0; i < terms.size(); ++i) {
    positions_[begin + i] =
        lists->Insert(terms[i], cluster, weights_[begin + i]);
  }
  return cluster;
}

void ClusterVectors::KeepLargest(int32_t cluster, DynamicTermLists* lists) {
  if (merged_.size() > static_cast<size_t>(stride_)) {
    ranked_.assign(merged_.begin(), merged_.end());
    std::nth_element(ranked_.begin(), ranked_.begin() + stride_, ranked_.end(),
                     [](const Merged& a, const Merged& b) {
                       return Outranks(a.sum, a.term, b.sum, b.term);
                     });
    const Merged limit = ranked_[stride_];
    if (tails_[cluster] == nullptr) tails_[cluster] = std::make_unique<Tail>();
    size_t kept = 0;
    for (const Merged& entry : merged_) {
      if (Outranks(entry.sum, entry.term, limit.sum, limit.term)) {
        merged_[kept++] = entry;
      } else {
        (*tails_[cluster])[entry.term] = entry.sum;
        if (entry.position != kNew) {
          RemoveEntry(entry.term, entry.position, lists);
        }
      }
    }
    merged_.resize(kept);
  }
  const int64_t begin = At(cluster);
  for (size_t i = 0; i < merged_.size(); ++i) {
    terms_[begin + i] = merged_[i].term;
    sums_[begin + i] = merged_[i].sum;
    positions_[begin + i] = merged_[i].position;
  }
  counts_[cluster] = static_cast<int32_t>(merged_.size());
}

template <typename Weight>
void ClusterVectors::AddSums(int32_t cluster, absl::Span<const int32_t> terms,
                             absl::Span<const Weight> weights,
                             DynamicTermLists* lists) {
  const int64_t begin = At(cluster);
  const int32_t count = counts_[cluster];
  Tail* const tail = tails_[cluster].get();

  // Both ascend by term.
  merged_.clear();
  size_t d = 0;
  int32_t c = 0;
  while (d < terms.size()) {
    while (c < count && terms_[begin + c] < terms[d]) {
      merged_.push_back(
          {sums_[begin + c], terms_[begin + c], positions_[begin + c]});
      ++c;
    }
    int64_t sum = weights[d];
    if (c < count && terms_[begin + c] == terms[d]) {
      merged_.push_back(
          {sums_[begin + c] + sum, terms[d], positions_[begin + c]});
      ++c;
    } else {
      if (tail != nullptr) {
        const auto known = tail->find(terms[d]);
        if (known != tail->end()) {
          sum += known->second;
          tail->erase(known);
        }
      }
      merged_.push_back({sum, terms[d], kNew});
    }
    ++d;
  }
  for (; c < count; ++c) {
    merged_.push_back(
        {sums_[begin + c], terms_[begin + c], positions_[begin + c]});
  }
  KeepLargest(cluster, lists);
  Weigh(cluster);
  for (int64_t i = begin; i < begin + counts_[cluster]; ++i) {
    if (positions_[i] == kNew) {
      positions_[i] = lists->Insert(terms_[i], cluster, weights_[i]);
    } else {
      lists->SetWeight(terms_[i], positions_[i], weights_[i]);
    }
  }
}

void ClusterVectors::Join(int32_t cluster, absl::Span<const int32_t> terms,
                          absl::Span<const int32_t> weights, int64_t clock,
                          DynamicTermLists* lists) {
  ++sizes_[cluster];
  last_times_[cluster] = clock;
  AddSums(cluster, terms, weights, lists);
}

void ClusterVectors::Merge(int32_t from, int32_t into,
                           DynamicTermLists* lists) {
  std::vector<std::pair<int32_t, int64_t>> added;
  AppendSums(from, &added);
  std::vector<int32_t> terms;
  std::vector<int64_t> sums;
  for (const auto& [term, sum] : added) {
    terms.push_back(term);
    sums.push_back(sum);
  }
  AddSums(into, absl::MakeConstSpan(terms), absl::MakeConstSpan(sums), lists);
  sizes_[into] += std::exchange(sizes_[from], 0);
  last_times_[into] = std::max(last_times_[into], last_times_[from]);
  counts_[from] = 0;
  tails_[from].reset();
}

void ClusterVectors::Close(int32_t cluster, DynamicTermLists* lists) {
  const int64_t begin = At(cluster);
  for (int64_t i = begin; i < begin + counts_[cluster]; ++i) {
    RemoveEntry(terms_[i], positions_[i], lists);
  }
  counts_[cluster] = 0;
  tails_[cluster].reset();
}

void ClusterVectors::FillLists(DynamicTermLists* lists) {
  for (int32_t c = 0; c < size(); ++c) FillLists(c, lists);
}

void ClusterVectors::FillLists(int32_t cluster, DynamicTermLists* lists) {
  const int64_t begin = At(cluster);
  for (int64_t i = begin; i < begin + counts_[cluster]; ++i) {
    positions_[i] = lists->Insert(terms_[i], cluster, weights_[i]);
  }
}

void ClusterVectors::AppendSums(
    int32_t cluster, std::vector<std::pair<int32_t, int64_t>>* sums) const {
  const size_t before = sums->size();
  const int64_t begin = At(cluster);
  for (int64_t i = begin; i < begin + counts_[cluster]; ++i) {
    sums->emplace_back(terms_[i], sums_[i]);
  }
  if (tails_[cluster] == nullptr) return;
  sums->insert(sums->end(), tails_[cluster]->begin(), tails_[cluster]->end());
  std::sort(sums->begin() + static_cast<int64_t>(before), sums->end());
}

OnlineState ClusterVectors::State() const {
  OnlineState state;
  state.sizes = sizes_;
  state.last_times = last_times_;
  state.offsets.reserve(counts_.size() + 1);
  std::vector<std::pair<int32_t, int64_t>> sums;
  for (int32_t c = 0; c < size(); ++c) {
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
