// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BundledExample: where the example files of the tools are, so that a tool
// without --input has something to show.

#ifndef WARPCLUST_TOOLS_CLI_BUNDLED_EXAMPLE_H_
#define WARPCLUST_TOOLS_CLI_BUNDLED_EXAMPLE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// An absolute path of the example `name` ("points.csv"). It is looked for in
// the runfiles of the running binary (`bazel run`, `bazel test`, bazel-bin), in
// examples/ beside the binary or beside its folder (an archive with bin/ and
// examples/), and in runfiles/ there (//:gpu_archive). NotFound naming the
// places.
absl::StatusOr<std::string> BundledExample(absl::string_view name);

// The places in order, for a binary at `executable` and the values of
// RUNFILES_DIR and TEST_SRCDIR, empty if not set.
std::vector<std::string> BundledExamplePlaces(absl::string_view name,
                                              absl::string_view executable,
                                              absl::string_view runfiles_dir,
                                              absl::string_view test_srcdir);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_BUNDLED_EXAMPLE_H_
