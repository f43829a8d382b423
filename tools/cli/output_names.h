// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPCLUST_TOOLS_CLI_OUTPUT_NAMES_H_
#define WARPCLUST_TOOLS_CLI_OUTPUT_NAMES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/cli/cli.h"

namespace warpclust {

// Whether the clusters that `run` writes can name items so, to be asked before
// the work. InvalidArgument names where the names are from, `path`, the first
// that they cannot have, and what would.
absl::Status CheckOutputNames(absl::Span<const std::string> ids,
                              absl::string_view path, const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_OUTPUT_NAMES_H_
