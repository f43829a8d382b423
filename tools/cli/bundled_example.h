// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BundledExample: where the example files that come with the tools lie, so that
// a tool without --input has something to show.
//
// Looked for in the runfiles of the running binary (`bazel run`, `bazel test`,
// or started from bazel-bin) and in `examples/` beside the binary or beside the
// folder it is in (an unpacked archive with bin/ and examples/), or in the
// runfiles/ there (//:gpu_archive).
//
// Thread-safety: reads the environment; call it before threads change that.

#ifndef WARPCLUST_TOOLS_CLI_BUNDLED_EXAMPLE_H_
#define WARPCLUST_TOOLS_CLI_BUNDLED_EXAMPLE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// An absolute path of `name` ("encyclopedia.jsonl", "points.csv") in the
// examples. NotFound saying where it was looked for and what to do.
absl::StatusOr<std::string> BundledExample(absl::string_view name);

// The places that BundledExample tries, in order, for a binary at `executable`
// and the value of RUNFILES_DIR and TEST_SRCDIR (empty if not set).
std::vector<std::string> BundledExamplePlaces(absl::string_view name,
                                              absl::string_view executable,
                                              absl::string_view runfiles_dir,
                                              absl::string_view test_srcdir);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_BUNDLED_EXAMPLE_H_
