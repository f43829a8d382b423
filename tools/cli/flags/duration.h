// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Durations such as "3d", "12h", "1d12h", "90m", "45s", "2w", or a number of
// seconds.

#ifndef WARPCLUST_TOOLS_CLI_FLAGS_DURATION_H_
#define WARPCLUST_TOOLS_CLI_FLAGS_DURATION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// In whole seconds, at most 2^53. InvalidArgument for anything else.
absl::StatusOr<int64_t> ParseDuration(absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_FLAGS_DURATION_H_
