// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CheapestPaths: the cheapest path that closes a conflicted cycle with a
// contradicting pair (agreeing_edges.h), if pairs have prices.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_CHEAPEST_PATH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_CHEAPEST_PATH_H_

#include <cstdint>
#include <vector>

#include "algorithms/correlation/bound/engine/agreeing_edges.h"
#include "algorithms/correlation/bound/engine/path_search.h"

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
      int32_t pair = -1;  // The last one of the way; -1 at the end.
    };
    struct Side {
      std::vector<State> states;
      std::vector<uint64_t> heap;
    };
    Side sides_[2];
    int32_t search_ = 0;
  };

  // Whether there is a path whose price is below `limit`, at most 1; the
  // cheapest one, nearly, if a pair costs kPairCost in addition. It has no pair
  // twice, and at most kMostPathPairs. Gives up before it looks at more than
  // max_visits entries of rows. Bidirectional Dijkstra, a row at a time,
  // so that the lanes of a warp can share a row (../cuda/path_search.cuh
  // makes the same searches).
  bool Search(int32_t contradicting, float limit, int64_t max_visits,
              Workspace* workspace) const;

 private:
  struct Entry {
    int32_t neighbor;
    int32_t pair;
    float price;
    int32_t negative;  // 0 or 1.
  };

  const AgreeingEdges& edges_;
  std::vector<int64_t> offsets_;
  std::vector<Entry> entries_;
  std::vector<float> prices_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_CHEAPEST_PATH_H_
