// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/make_index.h"

#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/choose_index.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<NeighborIndex>> MakeIndex(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads) {
  const Norm norm = NormOfMetric(metric);
  switch (index) {
    case DensityPeaksIndex::kBoxTree:
      return BuildBoxTreeIndex(points, norm, num_threads);
    case DensityPeaksIndex::kBruteForce:
      return BuildBruteForceIndex(points, norm, num_threads);
    case DensityPeaksIndex::kVpTree:
      return BuildVpTreeIndex(points, norm, num_threads);
    case DensityPeaksIndex::kAuto:
      break;
  }
  return ChooseIndex(points, norm, internal::RadiusKey(metric, cutoff_distance),
                     num_threads);
}

}  // namespace warpclust
