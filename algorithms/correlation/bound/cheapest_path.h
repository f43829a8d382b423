// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CheapestPaths: the cheapest path that closes a conflicted cycle with a
// contradicting pair (agreeing_edges.h), if pairs have prices.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CHEAPEST_PATH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CHEAPEST_PATH_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/correlation/bound/agreeing_edges.h"

namespace warpclust {

class CheapestPaths {
 public:
  // Keeps a reference to `edges`.
  explicit CheapestPaths(const AgreeingEdges& edges);

  // Of all pairs, at least 0, for the searches that follow.
  void SetPrices(const std::vector<float>& prices);

  // What a search needs; one per thread.
  class Workspace {
   public:
    explicit Workspace(const CheapestPaths& paths);
    // From u to v, as indexes of pairs.
    std::vector<int32_t> path;
    // Entries of rows that searches have looked at.
    int64_t visits = 0;

   private:
    friend class CheapestPaths;
    // How one end reaches a vertex with 0 or 1 negative pairs on the way.
    struct State {
      int32_t search = 0;  // The last one that reached it.
      float cost = 0;
      int64_t by = -1;  // Its entry in the row before; -1 at the end.
      int64_t before = -1;
    };
    struct Side {
      std::vector<State> states;
      std::vector<std::pair<float, int64_t>> heap;
    };
    Side sides_[2];
    int32_t search_ = 0;
  };

  // Whether there is a path whose price is below `limit`; the cheapest one,
  // nearly, if a pair costs kPairCost in addition. It has no pair twice. Gives
  // up after kMostVisits entries of rows. Bidirectional Dijkstra.
  bool Search(int32_t contradicting, float limit, Workspace* workspace) const;

 private:
  // Prefers short paths, and keeps searches short where all prices are 0.
  static constexpr float kPairCost = 0.01F;
  static constexpr int64_t kMostVisits = 10'000;

  struct Entry {
    int32_t neighbor;
    int32_t pair;
    float price;
    int32_t negative;  // 0 or 1.
  };

  const AgreeingEdges& edges_;
  std::vector<int64_t> offsets_;
  std::vector<Entry> entries_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CHEAPEST_PATH_H_
