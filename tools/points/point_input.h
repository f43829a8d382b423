// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The inputs of density_peaks: --input, --insert and --delete.

#ifndef WARPCLUST_TOOLS_POINTS_POINT_INPUT_H_
#define WARPCLUST_TOOLS_POINTS_POINT_INPUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/incremental/density_peaks_in_batches.h"
#include "base/io/row_watch.h"
#include "tools/cli/cli.h"
#include "tools/points/column_scales.h"
#include "tools/points/density_peaks_flags.h"
#include "tools/points/point_ids.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The points of --input, and what applies to --insert as well.
struct BasePoints {
  PointMatrix points;
  // Of --id_column; empty without it.
  PointIds ids;
  // The number of --id_column; 0 without it.
  int32_t id_column = 0;
  // Empty without a header.
  std::vector<std::string> header;
  // The numbers of the columns that are no coordinates.
  std::vector<std::string> left_out;
  // Empty unless --standardize was given.
  std::vector<ColumnScale> scales;
};

// Reads --input from `path`. Notes which columns are not clustered, and columns
// of unlike scale. `watch` is told the points, unless they are scaled.
absl::StatusOr<BasePoints> ReadBase(absl::string_view path,
                                    const DensityPeaksFlags& options,
                                    const ToolRun& run,
                                    const RowWatch<double>& watch = nullptr);

// Reads --insert and --delete. The columns are those of `base`, by number, and
// the ids of the inserted points are added to it. InvalidArgument if both files
// have a header, and not as many columns or the same ones in another order.
absl::StatusOr<DensityPeaksBatches> ReadBatches(
    const DensityPeaksFlags& options, BasePoints* base, ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_POINT_INPUT_H_
