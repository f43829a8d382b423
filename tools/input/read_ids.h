// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of lists of names and numbers, one a line: those that --ids gives to
// documents which have none of their own, such as vectors; those of stored
// documents (dclustr --remove) and of points (density_peaks --delete).
//
// Cost: linear. Thread-safety: a pure function.

#ifndef WARPCLUST_TOOLS_INPUT_READ_IDS_H_
#define WARPCLUST_TOOLS_INPUT_READ_IDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// The lines of a file, a name each. InvalidArgument naming the line of one that
// no document may have (see sparse/io/unique_ids.h) or that was there before,
// or the file if it has another number of lines than `num_documents`.
absl::StatusOr<std::vector<std::string>> ReadIds(absl::string_view path,
                                                 int64_t num_documents);

// The ids of a file and their lines; empty lines are skipped. InvalidArgument
// naming the line of one that no document may have or that was there before.
struct IdList {
  std::vector<std::string> ids;
  std::vector<int64_t> lines;
};
absl::StatusOr<IdList> ReadIdList(absl::string_view path);

// The numbers in the first column of a file, each in [0, num_points); columns
// end with a tab, as in clusters and decision graphs. Empty lines and those
// that begin with # are skipped. InvalidArgument naming the line of what is no
// such number or was there before.
absl::StatusOr<std::vector<int32_t>> ReadPointNumbers(absl::string_view path,
                                                      int64_t num_points);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_IDS_H_
