// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of density peaks clustering (algorithms/density_peaks/density_peaks.h
// and its forms for batches and ranks).

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_OPTIONS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/machine/work_share.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"

namespace warpclust {

template <typename T>
class EarlyUpload;  // kernels/memory/early_upload.h

struct DensityPeaksOptions {
  Metric metric = Metric::kEuclidean;
  // d_c, above 0, in the unit of the metric; 0: the quantile below.
  double cutoff_distance = 0;
  // d_c as a quantile of all pair distances (cutoff_distance.h), up to 1. 0: as
  // CutoffQuantile says.
  double cutoff_quantile = 0;
  // What a density is (density/point_density.h). Others than kCount rank points
  // and judge peaks by their own errors: they need kSignificance, no
  // density_min and no halo, and put n minus the rank of a point in
  // DecisionGraph::densities and Significance::saddles. kNeighbors and
  // kAdaptive have no cutoff distance. Pairs of points are then those of which
  // one is a neighbor of the other instead of those within d_c, and a candidate
  // is a point without a denser one among its own neighbors.
  PointDensity density = PointDensity::kCount;
  // For kNeighbors k, for kAdaptive the largest k. 0: DefaultNeighbors.
  int32_t neighbors = 0;
  // Draws the pairs that are sampled for the quantile of many points.
  uint64_t seed = 1;
  // By default nothing is to be chosen: the number of clusters follows from the
  // significance of the peaks (peaks/significance.h).
  PeakSelection peaks = {.rule = PeakSelection::Rule::kSignificance};
  // Whether to find the halo of each cluster, which takes one more search.
  bool halo = false;
  DensityPeaksIndex index = DensityPeaksIndex::kAuto;
  // Unless null, its owner may ask for the end: Cancelled soon after, within a
  // search of the CPU, after one of the GPU.
  const WorkShare* work = nullptr;
  // Unless null, has begun to copy the coordinates, as they are given, to the
  // GPU. For one search there; a metric by angles does not use it.
  EarlyUpload<double>* upload = nullptr;
  Device device = Device::kAuto;
  int num_threads = 0;  // 0: all cores.

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// The quantile that d_c is, unless options.cutoff_distance is given: that of
// the options or, if it is 0, 0.6 / sqrt(n) for kSignificance, 1.2 / sqrt(n) in
// one dimension, and 0.02 for other rules. With 0.6 / sqrt(n), k = 0.6 sqrt(n)
// points are near a point on average: more points make densities surer and
// clusters sharper at once. In one dimension the gap between two points that
// are d_c apart is half of what is near each of them, so it has k / 2 points on
// average. It is empty, and splits the set, with a probability of exp(-k / 2)
// at each of n points. Twice the quantile makes that exp(-k).
double CutoffQuantile(const DensityPeaksOptions& options, int32_t num_points,
                      int32_t num_coordinates);

namespace internal {

// The number of dimensions for CutoffQuantile and LeastSigma. Directions, as
// angular and cosine distances compare them, have one fewer than coordinates.
int32_t SignificanceDimensions(Metric metric, int32_t num_coordinates);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_PEAKS_OPTIONS_H_
