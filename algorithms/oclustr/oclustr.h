// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustR: overlapping clusters of a weighted similarity graph (González-Soler,
// Pérez-Suárez, Chang, "Static and Incremental Overlapping Clustering
// Algorithms for Large Collections Processing in GPU", Informatica 41, 2017,
// section 2.1; on a GPU its CUDA-OClus, section 3.1).
//
// Use it when items belong to more than one cluster and the number of clusters
// is unknown; the only parameter is the threshold β of the graph. A cluster is
// a center, the center's neighbors (its satellites), and vertices linked to it
// from dropped stars. Every vertex is in a cluster; an isolated vertex is a
// cluster of its own.
//
//   absl::StatusOr<CsrGraph> graph = CosineGraph(documents, {.beta = "0.25"});
//   ...
//   absl::StatusOr<OClustRResult> result = OClustR(*graph, OClustROptions());
//   if (!result.ok()) return result.status();
//   for (int32_t v : result->cover.MembersOf(0)) { ... }
//
// Complexity: O(edges + vertices · log vertices). Memory: about 60 bytes per
// vertex and 4 per membership. Renumbering the vertices only renames the
// clusters, unless two vertices have the same degree, relevance and AIS.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/star_cover.h"
#include "graph/stars/star_rows.h"
#include "kernels/device/device.h"

namespace warpclust {

struct OClustROptions {
  // Where relevances and initial centers are computed; stage 3 is on the CPU
  // and copies the rows that it reads from the GPU. Never changes the result.
  Device device = Device::kAuto;
  // 0: all cores. Never changes the result.
  int num_threads = 0;
};

// About what clustering a graph on a GPU takes of the host in all, per vertex.
inline constexpr int64_t kOClustRHostBytesPerVertex = 160;

// Wall-clock seconds of the phases.
struct OClustRSeconds {
  // Building the graph (OClustRDocuments) or copying it to the GPU.
  double graph = 0;
  double relevance = 0;
  // Stage 2.
  double covering = 0;
  // Stage 3 and writing the cover.
  double useful = 0;
};

// The clusters, with statistics.
struct OClustRResult : StarCover {
  // Edges of the graph.
  int64_t num_edges = 0;
  // Clusters before stage 3 dropped the useless ones.
  int32_t num_initial_centers = 0;
  OClustRSeconds seconds;
};

// The clusters of `graph`, which must be valid (see ValidateGraph; graphs made
// by this library are). InvalidArgument if num_threads or a weight is negative,
// a weight is not finite, or the lengths of the graph's arrays do not fit;
// nothing else of its validity is checked. Unavailable as ResolveDevice says,
// ResourceExhausted if the GPU's memory runs out.
absl::StatusOr<OClustRResult> OClustR(const CsrGraph& graph,
                                      const OClustROptions& options);

// Stage 3 and the cover, from initial centers (graph/stars/covering.h) and
// rows, which must be valid until the function returns. Rows are asked for on
// several threads once `notice` has named them, others on this thread only.
// Sets only seconds.useful.
OClustRResult OClustRFromCenters(const RelevanceTable& table,
                                 const std::vector<int32_t>& initial_centers,
                                 StarRows rows, int num_threads = 0,
                                 StarRowsNotice notice = IgnoreNotice);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_H_
