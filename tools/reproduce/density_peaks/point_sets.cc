// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/density_peaks/point_sets.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "vptree/points/metric.h"

namespace warpclust {

absl::StatusOr<PointCase> ReadPointCase(absl::string_view set, DataSets* sets,
                                        const LabSettings& settings) {
  PointCase result;
  ASSIGN_OR_RETURN(result.set, sets->Points(set));
  PointMatrix& points = result.set.data;
  Random random(settings.seed);
  const int64_t d = points.num_dimensions;
  for (int32_t i = points.num_points - 1; i > 0; --i) {
    const auto j = static_cast<int64_t>(random.Below(uint64_t{1} + i));
    std::swap_ranges(points.values.begin() + i * d,
                     points.values.begin() + (i + 1) * d,
                     points.values.begin() + j * d);
  }
  ASSIGN_OR_RETURN(
      const CutoffDistance cutoff,
      ChooseCutoffDistance(points, Metric::kEuclidean, kCutoffQuantile,
                           settings.seed, settings.threads));
  result.cutoff = cutoff.distance;
  return result;
}

PointMatrix RowsOf(const PointMatrix& points, int32_t begin, int32_t end) {
  PointMatrix rows;
  rows.num_points = end - begin;
  rows.num_dimensions = points.num_dimensions;
  rows.values.assign(points.Row(begin), points.Row(end));
  return rows;
}

void AddRange(const std::vector<double>& ratios, const std::string& row,
              const std::string& unit, Lab* lab) {
  if (ratios.empty()) return;
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  const LabSettings& settings = lab->settings();
  for (const auto& [column, value] :
       {std::pair("least", *least), {"largest", *most}}) {
    lab->Add({.row = row,
              .column = column,
              .ours = value,
              .unit = unit,
              .device = DeviceText(settings.device, settings.threads)});
  }
}

}  // namespace warpclust
