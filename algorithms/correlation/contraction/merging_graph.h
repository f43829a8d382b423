// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MergingGraph: a signed graph whose vertices can be merged, two at a time, as
// greedy joins do. A pair with an edge keeps its edge number and net weight,
// even if the weight becomes 0.
//
// Of two merged vertices the one with more neighbors survives (ties: the
// smaller id), so that only the shorter row is walked: an edge moves at most
// log2(n) times. A row is a list, with a hash index once it is long.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_MERGING_GRAPH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_MERGING_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "algorithms/correlation/partition/partition.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class MergingGraph {
 public:
  // An edge, seen from one of its ends.
  struct Link {
    int32_t neighbor;
    int32_t edge;
  };
  // Edge `edge` joins `neighbor` and the merged vertex; edge `absorbed` (-1: no
  // edge) has become a part of it.
  struct Change {
    int32_t neighbor;
    int32_t edge;
    int32_t absorbed;
  };

  // Edges are numbered in order of their smaller, then larger end. At most
  // 2^31 - 1 edges.
  explicit MergingGraph(const SignedGraph& graph);

  int32_t num_edges() const { return static_cast<int32_t>(weights_.size()); }
  int64_t weight(int32_t edge) const { return weights_[edge]; }

  // Not merged into another.
  bool IsAlive(int32_t vertex) const { return merged_into_[vertex] == vertex; }

  // The edge between two vertices that are alive, or -1.
  int32_t FindEdge(int32_t u, int32_t v);

  // Merges u and v, which are alive and adjacent; their edge is gone. Returns
  // the survivor and sets `changes` to the edges that moved to it or grew.
  int32_t Merge(int32_t u, int32_t v, std::vector<Change>* changes);

  // The survivor that every vertex is now a part of.
  Labels Vertices();

 private:
  // A list of up to kMostScanned links is scanned. A longer list only grows and
  // keeps its links to dead vertices; its index is built on first use.
  class Row {
   public:
    // The number of links to vertices that are alive.
    int32_t size() const { return size_; }
    // May include links to dead vertices.
    const std::vector<Link>& links() const { return links_; }
    void Reserve(int64_t size) { links_.reserve(size); }
    void Add(Link link);
    // Removes the link to `neighbor`, which dies.
    void Remove(int32_t neighbor);
    void Clear();
    // The edge to a neighbor, or -1. `merged_into` as in the graph.
    int32_t FindEdge(int32_t neighbor, const Labels& merged_into);
    // Turns the link to `from`, which dies, into a link to `to` and returns -1.
    // If there is a link to `to` already, removes it instead and returns the
    // edge to `to`.
    int32_t Redirect(int32_t from, int32_t to, const Labels& merged_into);

   private:
    static constexpr size_t kMostScanned = 32;

    bool IsScanned() const { return links_.size() <= kMostScanned; }
    // The index of a neighbor in links_, or -1.
    int32_t Scan(int32_t neighbor) const;
    void RemoveAt(int32_t place);
    void MakeIndex(const Labels& merged_into);

    std::vector<Link> links_;
    int32_t size_ = 0;
    bool has_index_ = false;
    // The edge to every neighbor that is alive.
    absl::flat_hash_map<int32_t, int32_t> index_;
  };

  std::vector<int64_t> weights_;
  std::vector<Row> rows_;
  Labels merged_into_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_MERGING_GRAPH_H_
