// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: DClustR as the paper's section 2.2 has it, and OClustR of section
// 2.1 for the present graph, with sets and whole numbers, sharing no code with
// the library; and a check of what must hold of every result.
//
// Vertices are numbers that never come back: the order of the numbers is the
// order of the collection. Where the text leaves a choice:
//  - Affected are the connected components of the new graph that hold an added
//    vertex or a former neighbor of a removed one. Removed centers leave C.
//  - L, rule (c): "no other vertex in C' covering u whose relevance is greater
//    than or equal to the relevance of v": u covers itself if it is in C'; an
//    uncovered u has none, so that v is a candidate. Those u are "activated"
//    (the text has "all those vertices like v", but v is no satellite of a
//    center that it should replace).
//  - "Weak" and "active" marks are all taken from the C' before the update;
//    then the centers that have to leave do so at once. Of relevance 0, which
//    has no place in L, a center with neighbors always is weak: all its
//    neighbors have more.
//  - L is sorted by relevance, then degree, then AIS, all descending, then by
//    number. A u that was added to L and still is in C' is passed over. A v is
//    taken if it, or a neighbor, is covered by neither C' nor one taken before.
//  - Isolated vertices are centers.
//  - Stage 3 is OClustR's: by degree, relevance, AIS descending, number;
//    useless is who shares strictly more vertices, its center among them, with
//    the present stars than it has alone; removed at once; a visited star is
//    final.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_TESTING_DCLUSTR_ORACLE_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_TESTING_DCLUSTR_ORACLE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/csr/csr_graph.h"

namespace warpclust {

// vertex -> neighbor -> weight, a multiple of 2^-31 in [0, 1], both ways.
using NaiveGraph = std::map<int32_t, std::map<int32_t, float>>;

// Removals first, then additions with their edges to what is there then. Every
// edge once, at least one end added.
struct NaiveChange {
  std::set<int32_t> removed;
  std::set<int32_t> added;
  std::vector<WeightedEdge> edges;
};

NaiveGraph Changed(NaiveGraph graph, const NaiveChange& change);

// A final cluster: `center`, its neighbors and `linked`.
struct NaiveStar {
  int32_t center = 0;
  std::set<int32_t> linked;

  friend bool operator==(const NaiveStar& a, const NaiveStar& b) {
    return a.center == b.center && a.linked == b.linked;
  }
};

// Stage 2 of OClustR: the initial centers.
std::set<int32_t> NaiveInitialCenters(const NaiveGraph& graph);

// Stage 1 of DClustR on a graph that is affected as a whole, from any set C' of
// its vertices.
std::set<int32_t> NaiveUpdatedCenters(const NaiveGraph& graph,
                                      const std::set<int32_t>& old_centers);

// The last stage of both: the useful ones of `centers`, by center.
std::vector<NaiveStar> NaiveUsefulStars(const NaiveGraph& graph,
                                        const std::set<int32_t>& centers);

// The whole of OClustR: what exact mode must give after every update.
std::vector<NaiveStar> NaiveScratchStars(const NaiveGraph& graph);

// DClustR in memory, from an empty collection.
class NaiveDClustR {
 public:
  void Update(const NaiveChange& change);

  const NaiveGraph& graph() const { return graph_; }
  // By center.
  std::vector<NaiveStar> stars() const;
  // The vertices of the components that the last update affected.
  const std::set<int32_t>& affected() const { return affected_; }

 private:
  NaiveGraph graph_;
  std::map<int32_t, std::set<int32_t>> linked_of_center_;
  std::set<int32_t> affected_;
};

// What holds of the result of stage 3, whatever centers it started from: the
// first violation in words, "" if there is none.
//  - Centers are vertices, each once.
//  - Linked are exactly the vertices in no star, each to one center, from which
//    it is two steps away. So every vertex is in a cluster.
//  - A star that has an adjacent center visited before it shares at most as
//    many vertices with other stars as it has alone. (For a star all of whose
//    adjacent centers come later the paper's condition may be met: it was final
//    when they could have replaced it. So "no useless cluster" is this, not
//    more.)
std::string NaiveViolation(const NaiveGraph& graph,
                           const std::vector<NaiveStar>& stars);

// `graph` renumbered from 0 on, ascending; `numbers`, if not null, gets the
// vertex of each new number.
CsrGraph LocalGraph(const NaiveGraph& graph,
                    std::vector<int32_t>* numbers = nullptr);

// The part of `graph` on `vertices`.
NaiveGraph InducedGraph(const NaiveGraph& graph,
                        const std::set<int32_t>& vertices);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_TESTING_DCLUSTR_ORACLE_H_
