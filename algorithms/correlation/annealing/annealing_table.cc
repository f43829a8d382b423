// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/annealing/table_visits.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/call_with_simd.h"

namespace warpclust::internal {
namespace {

constexpr int64_t kVectorBytes = 64;
// NextMove may read one behind all sums.
constexpr size_t kNextSums = 1;

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
        columns_(plan.num_positions() + 1),
        // One more than there are vertices: one column is always empty.
        sizes_(plan.num_positions() + 1),
        sums_(sizes_.size() * rows.stride + kNextSums) {
    const int32_t n = plan.num_positions();
    std::vector<int32_t> column_of_label(plan.num_vertices, -1);
    int32_t num_columns = 0;
    for (int32_t p = 0; p < n; ++p) {
      int32_t& column = column_of_label[labels[plan.vertices[p]]];
      if (column < 0) column = num_columns++;
      columns_[p] = column;
      ++sizes_[column];
      Weight* const sums = Sums(column);
      for (int64_t i = plan.offsets[p]; i < plan.offsets[p + 1]; ++i) {
        sums[plan.neighbors[i]] += static_cast<Weight>(plan.weights[i]);
      }
    }
    for (int32_t column = n; column >= num_columns; --column) {
      empty_.push_back(column);
    }
    columns_.back() = empty_.back();
  }

  int32_t NextMove(const DrawnVisits<LimitOf<Weight>>& visits,
                   int32_t begin) const {
    return internal::NextMove(visits, columns_.data(), sums_.data(),
                              rows_.stride, begin);
  }
  bool IsAlone(int32_t p) const { return sizes_[columns_[p]] == 1; }
  // By position.
  absl::Span<const int32_t> columns() const {
    return absl::MakeConstSpan(columns_).first(columns_.size() - 1);
  }

  // Moves p to the cluster of `neighbor`, or into a new one. Returns the change
  // of I(P).
  int64_t Move(int32_t p, int32_t neighbor) {
    const int32_t from = columns_[p];
    const int32_t to = columns_[neighbor];
    const int64_t change = static_cast<int64_t>(Sums(from)[p]) - Sums(to)[p];
    MoveRow(&rows_.weights[p * rows_.stride], rows_.stride, Sums(from),
            Sums(to));
    if (sizes_[to]++ == 0) empty_.pop_back();
    if (--sizes_[from] == 0) empty_.push_back(from);
    columns_[p] = to;
    columns_.back() = empty_.back();
    return change;
  }

 private:
  Weight* Sums(int32_t column) { return &sums_[column * rows_.stride]; }

  const AdjacencyMatrix<Weight>& rows_;
  std::vector<int32_t> columns_;  // by position; behind them an empty column
  std::vector<int32_t> sizes_;    // by column
  std::vector<int32_t> empty_;    // columns; the last one is used next
  AlignedVector<Weight> sums_;    // all 0 in an empty column
};

// Makes one sweep; returns the change of I(P).
template <typename Weight>
int64_t Sweep(const DrawnVisits<LimitOf<Weight>>& visits,
              ClusterTable<Weight>* table) {
  int64_t change = 0;
  const auto n = static_cast<int32_t>(visits.limits.size());
  for (int32_t p = table->NextMove(visits, 0); p < n;
       p = table->NextMove(visits, p + 1)) {
    const bool is_new = visits.neighbors[p] == n;
    // Alone already: the same partition.
    if (is_new && table->IsAlone(p)) continue;
    change += table->Move(p, visits.neighbors[p]);
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
  DrawnVisits<LimitOf<Weight>> visits(plan.num_positions());
  const std::vector<double> temperatures = Temperatures(*chain);
  chain->change = 0;
  bool stopped = false;
  for (int32_t s = 0; s < chain->num_sweeps && !stopped; ++s) {
    DrawVisits(plan, SweepKey(chain->key, s), temperatures[s], &visits);
    chain->change += Sweep(visits, &table);
    stopped = control.ShouldStop();
  }
  chain->finished = !stopped;
  const std::vector<uint32_t> labels(table.columns().begin(),
                                     table.columns().end());
  chain->labels = LabelsOfVertices(plan, labels);
}

template struct AdjacencyMatrix<int16_t>;
template struct AdjacencyMatrix<int32_t>;
template struct AdjacencyMatrix<int64_t>;
template void RunChainByTable(const AnnealingPlan&,
                              const AdjacencyMatrix<int16_t>&,
                              const SearchControl&, AnnealingChain*);
template void RunChainByTable(const AnnealingPlan&,
                              const AdjacencyMatrix<int32_t>&,
                              const SearchControl&, AnnealingChain*);
template void RunChainByTable(const AnnealingPlan&,
                              const AdjacencyMatrix<int64_t>&,
                              const SearchControl&, AnnealingChain*);

}  // namespace warpclust::internal
