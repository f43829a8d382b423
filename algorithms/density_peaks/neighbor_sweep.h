// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SweepNeighbors: density peaks clustering by neighbor densities
// (density/point_density.h) at many k, to see over which scales the clusters
// stay the same. The sweep over cutoff distances is SweepDensityPeaks.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_NEIGHBOR_SWEEP_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_NEIGHBOR_SWEEP_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// DensityPeaks at each of these numbers of neighbors instead of that of the
// options, in order; `visit` gets each result, and its error ends the sweep.
// The neighbors for the largest number, of which the smaller ones are a part,
// are searched once. They are also where most dependent points are found, so
// each value searches for few points. Memory: 12 bytes per point and neighbor,
// by brute force or on a GPU 28 while it searches, and 8 per pair.
// InvalidArgument for a number below 1, another density than kNeighbors and
// kAdaptive, or as DensityPeaks.
absl::Status SweepNeighbors(
    PointMatrix points, const DensityPeaksOptions& options,
    absl::Span<const int32_t> numbers,
    absl::FunctionRef<absl::Status(const DensityPeaksResult&)> visit);

namespace internal {

// DensityPeaks of kNeighbors or kAdaptive.
absl::StatusOr<DensityPeaksResult> DensityPeaksByNeighbors(
    PointMatrix points, const DensityPeaksOptions& options);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_NEIGHBOR_SWEEP_H_
