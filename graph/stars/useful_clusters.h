// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UsefulClusters: stage 3 of OClustR (González-Soler et al. 2017, section 2.1),
// which drops the stars that others make superfluous. Centers are visited in
// DegreeOrder. At center v each center u of Adj(v) that was not visited yet, in
// the same order, is removed if its star {u} ∪ Adj(u) shares more vertices with
// the stars of the other present centers than it has for itself alone. What it
// had alone is linked to v. A visited center is final.
//
// How: for every vertex the number of present stars that hold it and the xor of
// their centers; for every center the number of vertices that only its star
// holds. Whether u goes is one comparison, and a removal walks u's star once:
// where a count falls to one, the xor names the center that is left alone.
// Stars that are useful at first stay so, and each other one is judged once.
//
// Cost: O(Σ degree of centers + centers · log). The rows of centers are counted
// on all cores; those of removed stars are walked once more, and those of
// remaining ones while any star is left to judge. Memory: 13 bytes a vertex.
// Determinism: the same for any number of threads. Thread-safety: functions are
// pure.

#ifndef WARPCLUST_GRAPH_STARS_USEFUL_CLUSTERS_H_
#define WARPCLUST_GRAPH_STARS_USEFUL_CLUSTERS_H_

#include <cstdint>
#include <vector>

#include "graph/stars/relevance_table.h"
#include "graph/stars/star_rows.h"

namespace warpclust {

struct UsefulClusters {
  // The remaining centers in the order of their visit.
  std::vector<int32_t> centers;
  // The vertices linked to centers[i], ascending, are linked[linked_offsets[i]]
  // up to linked[linked_offsets[i + 1]]. None is adjacent to its center.
  std::vector<int64_t> linked_offsets = {0};
  std::vector<int32_t> linked;
};

// `centers`, in any order, must cover the graph of `table`, whose rows of
// centers `rows` gives: called from several threads, with rows that stay valid
// until the function returns. `num_threads` 0 means all.
UsefulClusters SelectUsefulClusters(const RelevanceTable& table,
                                    const std::vector<int32_t>& centers,
                                    StarRows rows, int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_USEFUL_CLUSTERS_H_
