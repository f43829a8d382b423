// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadPointNumbers, ReadPointIds: points from a text file, such as a file of
// clusters, by number or by id.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_POINT_NUMBERS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_POINT_NUMBERS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// Reads the numbers of points, such as those to remove, from the first column
// of a file, each in [0, num_points). Columns end with a tab, as in clusters
// and decision graphs. Empty lines and lines that begin with # are skipped.
// InvalidArgument naming the line of a repeated number or of anything else.
absl::StatusOr<std::vector<int32_t>> ReadPointNumbers(absl::string_view path,
                                                      int64_t num_points);

// The same by ids. `find` returns the number of an id, or -1.
absl::StatusOr<std::vector<int32_t>> ReadPointIds(
    absl::string_view path, int64_t num_points,
    absl::FunctionRef<int32_t(absl::string_view)> find);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_POINT_NUMBERS_H_
