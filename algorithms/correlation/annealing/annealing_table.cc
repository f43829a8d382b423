// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "base/machine/call_with_simd.h"

namespace warpclust::internal {
namespace {

constexpr int64_t kVectorBytes = 64;

// from -= row, to += row: updates w(., cluster) after the vertex of that row
// left one cluster for the other. `stride` is a multiple of a vector.
template <typename Weight>
void MoveRow(const Weight* row, int64_t stride, Weight* from, Weight* to) {
  CallWithSimd([=]() WARPCLUST_ALWAYS_INLINE {
    // The compiler splits it where registers are shorter.
    typedef Weight Vector __attribute__((vector_size(kVectorBytes),
                                         aligned(alignof(Weight)), may_alias));
    for (int64_t i = 0; i < stride; i += kVectorBytes / sizeof(Weight)) {
      const Vector added = *reinterpret_cast<const Vector*>(row + i);
      *reinterpret_cast<Vector*>(from + i) -= added;
      *reinterpret_cast<Vector*>(to + i) += added;
    }
  });
}

// The clusters of a chain as columns of w(., cluster).
template <typename Weight>
class ClusterTable {
 public:
  ClusterTable(const AnnealingPlan& plan, const AdjacencyMatrix<Weight>& rows,
               const Labels& labels)
      : rows_(rows),
        column_(plan.num_positions()),
        // One more than there are vertices: one column is always empty.
        sizes_(plan.num_positions() + 1),
        sums_(sizes_.size() * rows.stride) {
    const int32_t n = plan.num_positions();
    std::vector<int32_t> column_of_label(plan.num_vertices, -1);
    int32_t num_columns = 0;
    for (int32_t p = 0; p < n; ++p) {
      int32_t& column = column_of_label[labels[plan.vertices[p]]];
      if (column < 0) column = num_columns++;
      column_[p] = column;
      ++sizes_[column];
      Weight* const sums = Sums(column);
      for (int64_t i = plan.offsets[p]; i < plan.offsets[p + 1]; ++i) {
        sums[plan.neighbors[i]] += static_cast<Weight>(plan.weights[i]);
      }
    }
    for (int32_t column = n; column >= num_columns; --column) {
      empty_.push_back(column);
    }
  }

  int32_t ColumnOf(int32_t p) const { return column_[p]; }
  int32_t SizeOf(int32_t column) const { return sizes_[column]; }
  int32_t EmptyColumn() const { return empty_.back(); }
  Weight Sum(int32_t p, int32_t column) const {
    return sums_[column * rows_.stride + p];
  }
  absl::Span<const int32_t> columns() const { return column_; }

  // `to` is a cluster or EmptyColumn().
  void Move(int32_t p, int32_t to) {
    const int32_t from = column_[p];
    MoveRow(&rows_.weights[p * rows_.stride], rows_.stride, Sums(from),
            Sums(to));
    if (sizes_[to]++ == 0) empty_.pop_back();
    if (--sizes_[from] == 0) empty_.push_back(from);
    column_[p] = to;
  }

 private:
  Weight* Sums(int32_t column) { return &sums_[column * rows_.stride]; }

  const AdjacencyMatrix<Weight>& rows_;
  std::vector<int32_t> column_;  // by position
  std::vector<int32_t> sizes_;   // by column
  std::vector<int32_t> empty_;   // columns; the last one is used next
  std::vector<Weight> sums_;     // all 0 in an empty column
};

// Makes one sweep; returns the change of I(P).
template <typename Weight>
int64_t Sweep(const AnnealingPlan& plan, uint64_t key, double temperature,
              ClusterTable<Weight>* table) {
  const double* const noise = NoiseTable().data();
  int64_t change = 0;
  for (int32_t p = 0; p < plan.num_positions(); ++p) {
    const uint64_t random = VisitRandom(key, p);
    const int32_t num_positive = plan.num_positive[p];
    const int32_t drawn = DrawnNeighbor(random, num_positive);
    const int32_t own = table->ColumnOf(p);
    const bool is_new = drawn == num_positive;
    const int32_t target =
        is_new ? table->EmptyColumn()
               : table->ColumnOf(plan.neighbors[plan.offsets[p] + drawn]);
    if (target == own) continue;
    // Alone already: the same partition.
    if (is_new && table->SizeOf(own) == 1) continue;
    const int64_t own_sum = table->Sum(p, own);
    const int64_t delta = own_sum - table->Sum(p, target);
    if (delta > 0 &&
        delta > Threshold(temperature, noise[NoiseIndex(random)])) {
      continue;
    }
    table->Move(p, target);
    change += delta;
  }
  return change;
}

}  // namespace

template <typename Weight>
AdjacencyMatrix<Weight>::AdjacencyMatrix(const AnnealingPlan& plan) {
  const int64_t n = plan.num_positions();
  constexpr int64_t kLanes = kVectorBytes / sizeof(Weight);
  stride = (n + kLanes - 1) / kLanes * kLanes;
  weights.resize(n * stride);
  for (int64_t p = 0; p < n; ++p) {
    for (int64_t i = plan.offsets[p]; i < plan.offsets[p + 1]; ++i) {
      weights[p * stride + plan.neighbors[i]] =
          static_cast<Weight>(plan.weights[i]);
    }
  }
}

template <typename Weight>
void RunChainByTable(const AnnealingPlan& plan,
                     const AdjacencyMatrix<Weight>& rows,
                     const SearchControl& control, AnnealingChain* chain) {
  ClusterTable<Weight> table(plan, rows, chain->labels);
  const std::vector<double> temperatures = Temperatures(*chain);
  chain->change = 0;
  bool stopped = false;
  for (int32_t s = 0; s < chain->num_sweeps && !stopped; ++s) {
    chain->change +=
        Sweep(plan, SweepKey(chain->key, s), temperatures[s], &table);
    stopped = control.ShouldStop();
  }
  chain->finished = !stopped;
  const std::vector<uint32_t> labels(table.columns().begin(),
                                     table.columns().end());
  chain->labels = LabelsOfVertices(plan, labels);
}

template struct AdjacencyMatrix<int32_t>;
template struct AdjacencyMatrix<int64_t>;
template void RunChainByTable(const AnnealingPlan&,
                              const AdjacencyMatrix<int32_t>&,
                              const SearchControl&, AnnealingChain*);
template void RunChainByTable(const AnnealingPlan&,
                              const AdjacencyMatrix<int64_t>&,
                              const SearchControl&, AnnealingChain*);

}  // namespace warpclust::internal
