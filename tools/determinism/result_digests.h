// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Digests of all fields of results that several runs share.

#ifndef WARPCLUST_TOOLS_DETERMINISM_RESULT_DIGESTS_H_
#define WARPCLUST_TOOLS_DETERMINISM_RESULT_DIGESTS_H_

#include <cstdint>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "graph/stars/star_cover.h"
#include "tools/determinism/digest.h"

namespace warpclust {

inline void AddStarCover(const StarCover& result, Digest* digest) {
  digest->Array(result.cover.offsets);
  digest->Array(result.cover.members);
  digest->Array(result.centers);
  digest->Array(result.num_satellites);
  digest->Array(result.linked_offsets);
  digest->Array(result.linked);
}

inline uint64_t PeaksDigest(const DecisionGraph& graph,
                            const Clusters& clusters,
                            const Significance& significance = {}) {
  Digest digest;
  digest.Number(graph.cutoff_distance);
  digest.Array(graph.densities);
  digest.Array(graph.dependent_points);
  digest.Array(graph.dependent_distances);
  digest.Array(clusters.peaks);
  digest.Array(clusters.labels);
  digest.Array(clusters.noise);
  digest.Array(clusters.halo);
  if (!significance.sigmas.empty()) {
    digest.Array(significance.saddles);
    digest.Array(significance.sigmas);
    digest.Number(significance.least_sigma);
    digest.Number(significance.num_candidates);
  }
  return digest.value();
}

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_RESULT_DIGESTS_H_
