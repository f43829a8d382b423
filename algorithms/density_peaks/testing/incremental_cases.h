// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random batches for the tests of incremental density peaks, on any device.
// After each batch the graph must equal that of a fresh start.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_INCREMENTAL_CASES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_INCREMENTAL_CASES_H_

#include <cstdint>

#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "base/numbers/random.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class BatchShape {
  kUniform,
  kClustered,  // Gaussians; each batch takes points of one.
  kLattice,    // Integers: ties of distance, of density, and duplicates.
  kDrifting,   // Each batch a little further on: leaves fill up and empty.
};

// One batch of `count` points.
PointMatrix RandomBatch(BatchShape shape, int32_t count, int32_t dimensions,
                        int32_t batch_number, Random& random);

// Inserts and removes `batches` random batches of up to `largest` points, and
// checks them by GTest expectations.
void CheckRandomBatches(const IncrementalDensityPeaksOptions& options,
                        BatchShape shape, int32_t dimensions, int32_t batches,
                        int32_t largest, uint64_t seed);

// All shapes, trees, updates and metrics on a device.
void CheckManyBatches(Device device);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_INCREMENTAL_CASES_H_
