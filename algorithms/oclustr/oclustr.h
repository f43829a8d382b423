// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustR: overlapping clusters of a weighted similarity graph by star-shaped
// subgraphs (González-Soler, Pérez-Suárez, Chang, "Static and Incremental
// Overlapping Clustering Algorithms for Large Collections Processing in GPU",
// Informatica 41, 2017, section 2.1; the GPU form is its CUDA-OClus, 3.1).
//
// Use it when items belong to more than one cluster and the number of clusters
// is not known; the only parameter is the threshold β of the graph. A cluster
// is a center, the center's neighbors (its satellites), and vertices linked to
// it by stars that were dropped as not useful. Every vertex is in a cluster; an
// isolated one is a cluster of its own.
//
//   absl::StatusOr<CsrGraph> graph =
//       CosineGraph(documents, {.beta = {25, 100}});
//   ...
//   absl::StatusOr<OClustRResult> result = OClustR(*graph, OClustROptions());
//   if (!result.ok()) return result.status();
//   for (int32_t v : result->cover.MembersOf(0)) { ... }
//
// Cost: O(edges + vertices · log vertices); the graph costs far more to build.
// Memory: about 60 bytes a vertex and 4 a membership. Determinism: the same
// clusters, byte for byte, on every device and with any number of threads.
// Renumbering the vertices renames the clusters and changes nothing else, as
// long as no two vertices tie in degree, relevance and AIS at once.
// Thread-safety: functions are pure.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/star_cover.h"
#include "graph/stars/star_rows.h"
#include "kernels/device.h"

namespace warpclust {

struct OClustROptions {
  // Where relevances and initial centers are found; stage 3 is on the CPU.
  // Never changes the result.
  Device device = Device::kAuto;
  // Threads of the CPU; 0 means all. Never changes the result.
  int num_threads = 0;
};

// Wall-clock seconds of the phases.
struct OClustRSeconds {
  // Building the graph (OClustRDocuments) or moving it to the GPU.
  double graph = 0;
  double relevance = 0;
  // Stage 2.
  double covering = 0;
  // Stage 3 and the writing of the cover.
  double useful = 0;
};

// The clusters, and how they came about.
struct OClustRResult : StarCover {
  // Edges of the graph.
  int64_t num_edges = 0;
  // Clusters before stage 3 dropped the useless ones.
  int32_t num_initial_centers = 0;
  OClustRSeconds seconds;
};

// The clusters of `graph`, which must be valid (ValidateGraph: O(edges), on one
// thread; graphs of this library are). InvalidArgument if a weight is negative
// or not finite, or the graph's arrays do not fit each other, which is all that
// is looked at of its validity; Unavailable as ResolveDevice says;
// ResourceExhausted if the GPU's memory runs out.
absl::StatusOr<OClustRResult> OClustR(const CsrGraph& graph,
                                      const OClustROptions& options);

// Stage 3 and the cover, from initial centers (see graph/stars/covering.h) and
// their rows. Sets seconds.useful only.
OClustRResult OClustRFromCenters(const RelevanceTable& table,
                                 const std::vector<int32_t>& initial_centers,
                                 StarRows rows, int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_H_
