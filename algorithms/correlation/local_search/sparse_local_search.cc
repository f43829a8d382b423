// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/sparse_local_search.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "base/machine/threads.h"

namespace warpclust {
namespace {

// What a visit costs beside its row, in entries of a row.
constexpr int64_t kWorkOfVisit = 64;
// MarkAll looks for gains if there are at least this many entries of rows per
// vertex and thread.
constexpr int64_t kEntriesPerSum = 8;

}  // namespace

SparseLocalSearch::Positive SparseLocalSearch::SumPositive(
    const SignedGraph& graph, int num_threads) {
  Positive positive;
  positive.by_vertex.resize(graph.num_vertices());
  int64_t twice = 0;
#pragma omp parallel for num_threads(num_threads) schedule(dynamic, 4096) \
    reduction(+ : twice)
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    int64_t sum = 0;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      sum += std::max<int64_t>(graph.weights[i], 0);
    }
    positive.by_vertex[v] = sum;
    twice += sum;
  }
  positive.total = twice / 2;
  return positive;
}

SparseLocalSearch::SparseLocalSearch(const SignedGraph& graph, int num_threads)
    : SparseLocalSearch(graph, SumPositive(graph, ResolveThreads(num_threads)),
                        ResolveThreads(num_threads)) {}

SparseLocalSearch::SparseLocalSearch(const SignedGraph& graph,
                                     Positive positive, int num_threads)
    : LocalSearch(graph, positive.total),
      num_threads_(num_threads),
      states_(graph.num_vertices()),
      marks_(graph.num_vertices() / 64 + 1),
      positive_(std::move(positive.by_vertex)),
      row_(graph.num_vertices()) {
  SparseLocalSearch::ClearSums();
}

void SparseLocalSearch::AssignAll(absl::Span<const int32_t> labels) {
  int64_t twice_inside = 0;
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 4096) \
    reduction(+ : twice_inside)
  for (int32_t v = 0; v < graph_.num_vertices(); ++v) {
    State state = {0, positive_[v]};
    for (int64_t i = graph_.offsets[v]; i < graph_.offsets[v + 1]; ++i) {
      if (labels[graph_.neighbors[i]] != labels[v]) continue;
      state.own += graph_.weights[i];
      state.outside -= std::max<int64_t>(graph_.weights[i], 0);
    }
    states_[v] = state;
    twice_inside += state.own;
  }
  SetAllLabels(labels, twice_inside / 2);
}

void SparseLocalSearch::ClearMarks() {
  std::fill(marks_.begin(), marks_.end(), 0);
}

void SparseLocalSearch::ClearSums() {
  for (int32_t v = 0; v < graph_.num_vertices(); ++v) {
    states_[v] = {0, positive_[v]};
  }
}

int64_t SparseLocalSearch::Apply(int32_t vertex, int32_t from, int32_t to,
                                 bool mark) {
  int64_t own = 0;
  int64_t outside = 0;
  for (int64_t i = graph_.offsets[vertex]; i < graph_.offsets[vertex + 1];
       ++i) {
    const int32_t u = graph_.neighbors[i];
    const int64_t weight = graph_.weights[i];
    const int64_t positive = std::max<int64_t>(weight, 0);
    const int32_t label = labels_[u];
    if (label < 0) {
      outside += positive;
      continue;
    }
    if (label == to) {
      own += weight;
      states_[u].own += weight;
      states_[u].outside -= positive;
    } else {
      outside += positive;
      if (label == from) {
        states_[u].own -= weight;
        states_[u].outside += positive;
      }
    }
    if (mark) SparseLocalSearch::Mark(u);
  }
  State& state = states_[vertex];
  const int64_t gain = (to < 0 ? 0 : own) - state.own;
  state = {to < 0 ? 0 : own, outside};
  return gain;
}

int32_t SparseLocalSearch::NextMarked(int32_t first) const {
  const size_t num_words = marks_.size();
  const size_t first_word = static_cast<size_t>(first) / 64;
  const uint64_t head = marks_[first_word] & (~uint64_t{0} << (first % 64));
  if (head != 0) {
    return static_cast<int32_t>(first_word * 64 + std::countr_zero(head));
  }
  // The first word comes once more at the end, for its bits before `first`.
  for (size_t i = 1; i <= num_words; ++i) {
    size_t word = first_word + i;
    if (word >= num_words) word -= num_words;
    if (marks_[word] != 0) {
      return static_cast<int32_t>(word * 64 + std::countr_zero(marks_[word]));
    }
  }
  return -1;
}

