// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StarCover: the clusters of useful centers (graph/stars/useful_clusters.h) as
// a cover. A cluster has its center, the center's neighbors (its satellites),
// and the vertices linked to it. O(memberships + clusters · log clusters).

#ifndef WARPCLUST_GRAPH_STARS_STAR_COVER_H_
#define WARPCLUST_GRAPH_STARS_STAR_COVER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/cover/cover.h"
#include "graph/stars/star_rows.h"
#include "graph/stars/useful_clusters.h"

namespace warpclust {

struct StarCover {
  // Clusters in order of first member, then of center.
  Cover cover;
  // By cluster.
  std::vector<int32_t> centers;
  // The number of neighbors of the center; all are members.
  std::vector<int32_t> num_satellites;
  // The members linked to cluster c, ascending, are linked[linked_offsets[c]]
  // up to linked[linked_offsets[c + 1]]. Each vertex is linked at most once.
  std::vector<int64_t> linked_offsets = {0};
  std::vector<int32_t> linked;

  absl::Span<const int32_t> LinkedOf(int32_t cluster) const {
    return absl::MakeConstSpan(linked).subspan(
        linked_offsets[cluster],
        linked_offsets[cluster + 1] - linked_offsets[cluster]);
  }
};

// `rows` gives the rows of the centers. It is called from several threads, and
// rows must be valid until the function returns. `num_threads` 0 means all.
StarCover MakeStarCover(const UsefulClusters& useful, StarRows rows,
                        int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_STAR_COVER_H_
