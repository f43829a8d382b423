// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SparseLocalSearch: the LocalSearch for graphs with few edges per vertex.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_SPARSE_LOCAL_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_SPARSE_LOCAL_SEARCH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class SparseLocalSearch final : public LocalSearch {
 public:
  SparseLocalSearch(const SignedGraph& graph, int num_threads);

  Join BestClusterToJoin(int32_t vertex) override;
  void ListSums(int32_t vertex, std::vector<Join>* sums) override;
  int64_t BestGain(int32_t vertex) override;
  void BoundBestGains(std::vector<int64_t>* gains) override;
  int32_t BestCluster(int32_t vertex) override;
  void Mark(int32_t vertex) override {
    marks_[vertex / 64] |= uint64_t{1} << (vertex % 64);
  }
  void MarkAll(const SearchControl* control) override;
  bool Descend(int32_t first, const SearchControl* control) override;

 protected:
  int64_t Apply(int32_t vertex, int32_t from, int32_t to, bool mark) override;
  void AssignAll(absl::Span<const int32_t> labels) override;
  void ClearMarks() override;
  void ClearSums() override;

 private:
  friend class LocalSearch;

  // Together, since a move changes both.
  struct State {
    // The sum of the weights to its cluster.
    int64_t own = 0;
    // The positive weight to all other vertices, unclustered ones included.
    int64_t outside = 0;
  };

  // The sums of the weights of one vertex to clusters, during its visit.
  struct RowSums {
    explicit RowSums(int32_t num_labels) : sums(num_labels) {}
    // Lists in `touched` the clusters to which the vertex has a positive edge.
    void Add(const SignedGraph& graph, const Labels& labels, int32_t vertex);

    struct Sum {
      int64_t weight = 0;
      uint32_t visit = 0;
      bool has_positive = false;
    };
    std::vector<Sum> sums;
    uint32_t visit = 0;
    std::vector<int32_t> touched;
  };

  // The gain is at most the positive weight outside the own cluster, or 0,
  // minus the weight inside.
  bool MayGain(int32_t v) const {
    const State& state = states_[v];
    return state.own < 0 || state.outside > state.own;
  }

  // Of each vertex, and half of its sum.
  struct Positive {
    std::vector<int64_t> by_vertex;
    int64_t total = 0;
  };
  static Positive SumPositive(const SignedGraph& graph, int num_threads);
  SparseLocalSearch(const SignedGraph& graph, Positive positive,
                    int num_threads);

  // The first marked vertex at or after `first`, circularly; -1 without marks.
  int32_t NextMarked(int32_t first) const;

  int64_t BestGainBySums(int32_t vertex, RowSums* row) const;

  const int num_threads_;
  // A move reads the labels of all neighbors, and the states of those in the
  // two clusters.
  std::vector<State> states_;
  // Whether a marked vertex may gain is looked at when it is visited.
  std::vector<uint64_t> marks_;
  // The sum of the positive weights of each vertex.
  const std::vector<int64_t> positive_;
  RowSums row_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_SPARSE_LOCAL_SEARCH_H_
