// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeaksDigest: all fields of a decision graph and of its clusters.
//
// Thread-safety: pure.

#ifndef WARPCLUST_TOOLS_DETERMINISM_PEAKS_DIGEST_H_
#define WARPCLUST_TOOLS_DETERMINISM_PEAKS_DIGEST_H_

#include <cstdint>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "tools/determinism/digest.h"

namespace warpclust {

inline uint64_t PeaksDigest(const DecisionGraph& graph,
                            const Clusters& clusters) {
  Digest digest;
  digest.Number(graph.cutoff_distance);
  digest.Array(graph.densities);
  digest.Array(graph.dependent_points);
  digest.Array(graph.dependent_distances);
  digest.Array(clusters.peaks);
  digest.Array(clusters.labels);
  digest.Array(clusters.noise);
  digest.Array(clusters.halo);
  return digest.value();
}

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_PEAKS_DIGEST_H_
