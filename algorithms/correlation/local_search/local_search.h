// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Descent: a partition that is being searched from: vertices join and move, the
// imbalance is kept up to date, moves since a point can be taken back, and a
// descent visits the vertices that are marked. One object makes many starts, so
// nothing is allocated in between.
//
// Vertices may be unclustered (label -1), as a construction needs it. A mark on
// a vertex says that it may gain by a move; a vertex that moves has its
// neighbors marked. Which vertices a descent moves, and where, is in one_opt.h.
//
// Two kinds, the same to the last move: for sparse graphs rows are added up
// when a vertex is visited, unless the positive weight it has outside its
// cluster cannot make up for what it has inside; for dense ones the sums of all
// vertices to each cluster are kept, a column a cluster, and vertices are
// visited many at a time (SIMD).
//
// Memory: 60 bytes a vertex. Dense: in addition at most 8 bytes, but 2 for
// small weights, times n x clusters, and once a graph times n x n, which is at
// most 11 times the memory of the graph. Thread-safety: one thread an object;
// many objects may share a DescentKit.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_LOCAL_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_LOCAL_SEARCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/local_search/cluster_slots.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class Descent {
 public:
  virtual ~Descent() = default;
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

  const SignedGraph& graph() const { return graph_; }
  const Labels& labels() const { return labels_; }
  const ClusterSlots& slots() const { return slots_; }
  // There must be one, which is so if any two vertices are together or one is
  // unclustered.
  int32_t SmallestUnused() { return slots_.SmallestUnused(); }
  // I(P); pairs of which one is unclustered count as apart.
  int64_t imbalance() const { return apart_imbalance_ - inside_; }

  // All vertices unclustered, none marked.
  void Clear();
  // The given partition (labels in [0, n)), none marked. O(n) if it is nearly
  // the present one.
  void Assign(absl::Span<const int32_t> labels);

  struct Join {
    int32_t label = -1;
    int64_t sum = 0;
  };

  // The cluster with the largest positive sum of weights to `vertex` (ties:
  // smallest label); {-1, 0} if none is positive.
  virtual Join BestClusterToJoin(int32_t vertex) = 0;

  // All clusters to which the sum of `vertex` is not 0, ascending by label.
  virtual void ListSums(int32_t vertex, std::vector<Join>* sums) = 0;

  // How much I(P) falls at most when `vertex`, which is clustered, moves; less
  // than 0 if it rises.
  virtual int64_t BestGain(int32_t vertex) = 0;
  // The same, or a bound that costs less, for all vertices (all clustered).
  virtual void BoundBestGains(std::vector<int64_t>* gains) = 0;

  // Moves a vertex, marked or not, to `label` in [0, n), another than its own,
  // or unclustered until now. With `mark`, marks it and its neighbors. Returns
  // the change of I(P).
  int64_t Move(int32_t vertex, int32_t label, bool mark);

  virtual void Mark(int32_t vertex) = 0;
  void MarkAll();

  // Moves marked vertices to their best clusters, circularly from `first`,
  // until no mark is left. Ends early, with marks left, when `control` (may be
  // null) says so; then returns false.
  virtual bool Run(int32_t first, const SearchControl* control) = 0;

  // Takes back all moves since the last Keep, Clear or Assign, and all marks.
  void Undo();
  void Keep() { log_.clear(); }

 protected:
  struct LoggedMove {
    int32_t vertex;
    int32_t from;
  };

  explicit Descent(const SignedGraph& graph);

  // Sums follow the move from one label (or -1) to another (or -1); labels_ and
  // slots_ are as before the move. Marks neighbors that may gain if `mark`.
  // Returns how much more weight the vertex has inside its cluster.
  virtual int64_t Apply(int32_t vertex, int32_t from, int32_t to,
                        bool mark) = 0;
  virtual void ClearMarks() = 0;
  // slots_ are still as they were.
  virtual void ClearSums() = 0;

  // Apply and all that is kept here. For Run: logs, and leaves the vertex
  // itself unmarked.
  template <typename Kind>
  void MoveAndLog(Kind* self, int32_t vertex, int32_t to) {
    const int32_t from = labels_[vertex];
    inside_ += self->Kind::Apply(vertex, from, to, /*mark=*/true);
    SetLabel(vertex, from, to);
    log_.push_back({vertex, from});
  }

  void SetLabel(int32_t vertex, int32_t from, int32_t to) {
    labels_[vertex] = to;
    if (from >= 0) slots_.Remove(from);
    if (to >= 0) slots_.Add(to);
  }

  const SignedGraph& graph_;
  Labels labels_;
  ClusterSlots slots_;

 private:
  int64_t apart_imbalance_ = 0;
  int64_t inside_ = 0;
  std::vector<LoggedMove> log_;
};

enum class DescentKind { kAuto, kSparse, kDense };

// What the Descents of one graph share. `graph` must outlive it and them.
class DescentKit {
 public:
  // kAuto: dense if at least 1/16 of all pairs are edges and n x n fits in 256
  // MiB. Results do not depend on it.
  explicit DescentKit(const SignedGraph& graph,
                      DescentKind kind = DescentKind::kAuto);
  ~DescentKit();

  // Thread-safe.
  std::unique_ptr<Descent> NewDescent() const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_LOCAL_SEARCH_H_
