// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/greedy_joins.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/contraction/merging_graph.h"
#include "algorithms/correlation/contraction/mutual_joins.h"
#include "base/machine/trace.h"
#include "base/numbers/random.h"

namespace warpclust {
namespace {

// Greedy joins take over where mutual ones have left 1 / kGreedyShare of the
// entries of a large graph.
constexpr int64_t kGreedyShare = 4;

// The ranks of edges: magnitudes times random factors, in fixed point with as
// many binary places as the weights of the graph leave room for.
class Ranking {
 public:
  Ranking(const SignedGraph& graph, const GreedyJoinsOptions& options)
      : options_(options) {
    const int64_t total = graph.positive_weight + graph.negative_weight;
    // A factor is at most 3 / 2: one bit more than the sum.
    while (places_ < 20 && (total >> (61 - places_)) == 0) ++places_;
  }

  // At least 0; an edge of rank 0 is never served.
  int64_t Rank(int32_t u, int32_t v, int64_t weight) const {
    if (weight == 0 || (weight < 0 && !options_.fixation)) return 0;
    const int64_t magnitude = std::abs(weight);
    if (options_.noise == 0) return magnitude << places_;
    // One draw per pair and weight, independent of earlier draws.
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

// A pair as it was when it was ranked; the largest candidate is served first.
using Candidate = unsigned __int128;

Candidate MakeCandidate(int64_t rank, int32_t u, int32_t v) {
  // Of equal ranks the smaller ends first.
  return static_cast<Candidate>(rank) << 64 |
         static_cast<uint64_t>(~std::min(u, v)) << 32 |
         static_cast<uint32_t>(~std::max(u, v));
}

int64_t RankOf(Candidate candidate) {
  return static_cast<int64_t>(candidate >> 64);
}
int32_t SmallerEndOf(Candidate candidate) {
  return ~static_cast<int32_t>(static_cast<uint32_t>(candidate >> 32));
}
int32_t LargerEndOf(Candidate candidate) {
  return ~static_cast<int32_t>(static_cast<uint32_t>(candidate));
}

// Candidates in order. The first ones are sorted once; only the candidates that
// joins make go to a heap. Its nodes have four children, in one cache line.
class CandidateQueue {
 public:
  // Call it first.
  void Start(std::vector<Candidate> candidates) {
    sorted_ = std::move(candidates);
    std::sort(sorted_.begin(), sorted_.end());
  }

  void Push(Candidate candidate) {
    heap_.push_back(candidate);
    size_t i = heap_.size() - 1;
    while (i > 0 && heap_[(i - 1) / 4] < candidate) {
      heap_[i] = heap_[(i - 1) / 4];
      i = (i - 1) / 4;
    }
    heap_[i] = candidate;
  }

  // 0 if the queue is empty.
  Candidate Pop() {
    const Candidate sorted = sorted_.empty() ? 0 : sorted_.back();
    if (heap_.empty() || heap_[0] < sorted) {
      if (!sorted_.empty()) sorted_.pop_back();
      return sorted;
    }
    const Candidate top = heap_[0];
    const Candidate last = heap_.back();
    heap_.pop_back();
    if (heap_.empty()) return top;
    size_t i = 0;
    for (size_t child = 1; child < heap_.size(); child = 4 * i + 1) {
      const size_t end = std::min(child + 4, heap_.size());
      for (size_t other = child + 1; other < end; ++other) {
        child = heap_[child] < heap_[other] ? other : child;
      }
      if (heap_[child] <= last) break;
      heap_[i] = heap_[child];
      i = child;
    }
    heap_[i] = last;
    return top;
  }

 private:
  std::vector<Candidate> sorted_;
  std::vector<Candidate> heap_;
};

class Joiner {
 public:
  Joiner(const SignedGraph& graph, const GreedyJoinsOptions& options,
         const SearchControl* control)
      : check_(control),
        ranking_(graph, options),
        graph_(graph),
        ranks_(graph_.num_edges()),
        is_cut_(options.fixation ? graph_.num_edges() : 0) {
    std::vector<Candidate> candidates;
    int32_t edge = 0;
    for (int32_t u = 0; u < graph.num_vertices(); ++u) {
      for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
        const int32_t v = graph.neighbors[i];
        if (v < u) continue;
        const int64_t rank = ranking_.Rank(u, v, graph.weights[i]);
        SetRank(edge, rank);
        if (rank > 0) candidates.push_back(MakeCandidate(rank, u, v));
        ++edge;
      }
    }
    queue_.Start(std::move(candidates));
  }

  // Returns the sum of the weights inside the joined clusters.
  int64_t Run() {
    int64_t gain = 0;
    while (num_ranked_ > 0 && !check_.After(1)) {
      const Candidate best = queue_.Pop();
      const int32_t u = SmallerEndOf(best);
      const int32_t v = LargerEndOf(best);
      if (!graph_.IsAlive(u) || !graph_.IsAlive(v)) continue;
      // An edge may have been ranked again: only its last candidate counts.
      const int32_t edge = graph_.FindEdge(u, v);
      if (ranks_[edge] != RankOf(best)) continue;
      SetRank(edge, 0);
      if (graph_.weight(edge) < 0) {
        is_cut_[edge] = true;
      } else {
        gain += graph_.weight(edge);
        Join(u, v);
      }
    }
    return gain;
  }

  Labels Clusters() { return graph_.Vertices(); }

 private:
  void SetRank(int32_t edge, int64_t rank) {
    num_ranked_ += (rank > 0) - (ranks_[edge] > 0);
    ranks_[edge] = rank;
  }

  void Join(int32_t u, int32_t v) {
    const int32_t joined = graph_.Merge(u, v, &changes_);
    check_.After(static_cast<int64_t>(changes_.size()));
    for (const MergingGraph::Change& change : changes_) {
      if (change.absorbed >= 0) {
        SetRank(change.absorbed, 0);
        if (!is_cut_.empty() && is_cut_[change.absorbed]) {
          is_cut_[change.edge] = true;
        }
      }
      if (!is_cut_.empty() && is_cut_[change.edge]) {
        SetRank(change.edge, 0);
        continue;
      }
      const int64_t rank =
          ranking_.Rank(joined, change.neighbor, graph_.weight(change.edge));
      SetRank(change.edge, rank);
      if (rank == 0) continue;
      queue_.Push(MakeCandidate(rank, joined, change.neighbor));
    }
  }

  StopCheck check_;
  const Ranking ranking_;
  MergingGraph graph_;
  // By edge; 0 if it is gone, cut or never served.
  std::vector<int64_t> ranks_;
  int64_t num_ranked_ = 0;  // Edges whose rank is not 0.
  // Edges whose ends stay apart; empty without fixation.
  std::vector<char> is_cut_;
  CandidateQueue queue_;
  std::vector<MergingGraph::Change> changes_;
};

// Of a contracted graph, with every vertex alone.
int64_t ImbalanceApart(const SignedGraph& graph) {
  return graph.constant_cost + graph.positive_weight;
}

}  // namespace

int64_t GreedyJoins(const SignedGraph& graph, const GreedyJoinsOptions& options,
                    Labels* labels, const StepOptions& step) {
  const TraceSpan span("joins");
  const int32_t num_clusters = MakeCanonical(labels);
  SignedGraph contracted;
  const bool are_single = num_clusters == graph.num_vertices();
  if (!are_single) contracted = Contract(graph, *labels, num_clusters, step);
  if (step.IsStopped()) return 0;
  const SignedGraph* joined = are_single ? &graph : &contracted;
  const int64_t most_entries = step.large_entries / kGreedyShare;
  int64_t gain = 0;
  if (options.noise == 0 && !options.fixation &&
      joined->offsets.back() > most_entries) {
    const int64_t before = are_single
                               ? Imbalance(graph, *labels, step.num_threads)
                               : ImbalanceApart(contracted);
    const Labels pairs =
        JoinMutualPairs(*joined, most_entries, step, &contracted);
    if (!pairs.empty()) {
      joined = &contracted;
      *labels = Expand(*labels, pairs);
      gain = before - ImbalanceApart(contracted);
    }
  }
  if (!step.IsStopped()) {
    Joiner joiner(*joined, options, step.control);
    gain += joiner.Run();
    *labels = Expand(*labels, joiner.Clusters());
  }
  MakeCanonical(labels);
  return -gain;
}

}  // namespace warpclust
