// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadIds: the names that --ids gives to documents which have none of their
// own, such as vectors.
//
// Cost: linear. Thread-safety: a pure function.

#ifndef WARPCLUST_TOOLS_READ_IDS_H_
#define WARPCLUST_TOOLS_READ_IDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// The lines of a file, a name each. InvalidArgument naming the line of one that
// no document may have (see sparse/unique_ids.h) or that was there before, or
// the file if it has another number of lines than `num_documents`.
absl::StatusOr<std::vector<std::string>> ReadIds(absl::string_view path,
                                                 int64_t num_documents);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_READ_IDS_H_