void SparseLocalSearch::RowSums::Add(const SignedGraph& graph,
                                     const Labels& labels, int32_t vertex) {
  if (++visit == 0) {  // Wrapped around: old visits must not look new.
    for (Sum& sum : sums) sum.visit = 0;
    visit = 1;
  }
  touched.clear();
  for (int64_t i = graph.offsets[vertex]; i < graph.offsets[vertex + 1]; ++i) {
    const int32_t label = labels[graph.neighbors[i]];
    if (label < 0) continue;
    const int64_t weight = graph.weights[i];
    Sum& sum = sums[label];
    if (sum.visit != visit) sum = {0, visit, false};
    sum.weight += weight;
    if (weight > 0 && !sum.has_positive) {
      sum.has_positive = true;
      touched.push_back(label);
    }
  }
}

LocalSearch::Join SparseLocalSearch::BestClusterToJoin(int32_t vertex) {
  row_.Add(graph_, labels_, vertex);
  Join best;
  for (const int32_t label : row_.touched) {
    const int64_t sum = row_.sums[label].weight;
    if (sum > best.sum || (sum == best.sum && label < best.label)) {
      best = {label, sum};
    }
  }
  return best;
}

void SparseLocalSearch::ListSums(int32_t vertex, std::vector<Join>* sums) {
  row_.Add(graph_, labels_, vertex);
  sums->clear();
  for (const int32_t u : graph_.NeighborsOf(vertex)) {
    const int32_t label = labels_[u];
    if (label < 0 || row_.sums[label].weight == 0) continue;
    sums->push_back({label, row_.sums[label].weight});
    row_.sums[label].weight = 0;  // Listed.
  }
  std::sort(sums->begin(), sums->end(),
            [](const Join& a, const Join& b) { return a.label < b.label; });
}

void SparseLocalSearch::BoundBestGains(std::vector<int64_t>* gains) {
  gains->resize(states_.size());
  for (size_t v = 0; v < states_.size(); ++v) {
    (*gains)[v] = states_[v].outside - states_[v].own;
  }
}

int64_t SparseLocalSearch::BestGainBySums(int32_t vertex, RowSums* row) const {
  row->Add(graph_, labels_, vertex);
  int64_t best = 0;
  for (const int32_t label : row->touched) {
    if (label == labels_[vertex]) continue;
    best = std::max(best, row->sums[label].weight);
  }
  return best - states_[vertex].own;
}

int64_t SparseLocalSearch::BestGain(int32_t vertex) {
  return BestGainBySums(vertex, &row_);
}

int32_t SparseLocalSearch::BestCluster(int32_t vertex) {
  row_.Add(graph_, labels_, vertex);
  // A new cluster wins if no sum reaches 0.
  int32_t best = -1;
  int64_t best_sum = -1;
  for (const int32_t label : row_.touched) {
    if (label == labels_[vertex]) continue;
    const int64_t sum = row_.sums[label].weight;
    if (sum > best_sum || (sum == best_sum && best >= 0 && label < best)) {
      best = label;
      best_sum = sum;
    }
  }
  if (std::max<int64_t>(best_sum, 0) <= states_[vertex].own) return -1;
  return best >= 0 ? best : slots_.SmallestUnused();
}

void SparseLocalSearch::MarkAll(const SearchControl* control) {
  const int32_t n = graph_.num_vertices();
  // The sums of all threads cost more than they save if rows are short: then
  // most vertices cannot gain.
  const bool finds_gains =
      num_threads_ > 1 &&
      graph_.offsets.back() >= kEntriesPerSum * n * num_threads_;
#pragma omp parallel num_threads(finds_gains ? num_threads_ : 1)
  {
    RowSums row(finds_gains ? n : 0);
    StopCheck check(control);
    // A word of marks belongs to one thread.
#pragma omp for schedule(dynamic, 1)
    for (size_t word = 0; word < marks_.size(); ++word) {
      const auto begin = static_cast<int32_t>(word * 64);
      for (int32_t v = begin; v < std::min(begin + 64, n); ++v) {
        if (!MayGain(v)) continue;
        // After a stop, looking would only delay the end.
        if (!finds_gains || check.After(kWorkOfVisit + graph_.Degree(v)) ||
            BestGainBySums(v, &row) > 0) {
          marks_[word] |= uint64_t{1} << (v % 64);
        }
      }
    }
  }
}

bool SparseLocalSearch::Descend(int32_t first, const SearchControl* control) {
  StopCheck check(control);
  while ((first = NextMarked(first)) >= 0) {
    marks_[first / 64] &= ~(uint64_t{1} << (first % 64));
    if (MayGain(first)) {
      if (check.After(kWorkOfVisit + graph_.Degree(first))) {
        Mark(first);
        return false;
      }
      const int32_t to = BestCluster(first);
      if (to >= 0) MoveAndLog(this, first, to);
    }
    if (++first == graph_.num_vertices()) first = 0;
  }
  return true;
}

}  // namespace warpclust
