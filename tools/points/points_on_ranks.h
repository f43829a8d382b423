// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The input and output of density_peaks on the ranks of a job: each rank has a
// block of the points, in the order of the file.

#ifndef WARPCLUST_TOOLS_POINTS_POINTS_ON_RANKS_H_
#define WARPCLUST_TOOLS_POINTS_POINTS_ON_RANKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/points/density_peaks_flags.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// UsageError for flags that need all points in one process.
absl::Status CheckFlagsOnRanks(const FlagSet& flags, const ToolRun& run);

struct PointBlock {
  PointMatrix points;
  // The number of the first one, and that of all points of all ranks.
  int64_t first = 0;
  int64_t num_points = 0;
  // Of --id_column; empty without it.
  std::vector<std::string> ids;
};

// The block of this rank. Of NPY, and of CSV without --id_column, a rank parses
// no more; CSV with ids is read whole by each rank first. A collective call.
absl::StatusOr<PointBlock> ReadPointBlock(absl::string_view path,
                                          const DensityPeaksFlags& options,
                                          const ToolRun& run);

// Writes the clusters of all blocks, in order: each rank its part if
// run.WritesParts(), otherwise rank 0 all. A collective call.
absl::Status WriteBlocksTsv(const Clusters& clusters, const PointBlock& block,
                            bool marks, ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_POINTS_ON_RANKS_H_
