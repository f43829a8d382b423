// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SparseDescent: the Descent (descent.h) for graphs with few edges a vertex.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_SPARSE_LOCAL_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_SPARSE_LOCAL_SEARCH_H_

#include <cstdint>
#include <vector>

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class SparseDescent final : public Descent {
 public:
  explicit SparseDescent(const SignedGraph& graph);

  Join BestClusterToJoin(int32_t vertex) override;
  void ListSums(int32_t vertex, std::vector<Join>* sums) override;
  int64_t BestGain(int32_t vertex) override;
  void BoundBestGains(std::vector<int64_t>* gains) override;
  void Mark(int32_t vertex) override { SetMark(vertex, MayGain(vertex)); }
  bool Run(int32_t first, const SearchControl* control) override;

 protected:
  int64_t Apply(int32_t vertex, int32_t from, int32_t to, bool mark) override;
  void ClearMarks() override;
  void ClearSums() override;

 private:
  friend class Descent;

  // What a neighbor of a moving vertex is asked for, in one place.
  struct State {
    // Sum of the weights to its cluster.
    int64_t own = 0;
    // Positive weight to all others, unclustered vertices included.
    int64_t outside = 0;
    int32_t label = -1;
  };

  // Sum of the weights to a cluster, while one vertex is looked at.
  struct Sum {
    int64_t weight = 0;
    uint32_t visit = 0;
    bool has_positive = false;
  };

  // No other cluster gives more than the positive weight outside its own.
  bool MayGain(int32_t v) const {
    const State& state = states_[v];
    return state.own < 0 || state.outside > state.own;
  }

  void SetMark(int32_t v, bool mark) {
    uint64_t& word = marks_[v / 64];
    word = (word & ~(uint64_t{1} << (v % 64))) |
           (static_cast<uint64_t>(mark) << (v % 64));
  }

  // The first marked vertex at or after `first`, circularly; -1 if none is.
  int32_t NextMarked(int32_t first) const;

  // Adds up the row of `vertex` into sums_; touched_ gets the clusters to which
  // it has a positive edge.
  void SumRow(int32_t vertex);

  // The cluster to move to; -1 to stay.
  int32_t BestCluster(int32_t vertex);

  std::vector<State> states_;
  std::vector<uint64_t> marks_;
  // Sum of the positive weights of each vertex.
  std::vector<int64_t> positive_;
  std::vector<Sum> sums_;
  uint32_t visit_ = 0;
  std::vector<int32_t> touched_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_SPARSE_LOCAL_SEARCH_H_
