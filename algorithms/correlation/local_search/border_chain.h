// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BorderChain: one chain of moves between two clusters, tried but not made
// (kernighan_lin.h). It reads a partition that several threads may read, and
// keeps what it changes, which is little, by itself: in caches, even if the
// graph is not.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BORDER_CHAIN_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BORDER_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// A vertex in a partition. Together, since a chain reads all at random places.
struct ClusteredVertex {
  int64_t own = 0;  // The weight to its cluster.
  int32_t label = 0;
  int32_t place = 0;  // In the list of the members of its cluster.
};

// An edge between two clusters.
struct CrossEdge {
  int32_t u = 0;
  int32_t v = 0;
  int64_t weight = 0;
};

class BorderChain {
 public:
  // Both are read by Run. A chain ends after `patience` moves without a better
  // prefix. No weight of the graph has a larger magnitude than `heaviest`.
  BorderChain(const SignedGraph& graph,
              absl::Span<const ClusteredVertex> vertices, int patience,
              int64_t heaviest)
      : graph_(graph),
        vertices_(vertices),
        patience_(patience),
        heaviest_(heaviest) {}

  // Tries a chain between clusters a and b, or, if b is empty, from a to it.
  // `members` are those of one cluster that is not empty, ascending by weight
  // to it, then by vertex. `edges` are all between the two; of the other
  // cluster, vertices without such an edge come into the chain only as
  // neighbors of moved ones, and have at least the weight `least_own` to their
  // cluster. Returns the gain of the best prefix, at least 0. Takes time for
  // the edges and the rows of moved vertices, not for all members.
  int64_t Run(int32_t a, int32_t b, absl::Span<const int32_t> members,
              absl::Span<const CrossEdge> edges, int64_t least_own);

  // The vertices that the best prefix of the last chain moves to the other
  // cluster.
  absl::Span<const int32_t> moves() const {
    return absl::MakeConstSpan(moved_).first(best_length_);
  }
  // The entries of rows that the last chain has read.
  int64_t work() const { return work_; }

 private:
  // A vertex that a chain has met.
  struct Seen {
    int64_t gain;  // By going to the other cluster.
    int32_t vertex;
    bool moved;
  };
  struct Option {
    int64_t gain;
    int32_t vertex;
    int32_t seen;  // The index in seen_.
    bool operator<(const Option& other) const {
      return gain < other.gain || (gain == other.gain && vertex > other.vertex);
    }
  };

  void Start(size_t expected);
  // The slot of v, or the free one for it.
  size_t SlotOf(int32_t v) const;
  // The index in seen_ of v, which is added if it is new, with what it loses by
  // leaving its cluster.
  int32_t See(int32_t v);
  void GrowSlots();
  void AddOption(int32_t seen);
  // Takes the best option, and sees it if it is a member that was not seen
  // before. False without any.
  bool TakeOption(Option* option);
  // Whether a better prefix may follow, if no vertex gains more than `most` now
  // and the present prefix is worse than the best one by `behind`.
  bool MayCatchUp(int64_t most, int64_t behind) const;
  void Shift(const Option& option, int32_t a, int32_t b);
  void PrefetchNextRows() const;

  const SignedGraph& graph_;
  const absl::Span<const ClusteredVertex> vertices_;
  const int patience_;
  const int64_t heaviest_;

  std::vector<Seen> seen_;
  // A hash table of indices of seen_, of the first 2^slot_bits_ entries; -1:
  // free.
  std::vector<int32_t> slots_;
  int slot_bits_ = 0;
  // Every vertex seen and not moved has an option of at least its gain. One
  // whose gain has fallen is added again when it comes out.
  std::vector<Option> options_;
  // The members that may be not seen yet, best first.
  absl::Span<const int32_t> unseen_;
  std::vector<int32_t> moved_;
  size_t best_length_ = 0;
  int64_t work_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_BORDER_CHAIN_H_
