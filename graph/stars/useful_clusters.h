// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UsefulClusters: stage 3 of OClustR (González-Soler et al. 2017, section 2.1),
// which drops superfluous stars. Centers are visited in DegreeOrder. At center
// v, each neighbor u of v that is an unvisited center is judged, in the same
// order: u is removed if its star {u} ∪ Adj(u) shares more vertices with the
// stars of the other present centers than it has alone. The vertices that it
// had alone are linked to v. A visited center is final.
//
// Each vertex has the number of present stars that hold it and the xor of their
// centers; each center has the number of vertices that only its star holds. So
// judging u is one comparison, and a removal walks u's star once: where the
// number of stars falls to one, the xor is the remaining center. Stars that are
// useful at first stay useful, and each other star is judged once.
//
// Complexity: O(Σ degree of centers + centers · log). Long rows of centers are
// counted on all cores; rows of removed stars are walked once more, and those
// of remaining ones while any star is undecided. Memory: 13 bytes per vertex.

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
  // up to linked[linked_offsets[i + 1]]. None of them is adjacent to its
  // center.
  std::vector<int64_t> linked_offsets = {0};
  std::vector<int32_t> linked;
};

// `centers`, in any order, must cover the graph of `table`. `rows` gives the
// rows of the centers. It is called from several threads, and rows must be
// valid until the function returns. `num_threads` 0 means all.
UsefulClusters SelectUsefulClusters(const RelevanceTable& table,
                                    const std::vector<int32_t>& centers,
                                    StarRows rows, int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_USEFUL_CLUSTERS_H_
