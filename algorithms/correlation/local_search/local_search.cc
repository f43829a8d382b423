// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/local_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "algorithms/correlation/local_search/dense_local_search.h"
#include "algorithms/correlation/local_search/dense_rows.h"
#include "algorithms/correlation/local_search/sparse_local_search.h"

namespace warpclust {

LocalSearch::LocalSearch(const SignedGraph& graph, int64_t positive)
    : graph_(graph),
      labels_(graph.num_vertices(), -1),
      slots_(graph.num_vertices()),
      apart_imbalance_(graph.constant_cost + positive) {}

void LocalSearch::Clear() {
  ClearSums();
  ClearMarks();
  slots_.Clear();
  std::fill(labels_.begin(), labels_.end(), -1);
  inside_ = 0;
  log_.clear();
}

void LocalSearch::Assign(absl::Span<const int32_t> labels) {
  ClearMarks();
  size_t changes = 0;
  for (size_t v = 0; v < labels.size(); ++v) {
    changes += labels[v] != labels_[v];
  }
  if (changes > labels.size() / 4) {
    Clear();
    AssignAll(labels);
  } else if (changes > 0) {
    for (size_t v = 0; v < labels.size(); ++v) {
      if (labels[v] != labels_[v]) {
        Move(static_cast<int32_t>(v), labels[v], /*mark=*/false);
      }
    }
  }
  log_.clear();
}

void LocalSearch::AssignAll(absl::Span<const int32_t> labels) {
  for (size_t v = 0; v < labels.size(); ++v) {
    Move(static_cast<int32_t>(v), labels[v], /*mark=*/false);
  }
}

void LocalSearch::SetAllLabels(absl::Span<const int32_t> labels,
                               int64_t inside) {
  labels_.assign(labels.begin(), labels.end());
  for (const int32_t label : labels) slots_.Add(label);
  inside_ = inside;
}

int64_t LocalSearch::Move(int32_t vertex, int32_t label, bool mark) {
  const int32_t from = labels_[vertex];
  const int64_t gain = Apply(vertex, from, label, mark);
  inside_ += gain;
  SetLabel(vertex, from, label);
  log_.push_back({vertex, from});
  if (mark) Mark(vertex);
  return -gain;
}

void LocalSearch::MarkAll(const SearchControl* /*control*/) {
  for (int32_t v = 0; v < graph_.num_vertices(); ++v) Mark(v);
}

void LocalSearch::Undo() {
  for (; !log_.empty(); log_.pop_back()) {
    const LoggedMove move = log_.back();
    const int32_t now = labels_[move.vertex];
    inside_ += Apply(move.vertex, now, move.from, /*mark=*/false);
    SetLabel(move.vertex, now, move.from);
  }
  ClearMarks();
}

namespace {

constexpr int64_t kMostDenseVertices = 1 << 14;
constexpr int64_t kMostDenseBytes = 256 << 20;

// How many bytes hold every label and every sum of weights of one vertex; 0 if
// dense rows do not suit the graph.
int DenseBytes(const SignedGraph& graph, LocalSearchKind kind) {
  const int64_t n = graph.num_vertices();
  if (kind == LocalSearchKind::kSparse || n == 0) return 0;
  if (kind == LocalSearchKind::kAuto) {
    const int64_t entries = static_cast<int64_t>(graph.neighbors.size());
    if (n > kMostDenseVertices || entries < n * n / 16) return 0;
  }
  int64_t largest = n;
  for (int32_t v = 0; v < n; ++v) {
    int64_t sum = 0;
    for (const int64_t weight : graph.WeightsOf(v)) {
      sum += std::abs(weight);
    }
    largest = std::max(largest, sum);
  }
  int bytes = 8;
  if (largest <= std::numeric_limits<int32_t>::max()) bytes = 4;
  if (largest <= std::numeric_limits<int16_t>::max()) bytes = 2;
  if (kind == LocalSearchKind::kDense) return bytes;
  return n * n * bytes <= kMostDenseBytes ? bytes : 0;
}

template <typename T>
LocalSearchFactory MakeDenseFactory(const SignedGraph& graph) {
  return [&graph, rows = std::make_shared<const DenseRows<T>>(graph)] {
    return std::make_unique<DenseLocalSearch<T>>(graph, rows);
  };
}

}  // namespace

LocalSearchFactory MakeLocalSearchFactory(const SignedGraph& graph,
                                          LocalSearchKind kind,
                                          int num_threads) {
  switch (DenseBytes(graph, kind)) {
    case 2:
      return MakeDenseFactory<int16_t>(graph);
    case 4:
      return MakeDenseFactory<int32_t>(graph);
    case 8:
      return MakeDenseFactory<int64_t>(graph);
    default:
      return [&graph, num_threads] {
        return std::make_unique<SparseLocalSearch>(graph, num_threads);
      };
  }
}

}  // namespace warpclust
