// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stage 3 of OClustR, for the CPU and the GPU.

#include <numeric>

#include "algorithms/oclustr/oclustr.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "graph/stars/star_cover.h"
#include "graph/stars/star_rows.h"
#include "graph/stars/useful_clusters.h"
#include "graph/stars/useful_clusters_from_rows.h"

namespace warpclust {

OClustRResult OClustRFromCenters(const RelevanceTable& table,
                                 const std::vector<int32_t>& initial_centers,
                                 StarRows rows, int num_threads,
                                 StarRowsNotice notice) {
  num_threads = ResolveThreads(num_threads);
  Stopwatch stopwatch;
  OClustRResult result;
  result.num_edges =
      std::accumulate(table.degrees.begin(), table.degrees.end(), int64_t{0}) /
      2;
  result.num_initial_centers = static_cast<int32_t>(initial_centers.size());
  UsefulClusters useful;
  if (FewRowsSuffice(table, initial_centers)) {
    useful = SelectUsefulClustersFromRows(table, initial_centers, rows,
                                          /*entries_read=*/nullptr, notice);
  } else {
    notice(initial_centers);
    useful = SelectUsefulClusters(table, initial_centers, rows, num_threads);
  }
  static_cast<StarCover&>(result) = MakeStarCover(useful, rows, num_threads);
  result.seconds.useful = stopwatch.Lap("useful clusters");
  return result;
}

}  // namespace warpclust
