// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The metrics and indexes of the runs on points.

#ifndef WARPCLUST_TOOLS_DETERMINISM_METRICS_AND_INDEXES_H_
#define WARPCLUST_TOOLS_DETERMINISM_METRICS_AND_INDEXES_H_

#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "base/status/status_macros.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/run_table.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

inline constexpr std::pair<const char*, DensityPeaksIndex>
    kDensityPeaksIndexes[] = {
        {"box tree", DensityPeaksIndex::kBoxTree},
        {"vp tree", DensityPeaksIndex::kVpTree},
        {"brute force", DensityPeaksIndex::kBruteForce},
        {"auto", DensityPeaksIndex::kAuto},
};

// Calls `run` with each metric and the points prepared for it. A metric that
// refuses the points is left out with a note.
inline absl::Status ForEachMetric(
    const PointsInput& input, const DeterminismRunner& runner,
    absl::FunctionRef<absl::Status(Metric, const PointMatrix& prepared)> run) {
  for (const Metric metric :
       {Metric::kEuclidean, Metric::kManhattan, Metric::kChebyshev,
        Metric::kAngular, Metric::kCosine}) {
    PointMatrix prepared = input.points;
    const absl::Status status = PrepareForMetric(metric, &prepared);
    if (!status.ok()) {
      runner.Note(absl::StrCat(input.name, ", ", MetricName(metric),
                               ": left out: ", status.message()));
      continue;
    }
    RETURN_IF_ERROR(run(metric, prepared));
  }
  return absl::OkStatus();
}

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_METRICS_AND_INDEXES_H_
