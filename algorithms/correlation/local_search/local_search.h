// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LocalSearch: a partition under improvement, the state that construction,
// 1-opt, 2-opt and perturbation share. I(P) follows every move, and moves can
// be undone.
//
// A vertex is unclustered (label -1) until the construction places it. A mark
// says that a vertex may gain by a move; a vertex that moves has its neighbors
// marked. one_opt.h defines which vertices Descend moves, and where.
//
// Two kinds make exactly the same moves. The sparse kind adds up the row of a
// vertex when it visits it, unless the positive weight outside the vertex's
// cluster cannot exceed the weight inside. The dense kind keeps the sums of all
// vertices to each cluster, one column per cluster, and visits many vertices at
// a time (SIMD).
//
// Memory: 56 bytes per vertex. The dense kind adds 2 to 8 bytes per vertex and
// cluster, and once per graph per pair of vertices: at most 11 times the memory
// of the graph. One object makes many starts and allocates nothing in between;
// the objects of one LocalSearchFactory share the rows.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_LOCAL_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_LOCAL_SEARCH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/local_search/cluster_slots.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class LocalSearch {
 public:
  virtual ~LocalSearch() = default;
  LocalSearch(const LocalSearch&) = delete;
  LocalSearch& operator=(const LocalSearch&) = delete;

  const SignedGraph& graph() const { return graph_; }
  const Labels& labels() const { return labels_; }
  const ClusterSlots& slots() const { return slots_; }
  // There must be an unused label: two vertices are together, or one is
  // unclustered.
  int32_t SmallestUnused() { return slots_.SmallestUnused(); }
  // I(P). An unclustered vertex counts as apart from all others.
  int64_t imbalance() const { return apart_imbalance_ - inside_; }

  // All vertices unclustered, none marked.
  void Clear();
  // The given partition (labels in [0, n)), none marked. O(n) if it is nearly
  // the present one; otherwise the sparse kind reads every row once.
  void Assign(absl::Span<const int32_t> labels);

  struct Join {
    int32_t label = -1;
    int64_t sum = 0;
  };

  // The cluster with the largest positive sum of weights to `vertex` (ties:
  // smallest label); {-1, 0} if no sum is positive.
  virtual Join BestClusterToJoin(int32_t vertex) = 0;

  // The clusters to which `vertex` has a nonzero sum, ascending by label.
  virtual void ListSums(int32_t vertex, std::vector<Join>* sums) = 0;

  // By how much the best move of `vertex`, which is clustered, lowers I(P);
  // negative if every move raises it.
  virtual int64_t BestGain(int32_t vertex) = 0;
  // The same, or a cheaper upper bound, for all vertices (all clustered).
  virtual void BoundBestGains(std::vector<int64_t>* gains) = 0;
  // Whether these bounds are the gains themselves, at O(n) per cluster.
  virtual bool BoundsAreGains() const { return false; }

  // Where the best move of a vertex that gains by it goes, as one_opt.h says.
  // -1, or any label, for a vertex that does not gain.
  virtual int32_t BestCluster(int32_t vertex) = 0;

  // Moves a vertex to another cluster, `label` in [0, n), whether it is marked
  // or not, or clusters it for the first time. With `mark`, marks it and its
  // neighbors. Returns the change of I(P).
  int64_t Move(int32_t vertex, int32_t label, bool mark);

  virtual void Mark(int32_t vertex) = 0;
  // Marks all vertices, or all that gain by a move now, and others if `control`
  // (may be null) ends it early.
  virtual void MarkAll(const SearchControl* control);

  // Moves marked vertices to their best clusters, circularly from `first`,
  // until no mark remains. Returns false, with marks left, if `control` (may be
  // null) ended it early.
  virtual bool Descend(int32_t first, const SearchControl* control) = 0;

  // Undoes all moves since the last Keep, Clear or Assign, and clears all
  // marks.
  void Undo();
  void Keep() { log_.clear(); }

 protected:
  struct LoggedMove {
    int32_t vertex;
    int32_t from;
  };

  // `positive` is the sum of the positive weights of all pairs.
  LocalSearch(const SignedGraph& graph, int64_t positive);

  // Updates the sums for a move from one label (or -1) to another (or -1);
  // labels_ and slots_ are as before the move. With `mark`, marks the neighbors
  // that may gain. Returns the increase of the weight inside clusters.
  virtual int64_t Apply(int32_t vertex, int32_t from, int32_t to,
                        bool mark) = 0;
  // Clusters all vertices, none of which is clustered yet.
  virtual void AssignAll(absl::Span<const int32_t> labels);
  // The same in a kind that has set its sums, of which `inside` is the weight
  // inside clusters.
  void SetAllLabels(absl::Span<const int32_t> labels, int64_t inside);
  virtual void ClearMarks() = 0;
  // slots_ are still as they were.
  virtual void ClearSums() = 0;

  // A move of Descend: applied without a virtual call, logged, and the vertex
  // itself stays unmarked.
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
  const int64_t apart_imbalance_;
  int64_t inside_ = 0;
  std::vector<LoggedMove> log_;
};

enum class LocalSearchKind { kAuto, kSparse, kDense };

// Makes local searches of one graph, from any thread.
using LocalSearchFactory = std::function<std::unique_ptr<LocalSearch>()>;

// `graph` must outlive the factory and the searches. kAuto: dense if at least
// 1/16 of all pairs are edges and n x n fits in 256 MiB. Results do not depend
// on the kind, nor on num_threads (0: all cores), with which a sparse search
// adds up the rows of a whole partition.
LocalSearchFactory MakeLocalSearchFactory(
    const SignedGraph& graph, LocalSearchKind kind = LocalSearchKind::kAuto,
    int num_threads = 1);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_LOCAL_SEARCH_H_
