// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointNames: what output files call the points.
//
//   WriteClustersTsv(clusters, {}, write);               // 0, 1, 2, …
//   WriteClustersTsv(clusters, {ids}, write);            // ids[i]
//   WriteClustersTsv(clusters, {{}, names}, write);      // names[i]

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_POINT_NAMES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_POINT_NAMES_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"

namespace warpclust {

struct PointNames {
  // One per point. If empty, points are numbered from `first` on.
  absl::Span<const int32_t> numbers{};
  // One per point, instead of numbers; may be empty. JSON has them as strings,
  // where bytes that are not UTF-8 become U+FFFD. They must have no tabs and no
  // line ends for text files.
  absl::Span<const std::string> names{};
  int32_t first = 0;

  int32_t NumberOf(int32_t point) const {
    return numbers.empty() ? first + point : numbers[point];
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_POINT_NAMES_H_
