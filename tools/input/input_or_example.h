// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// InputOrExample, PathOrExample: what a tool reads, a bundled example if it was
// not told.

#ifndef WARPCLUST_TOOLS_INPUT_INPUT_OR_EXAMPLE_H_
#define WARPCLUST_TOOLS_INPUT_INPUT_OR_EXAMPLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/cli/cli.h"

namespace warpclust {

// --input, or the path of the bundled example of that name ("points.csv"),
// which a note on standard error names. NotFound if it is not there.
absl::StatusOr<std::string> InputOrExample(const ToolRun& run,
                                           absl::string_view example);

// `path`, that of --`flag`, if it is not empty; else as InputOrExample.
absl::StatusOr<std::string> PathOrExample(absl::string_view path,
                                          absl::string_view flag,
                                          absl::string_view example,
                                          const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_INPUT_OR_EXAMPLE_H_
