// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The path that a tool reads, or that of a bundled example.

#ifndef WARPCLUST_TOOLS_INPUT_INPUT_OR_EXAMPLE_H_
#define WARPCLUST_TOOLS_INPUT_INPUT_OR_EXAMPLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/cli/cli.h"

namespace warpclust {

// --input, or the path of the bundled example of that name ("points.csv"),
// which a note names. NotFound if the example is missing.
absl::StatusOr<std::string> InputOrExample(const ToolRun& run,
                                           absl::string_view example);

// The same for `path`, the value of --`flag`.
absl::StatusOr<std::string> PathOrExample(absl::string_view path,
                                          absl::string_view flag,
                                          absl::string_view example,
                                          const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_INPUT_OR_EXAMPLE_H_
