// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/cluster_order.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/machine/trace.h"
#include "base/numbers/sort_by_bits.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {
namespace {

// A row is prefetched this many rows ahead.
constexpr size_t kAhead = 8;

// Makes the rows of a graph under new numbers, one at a time.
class RowMaker {
 public:
  RowMaker(const SignedGraph& old, absl::Span<const int32_t> numbers)
      : old_(old),
        numbers_(numbers),
        number_bits_(std::bit_width(static_cast<uint32_t>(numbers.size()))) {}

  // Asks for the row of an old vertex that is made soon.
  void Prefetch(int32_t v) const {
    constexpr int64_t kLine = 64;
    const int64_t begin = old_.offsets[v];
    const int64_t end = old_.offsets[v + 1];
    for (int64_t i = begin; i < end; i += kLine / 4) {
      __builtin_prefetch(&old_.neighbors[i]);
    }
    for (int64_t i = begin; i < end; i += kLine / 8) {
      __builtin_prefetch(&old_.weights[i]);
    }
  }

  // Makes the row of the old vertex v, which starts at entry `next`. The new
  // numbers of its cluster are [begin, end).
  void Make(int32_t v, int32_t begin, int32_t end, int64_t next,
            SignedGraph* graph) {
    // Members of a cluster keep their order, and nothing comes between them. So
    // only the neighbors in other clusters are sorted.
    const auto neighbors = old_.NeighborsOf(v);
    if (own_.size() < neighbors.size()) own_.resize(neighbors.size());
    if (others_.size() < neighbors.size()) others_.resize(neighbors.size());
    size_t num_own = 0;
    size_t num_others = 0;
    for (size_t i = 0; i < neighbors.size(); ++i) {
      const int32_t u = numbers_[neighbors[i]];
      // Whether u is in the cluster is unpredictable: no branch on it.
      const bool is_own = u >= begin && u < end;
      const uint64_t key = static_cast<uint64_t>(u) << kPlaceBits | i;
      own_[num_own] = key;
      others_[num_others] = key;
      num_own += is_own;
      num_others += !is_own;
    }
    const auto own = absl::MakeConstSpan(own_).first(num_own);
    const auto others = absl::MakeConstSpan(others_).first(num_others);
    SortByBits(kPlaceBits, number_bits_,
               absl::MakeSpan(others_.data(), num_others), &scratch_);
    const auto before =
        std::lower_bound(others.begin(), others.end(),
                         static_cast<uint64_t>(begin) << kPlaceBits) -
        others.begin();
    const auto weights = old_.WeightsOf(v);
    for (const absl::Span<const uint64_t> keys :
         {others.first(before), own, others.subspan(before)}) {
      for (const uint64_t key : keys) {
        graph->neighbors[next] = static_cast<int32_t>(key >> kPlaceBits);
        graph->weights[next] = weights[key & kPlaceMask];
        ++next;
      }
    }
  }

 private:
  static constexpr int kPlaceBits = 32;
  static constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;

  const SignedGraph& old_;
  const absl::Span<const int32_t> numbers_;
  const int number_bits_;
  // The new number of a neighbor, and its place in the old row.
  std::vector<uint64_t> own_;
  std::vector<uint64_t> others_;
  std::vector<uint64_t> scratch_;
};

}  // namespace

ReducedGraph NumberByClusters(const ReducedGraph& reduced,
                              const StepOptions& step, Labels* labels) {
  const TraceSpan span("number by clusters");
  const int threads = ResolveThreads(step.num_threads);
  const int32_t num_clusters = MakeCanonical(labels);
  const Members members = MembersOfClusters(*labels, num_clusters);
  // The old number by the new one, and the reverse.
  const std::vector<int32_t>& vertices = members.members;
  std::vector<int32_t> numbers(vertices.size());
  const SignedGraph& old = reduced.graph;
  ReducedGraph result;
  SignedGraph& graph = result.graph;
  graph.units_per_one = old.units_per_one;
  graph.constant_cost = old.constant_cost;
  graph.num_positive_edges = old.num_positive_edges;
  graph.num_negative_edges = old.num_negative_edges;
  graph.positive_weight = old.positive_weight;
  graph.negative_weight = old.negative_weight;
  graph.offsets.resize(vertices.size() + 1);
  for (size_t p = 0; p < vertices.size(); ++p) {
    numbers[vertices[p]] = static_cast<int32_t>(p);
    graph.offsets[p + 1] = graph.offsets[p] + old.Degree(vertices[p]);
  }
  ResizeVector(graph.offsets.back(), threads, &graph.neighbors);
  ResizeVector(graph.offsets.back(), threads, &graph.weights);
#pragma omp parallel num_threads(threads)
  {
    RowMaker rows(old, numbers);
    StopCheck check(step.control);
#pragma omp for schedule(dynamic, 256)
    for (size_t p = 0; p < vertices.size(); ++p) {
      const int32_t v = vertices[p];
      if (check.After(old.Degree(v))) continue;
      if (p + kAhead < vertices.size()) rows.Prefetch(vertices[p + kAhead]);
      const int32_t cluster = (*labels)[v];
      rows.Make(v, members.offsets[cluster], members.offsets[cluster + 1],
                graph.offsets[p], &graph);
    }
  }
  result.group = Expand(reduced.group, numbers);
  result.representative = Expand(vertices, reduced.representative);
  *labels = Expand(vertices, *labels);
  return result;
}

}  // namespace warpclust
