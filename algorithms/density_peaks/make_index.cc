// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/make_index.h"

#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/choose_index.h"
#include "vptree/points/metric.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<NeighborIndex>> MakeIndex(
    const PointMatrix& prepared, const DensityPeaksOptions& options,
    double radius_key) {
  const Norm norm = NormOfMetric(options.metric);
  switch (options.index) {
    case DensityPeaksIndex::kBoxTree:
      return BuildBoxTreeIndex(prepared, norm, options.num_threads);
    case DensityPeaksIndex::kBruteForce:
      return BuildBruteForceIndex(prepared, norm, options.num_threads);
    case DensityPeaksIndex::kVpTree:
      return BuildVpTreeIndex(prepared, norm, options.num_threads);
    case DensityPeaksIndex::kAuto:
      break;
  }
  return ChooseIndex(prepared, norm, radius_key, options.num_threads);
}

}  // namespace warpclust
