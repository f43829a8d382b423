// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The points of the experiments with their cutoff distances.

#ifndef WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_POINT_SETS_H_
#define WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_POINT_SETS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/reproduce/data/data_sets.h"
#include "tools/reproduce/frame/lab.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// d_c is this quantile of the pair distances; the paper does not say its own.
inline constexpr double kCutoffQuantile = 0.005;

struct PointCase {
  DataSet<PointMatrix> set;
  double cutoff = 0;

  int32_t size() const { return set.data.num_points; }
};

// The points of a set in random order, and their cutoff distance. NotFound if
// the set is not at hand.
absl::StatusOr<PointCase> ReadPointCase(absl::string_view set, DataSets* sets,
                                        const LabSettings& settings);

// Rows [begin, end).
PointMatrix RowsOf(const PointMatrix& points, int32_t begin, int32_t end);

// The least and the largest of some ratios, as two rows named `row`. Nothing
// without a ratio.
void AddRange(const std::vector<double>& ratios, const std::string& row,
              const std::string& unit, Lab* lab);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_POINT_SETS_H_
