// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/significance/pair_chances.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "kernels/device/device.h"
#include "sparse/dense/mix_rows.h"
#include "sparse/matrix/shuffle_terms.h"

namespace warpclust {
namespace {

constexpr int kIntervals = 100;

int IntervalOf(float cosine) {
  return std::min(static_cast<int>(double{cosine} * kIntervals),
                  kIntervals - 1);
}

std::vector<int64_t> CountIntervals(const CsrGraph& graph) {
  std::vector<int64_t> counts(kIntervals);
  for (const float cosine : graph.weights) ++counts[IntervalOf(cosine)];
  return counts;
}

CosineGraphOptions GraphOptions(const PairChanceOptions& options) {
  CosineGraphOptions graph_options;
  graph_options.beta = options.least;
  graph_options.num_threads = options.num_threads;
  return graph_options;
}

absl::StatusOr<CsrGraph> GraphOf(DocumentMatrix counts, Weighting weighting,
                                 const CosineGraphOptions& options) {
  ASSIGN_OR_RETURN(const DocumentMatrix weighted,
                   ApplyWeighting(std::move(counts), weighting));
  return CosineGraph(weighted, options, Device::kCpu);
}

// The edges of both, with the sums of their weights.
CsrGraph Add(const CsrGraph& a, const CsrGraph& b) {
  CsrGraph sum;
  for (int32_t v = 0; v < a.num_vertices(); ++v) {
    int64_t i = a.offsets[v];
    int64_t j = b.offsets[v];
    while (i < a.offsets[v + 1] || j < b.offsets[v + 1]) {
      const bool from_a =
          j == b.offsets[v + 1] ||
          (i < a.offsets[v + 1] && a.neighbors[i] <= b.neighbors[j]);
      const bool from_b =
          i == a.offsets[v + 1] ||
          (j < b.offsets[v + 1] && b.neighbors[j] <= a.neighbors[i]);
      sum.neighbors.push_back(from_a ? a.neighbors[i] : b.neighbors[j]);
      sum.weights.push_back((from_a ? a.weights[i] : 0) +
                            (from_b ? b.weights[j] : 0));
      i += from_a ? 1 : 0;
      j += from_b ? 1 : 0;
    }
    sum.offsets.push_back(static_cast<int64_t>(sum.neighbors.size()));
  }
  return sum;
}

}  // namespace

namespace internal {

std::vector<double> IntervalChances(absl::Span<const int64_t> found,
                                    absl::Span<const int64_t> by_chance) {
  // Neighboring intervals whose chances fall are pooled.
  struct Pool {
    int64_t found;
    int64_t by_chance;
    size_t intervals;
    double Chance() const {
      return found == 0 ? 0
                        : 1 - static_cast<double>(by_chance) /
                                  static_cast<double>(found);
    }
  };
  std::vector<Pool> pools;
  for (size_t i = 0; i < found.size(); ++i) {
    pools.push_back({found[i], by_chance[i], 1});
    while (pools.size() > 1 &&
           (pools.back().found == 0 ||
            pools[pools.size() - 2].Chance() >= pools.back().Chance())) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().found += last.found;
      pools.back().by_chance += last.by_chance;
      pools.back().intervals += last.intervals;
    }
  }
  std::vector<double> chances;
  for (const Pool& pool : pools) {
    chances.insert(chances.end(), pool.intervals,
                   std::clamp(pool.Chance(), 0.0, 1.0));
  }
  return chances;
}

}  // namespace internal

namespace {

// Replaces the cosines of `graph` by `share` times their chances.
void SetChances(const CsrGraph& by_chance, double share, CsrGraph* graph) {
  const std::vector<double> by_interval = internal::IntervalChances(
      CountIntervals(*graph), CountIntervals(by_chance));
  for (float& weight : graph->weights) {
    weight = static_cast<float>(by_interval[IntervalOf(weight)] * share);
  }
}

// Drops the pairs that have no chance.
void DropZeros(CsrGraph* chances) {
  int64_t kept = 0;
  int64_t begin = 0;
  for (int32_t v = 0; v < chances->num_vertices(); ++v) {
    for (int64_t e = begin; e < chances->offsets[v + 1]; ++e) {
      if (chances->weights[e] <= 0) continue;
      chances->neighbors[kept] = chances->neighbors[e];
      chances->weights[kept++] = chances->weights[e];
    }
    begin = std::exchange(chances->offsets[v + 1], kept);
  }
  chances->neighbors.resize(kept);
  chances->weights.resize(kept);
}

}  // namespace

absl::StatusOr<CsrGraph> EstimatePairChances(
    const DocumentMatrix& counts, absl::Span<const Weighting> weightings,
    const PairChanceOptions& options) {
  if (weightings.empty()) {
    return absl::InvalidArgumentError(
        "weightings: expected at least one, found none");
  }
  const CosineGraphOptions graph_options = GraphOptions(options);
  const DocumentMatrix shuffled = ShuffleTerms(counts, options.seed);
  CsrGraph chances;
  for (const Weighting weighting : weightings) {
    ASSIGN_OR_RETURN(CsrGraph graph, GraphOf(counts, weighting, graph_options));
    ASSIGN_OR_RETURN(const CsrGraph by_chance,
                     GraphOf(shuffled, weighting, graph_options));
    SetChances(by_chance, 1 / static_cast<double>(weightings.size()), &graph);
    chances =
        chances.num_vertices() == 0 ? std::move(graph) : Add(chances, graph);
  }
  DropZeros(&chances);
  return chances;
}

absl::StatusOr<CsrGraph> EstimatePairChances(const DenseDocuments& documents,
                                             const PairChanceOptions& options) {
  const CosineGraphOptions graph_options = GraphOptions(options);
  ASSIGN_OR_RETURN(CsrGraph chances,
                   CosineGraph(documents, graph_options, Device::kCpu));
  ASSIGN_OR_RETURN(const CsrGraph by_chance,
                   CosineGraph(MixRows(documents, options.seed), graph_options,
                               Device::kCpu));
  SetChances(by_chance, 1, &chances);
  DropZeros(&chances);
  return chances;
}

}  // namespace warpclust
