// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/dense_local_search.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warpclust {
namespace {

constexpr int64_t kMovesBetweenChecks = 256;

// Of all pairs.
int64_t PositiveWeight(const SignedGraph& graph) {
  int64_t twice = 0;
  for (const int64_t weight : graph.weights) {
    twice += std::max<int64_t>(weight, 0);
  }
  return twice / 2;
}

}  // namespace

template <typename T>
DenseLocalSearch<T>::DenseLocalSearch(const SignedGraph& graph,
                                      std::shared_ptr<const DenseRows<T>> rows)
    : LocalSearch(graph, PositiveWeight(graph)),
      shared_rows_(std::move(rows)),
      rows_(*shared_rows_),
      sums_(graph.num_vertices()),
      own_(rows_.stride(), 0),
      lane_labels_(rows_.stride(), -1),
      marks_(rows_.words(), 0) {}

template <typename T>
void DenseLocalSearch<T>::ClearMarks() {
  std::fill(marks_.begin(), marks_.end(), 0);
}

template <typename T>
void DenseLocalSearch<T>::ClearSums() {
  for (int32_t label = 0; label < slots_.NumSlots(); ++label) {
    std::fill(sums_[label].begin(), sums_[label].end(), T{0});
  }
  std::fill(own_.begin(), own_.end(), T{0});
  std::fill(lane_labels_.begin(), lane_labels_.end(), T{-1});
  columns_are_listed_ = false;
}

template <typename T>
int64_t DenseLocalSearch<T>::Apply(int32_t vertex, int32_t from, int32_t to,
                                   bool mark) {
  if (to >= 0 && sums_[to].empty()) sums_[to].resize(rows_.stride(), 0);
  MoveSums<T>(rows_.stride(), rows_.row(vertex), static_cast<T>(from),
              from < 0 ? nullptr : sums_[from].data(), static_cast<T>(to),
              to < 0 ? nullptr : sums_[to].data(), lane_labels_.data(),
              own_.data());
  if (mark) {
    const uint64_t* neighbors = rows_.neighbor_bits(vertex);
    for (size_t i = 0; i < marks_.size(); ++i) marks_[i] |= neighbors[i];
  }
  const T own = to < 0 ? T{0} : sums_[to][vertex];
  const int64_t gain =
      static_cast<int64_t>(own) - static_cast<int64_t>(own_[vertex]);
  own_[vertex] = own;
  lane_labels_[vertex] = static_cast<T>(to);
  if ((from >= 0 && slots_.size(from) == 1) ||
      (to >= 0 && slots_.size(to) == 0)) {
    columns_are_listed_ = false;
  }
  return gain;
}

template <typename T>
void DenseLocalSearch<T>::ListColumns() {
  if (columns_are_listed_) return;
  column_labels_.clear();
  columns_.clear();
  for (int32_t label = 0; label < slots_.NumSlots(); ++label) {
    if (slots_.size(label) == 0) continue;
    column_labels_.push_back(label);
    columns_.push_back(sums_[label].data());
  }
  columns_are_listed_ = true;
}

template <typename T>
LocalSearch::Join DenseLocalSearch<T>::BestClusterToJoin(int32_t vertex) {
  ListColumns();
  Join best;
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c][vertex] > best.sum) {
      best = {column_labels_[c], columns_[c][vertex]};
    }
  }
  return best;
}

template <typename T>
void DenseLocalSearch<T>::ListSums(int32_t vertex, std::vector<Join>* sums) {
  ListColumns();
  sums->clear();
  for (size_t c = 0; c < columns_.size(); ++c) {
    const T sum = columns_[c][vertex];
    if (sum != 0) sums->push_back({column_labels_[c], sum});
  }
}

template <typename T>
void DenseLocalSearch<T>::BoundBestGains(std::vector<int64_t>* gains) {
  ListColumns();
  best_.assign(own_.size(), 0);
  for (size_t c = 0; c < columns_.size(); ++c) {
    RaiseToOthers<T>(rows_.stride(), columns_[c],
                     static_cast<T>(column_labels_[c]), lane_labels_.data(),
                     best_.data());
  }
  gains->resize(labels_.size());
  for (size_t v = 0; v < labels_.size(); ++v) {
    (*gains)[v] =
        static_cast<int64_t>(best_[v]) - static_cast<int64_t>(own_[v]);
  }
}

template <typename T>
int64_t DenseLocalSearch<T>::BestGain(int32_t vertex) {
  ListColumns();
  T best = 0;
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (column_labels_[c] == labels_[vertex]) continue;
    best = std::max(best, columns_[c][vertex]);
  }
  return static_cast<int64_t>(best) - static_cast<int64_t>(own_[vertex]);
}

template <typename T>
int32_t DenseLocalSearch<T>::BestCluster(int32_t vertex) {
  const Join best = BestClusterToJoin(vertex);
  if (best.label >= 0) return best.label;
  // No sum is positive. A cluster with sum 0 to which the vertex has a positive
  // edge comes before a new cluster; the columns do not tell which those are.
  int32_t smallest = -1;
  for (int64_t i = graph_.offsets[vertex]; i < graph_.offsets[vertex + 1];
       ++i) {
    if (graph_.weights[i] <= 0) continue;
    const int32_t label = labels_[graph_.neighbors[i]];
    if (sums_[label][vertex] == 0 && (smallest < 0 || label < smallest)) {
      smallest = label;
    }
  }
  return smallest >= 0 ? smallest : slots_.SmallestUnused();
}

template <typename T>
int32_t DenseLocalSearch<T>::NextImprovable(int32_t first) {
  ListColumns();
  const int32_t num_columns = static_cast<int32_t>(columns_.size());
  const int32_t n = graph_.num_vertices();
  const int32_t found = warpclust::NextImprovable<T>(
      columns_.data(), num_columns, own_.data(), first, n, marks_.data());
  if (found >= 0 || first == 0) return found;
  return warpclust::NextImprovable<T>(columns_.data(), num_columns, own_.data(),
                                      0, first, marks_.data());
}

template <typename T>
bool DenseLocalSearch<T>::Descend(int32_t first, const SearchControl* control) {
  int64_t moves = 0;
  while ((first = NextImprovable(first)) >= 0) {
    if (++moves % kMovesBetweenChecks == 0 && control != nullptr &&
        control->ShouldStop()) {
      return false;
    }
    marks_[first / 64] &= ~(uint64_t{1} << (first % 64));
    MoveAndLog(this, first, BestCluster(first));
    if (++first == graph_.num_vertices()) first = 0;
  }
  return true;
}

template class DenseLocalSearch<int16_t>;
template class DenseLocalSearch<int32_t>;
template class DenseLocalSearch<int64_t>;

}  // namespace warpclust
