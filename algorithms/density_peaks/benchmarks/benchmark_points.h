// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The point sets of the benchmarks: the CSV files that --data names, and
// mixtures of 50 Gaussians of unequal spread in the unit cube (--sizes,
// --dimensions), the same distribution for every size so that growth can be
// measured (Liu et al. 2023, Figure 9).

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_BENCHMARK_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_BENCHMARK_POINTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct BenchmarkSet {
  std::string name;            // "birch1", "mixture4096x3"
  std::string path;            // Empty: a mixture.
  int32_t size = 0;            // Of a mixture.
  double cutoff_distance = 0;  // 0: not known.
};

// The sets that the flags name; without any, a mixture of `default_size`
// points. The cutoff distance is --dc, or that of BENCHMARKS.md for a set that
// is measured there.
absl::StatusOr<std::vector<BenchmarkSet>> BenchmarkSets(int32_t default_size);

// The points of a set, in random order if `shuffled`. They are valid until the
// next call for another set; one that is not is read anew.
absl::StatusOr<const PointMatrix*> PointsOf(const BenchmarkSet& set,
                                            bool shuffled);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_BENCHMARK_POINTS_H_
