// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading what the determinism report runs on: files in the formats of the
// tools, or the bundled examples, which a note on standard error names.
//
// In all of these, an empty path means the example, `limit` is how many
// documents, points or vertices are kept, the first ones (0: all), and names
// are those of the files without their folders. Errors name file and line.
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_DETERMINISM_READ_DETERMINISM_INPUTS_H_
#define WARPCLUST_TOOLS_DETERMINISM_READ_DETERMINISM_INPUTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/cli/cli.h"
#include "tools/determinism/inputs.h"

namespace warpclust {

absl::StatusOr<DocumentsInput> ReadDocumentsInput(absl::string_view path,
                                                  int64_t limit,
                                                  const ToolRun& run);

absl::StatusOr<StreamInput> ReadStreamInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run);

absl::StatusOr<PointsInput> ReadPointsInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run);

// Loops are skipped. With a limit, edges are the net weights between the
// vertices that are left.
absl::StatusOr<SignedInput> ReadSignedInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_READ_DETERMINISM_INPUTS_H_
