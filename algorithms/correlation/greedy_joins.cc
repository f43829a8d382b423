// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/greedy_joins.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "algorithms/correlation/contraction.h"
#include "algorithms/correlation/merging_graph.h"
#include "kernels/random.h"

namespace warpclust {
namespace {

// Ranks of edges: magnitudes times random factors, in fixed point with as many
// binary places as the weights of the graph leave room for.
class Ranking {
 public:
  Ranking(const SignedGraph& graph, const GreedyJoinsOptions& options)
      : options_(options) {
    const int64_t total = graph.positive_weight + graph.negative_weight;
    // A factor is at most 3 / 2: one bit more than the sum.
    while (places_ < 20 && (total >> (61 - places_)) == 0) ++places_;
  }

  // At least 0. 0 is not ranked at all.
  int64_t Rank(int32_t u, int32_t v, int64_t weight) const {
    if (weight == 0 || (weight < 0 && !options_.fixation)) return 0;
    const int64_t magnitude = weight < 0 ? -weight : weight;
    if (options_.noise == 0) return magnitude << places_;
    // One draw a pair and weight, whatever was drawn before.
    const uint64_t pair = static_cast<uint64_t>(std::min(u, v)) << 32 |
                          static_cast<uint64_t>(std::max(u, v));
    uint64_t state = options_.seed + 0xD1342543DE82EF95u * pair;
    state = Random::SplitMix(&state) ^ static_cast<uint64_t>(weight);
    const uint64_t draw = Random::SplitMix(&state) >> 32;
    const uint64_t noise = static_cast<uint64_t>(options_.noise);
    const uint64_t factor =
        (uint64_t{1} << 32) - (noise << 21) + (draw * noise >> 10);
    const auto product = static_cast<unsigned __int128>(magnitude) * factor;
    return std::max<int64_t>(1,
                             static_cast<int64_t>(product >> (32 - places_)));
  }

 private:
  const GreedyJoinsOptions options_;
  int places_ = 0;
};

// An edge as it was when it was ranked.
struct Candidate {
  int64_t rank;
  int32_t u;  // The smaller end.
  int32_t v;
  int32_t edge;

  // The one to be served later. The ends of two of equal rank differ.
  bool operator<(const Candidate& other) const {
    if (rank != other.rank) return rank < other.rank;
    if (u != other.u) return u > other.u;
    return v > other.v;
  }
};

class Joiner {
 public:
  Joiner(const SignedGraph& graph, const GreedyJoinsOptions& options)
      : ranking_(graph, options),
        graph_(graph),
        ranks_(graph_.num_edges()),
        is_cut_(options.fixation ? graph_.num_edges() : 0) {
    int32_t edge = 0;
    for (int32_t u = 0; u < graph.num_vertices(); ++u) {
      for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
        const int32_t v = graph.neighbors[i];
        if (v < u) continue;
        ranks_[edge] = ranking_.Rank(u, v, graph.weights[i]);
        if (ranks_[edge] > 0) heap_.push_back({ranks_[edge], u, v, edge});
        ++edge;
      }
    }
    std::make_heap(heap_.begin(), heap_.end());
  }

  // Returns the sum of the weights inside the clusters made.
  int64_t Run() {
    int64_t gain = 0;
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Candidate best = heap_.back();
      heap_.pop_back();
      // Of an edge that was ranked again only the last candidate counts.
      if (ranks_[best.edge] != best.rank || !graph_.IsAlive(best.u) ||
          !graph_.IsAlive(best.v)) {
        continue;
      }
      ranks_[best.edge] = 0;
      if (graph_.weight(best.edge) < 0) {
        is_cut_[best.edge] = true;
      } else {
        gain += graph_.weight(best.edge);
        Join(best.u, best.v);
      }
    }
    return gain;
  }

  Labels Clusters() { return graph_.Vertices(); }

 private:
  void Join(int32_t u, int32_t v) {
    const int32_t joined = graph_.Merge(u, v, &changes_);
    for (const MergingGraph::Change& change : changes_) {
      if (change.absorbed >= 0) {
        ranks_[change.absorbed] = 0;
        if (!is_cut_.empty() && is_cut_[change.absorbed]) {
          is_cut_[change.edge] = true;
        }
      }
      if (!is_cut_.empty() && is_cut_[change.edge]) {
        ranks_[change.edge] = 0;
        continue;
      }
      const int64_t rank =
          ranking_.Rank(joined, change.neighbor, graph_.weight(change.edge));
      ranks_[change.edge] = rank;
      if (rank == 0) continue;
      heap_.push_back({rank, std::min(joined, change.neighbor),
                       std::max(joined, change.neighbor), change.edge});
      std::push_heap(heap_.begin(), heap_.end());
    }
  }

  const Ranking ranking_;
  MergingGraph graph_;
  // The rank of an edge; 0 if it is gone, cut or not to be served.
  std::vector<int64_t> ranks_;
  // Edges whose ends stay apart; empty without fixation.
  std::vector<char> is_cut_;
  std::vector<Candidate> heap_;
  std::vector<MergingGraph::Change> changes_;
};

}  // namespace

int64_t GreedyJoins(const SignedGraph& graph, const GreedyJoinsOptions& options,
                    Labels* labels) {
  const int32_t num_clusters = MakeCanonical(labels);
  SignedGraph contracted;
  const bool are_single = num_clusters == graph.num_vertices();
  if (!are_single) contracted = Contract(graph, *labels, num_clusters);
  Joiner joiner(are_single ? graph : contracted, options);
  const int64_t gain = joiner.Run();
  *labels = Expand(*labels, joiner.Clusters());
  MakeCanonical(labels);
  return -gain;
}

}  // namespace warpclust
