// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density_peaks_options.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::Status OutOfRange(absl::string_view field, absl::string_view expected,
                        double found) {
  return absl::InvalidArgumentError(absl::StrCat("DensityPeaksOptions::", field,
                                                 ": expected ", expected,
                                                 ", found ", found));
}

}  // namespace

absl::Status DensityPeaksOptions::Validate() const {
  // The comparisons are false for NaN.
  if (!(cutoff_distance >= 0) || std::isinf(cutoff_distance)) {
    return OutOfRange("cutoff_distance",
                      "a distance above 0, or 0 for the quantile",
                      cutoff_distance);
  }
  if (!(cutoff_quantile >= 0 && cutoff_quantile <= 1)) {
    return OutOfRange("cutoff_quantile", "at least 0 and at most 1",
                      cutoff_quantile);
  }
  RETURN_IF_ERROR(peaks.Validate());
  if (density != PointDensity::kCount &&
      (peaks.rule != PeakSelection::Rule::kSignificance ||
       peaks.density_min > 0 || halo)) {
    return absl::InvalidArgumentError(
        "DensityPeaksOptions::density: expected kCount, or peaks by "
        "significance without density_min and halo");
  }
  if (neighbors < 0) return OutOfRange("neighbors", "at least 0", neighbors);
  return ValidateNumThreads(num_threads);
}

double CutoffQuantile(const DensityPeaksOptions& options, int32_t num_points,
                      int32_t num_coordinates) {
  if (options.cutoff_quantile > 0) return options.cutoff_quantile;
  if (options.peaks.rule != PeakSelection::Rule::kSignificance) return 0.02;
  const bool is_line =
      internal::SignificanceDimensions(options.metric, num_coordinates) == 1;
  return std::min(1.0,
                  (is_line ? 1.2 : 0.6) / std::sqrt(std::max(num_points, 1)));
}

int32_t internal::SignificanceDimensions(Metric metric,
                                         int32_t num_coordinates) {
  return std::max(1, num_coordinates - (IsByAngle(metric) ? 1 : 0));
}

}  // namespace warpclust
