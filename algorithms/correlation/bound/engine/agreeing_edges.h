// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AgreeingEdges: the pairs of a signed graph and what is left of their weight,
// and the search for the shortest path that closes a conflicted cycle. A pair
// agrees with a partition if it is positive and inside a cluster, or negative
// and between two.
//
// A conflicted cycle with a single pair that contradicts the partition is that
// pair and a path of agreeing ones. The path has no negative pair if the
// contradicting pair is negative, and exactly one if it is positive.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_AGREEING_EDGES_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_AGREEING_EDGES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Two vertices with a net weight other than 0; u < v.
struct SignedPair {
  int32_t u = 0;
  int32_t v = 0;
  bool negative = false;
  bool agrees = false;
  int64_t left = 0;  // Of the weight's magnitude.
};

struct PathLimits {
  int length = 0;        // Pairs of the path.
  int used_up = 0;       // Pairs of it with nothing left, at most 3.
  int64_t visits = 0;    // Entries of rows that the search may look at.
  uint64_t shuffle = 0;  // Unless 0, changes the order of the search and hides
                         // half of the pairs with nothing left.
};

class AgreeingEdges {
 public:
  AgreeingEdges(const SignedGraph& graph, absl::Span<const int32_t> labels);

  std::vector<SignedPair> pairs;

  // kNone: no path of any length meets the other limits.
  enum class Found { kPath, kNone, kTooLong, kTooManyVisits };

  // Sets path() to a path between the ends of a contradicting pair that has as
  // few pairs as possible. A path has no vertex twice: without the part between
  // the two visits it would be shorter. Bidirectional search by levels.
  Found Search(int32_t contradicting, const PathLimits& limits);

  // The agreeing pairs by vertex: entries [offsets()[v], offsets()[v + 1]).
  struct Entry {
    int32_t neighbor;
    int32_t pair;
  };
  const std::vector<int64_t>& offsets() const { return offsets_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // From u to v, as indexes of `pairs`.
  const std::vector<int32_t>& path() const { return path_; }
  // Entries that all searches have looked at.
  int64_t visits() const { return visits_; }

 private:
  // Where the search has come from one end. A state is a vertex, the number of
  // pairs with nothing left, and that of negative ones on the way to it.
  struct Side {
    std::vector<int32_t> search;  // The last one that reached the state.
    std::vector<int64_t> before;  // The state before.
    std::vector<int32_t> by;      // The pair from there; -1 at the end.
    std::vector<int64_t> frontier;
  };
  void Unwind(const Side& side, int64_t state);

  std::vector<int64_t> offsets_;
  std::vector<Entry> entries_;
  Side sides_[2];
  std::vector<int64_t> next_;
  std::vector<int32_t> path_;
  int32_t search_ = 0;
  int64_t visits_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_AGREEING_EDGES_H_
