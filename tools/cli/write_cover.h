// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters as the output of a tool, in the --format that was asked for.

#ifndef WARPCLUST_TOOLS_CLI_WRITE_COVER_H_
#define WARPCLUST_TOOLS_CLI_WRITE_COVER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/cover/cover.h"
#include "graph/io/cover_io.h"
#include "tools/cli/cli.h"

namespace warpclust {

// Whether --format can write these names. Call it before the work.
// InvalidArgument naming `path`, where the names come from, and the first name
// that cannot be written.
absl::Status CheckOutputNames(absl::Span<const std::string> ids,
                              absl::string_view path, const ToolRun& run);

// The clusters with one member. A member of such a cluster of OClustR is in no
// other one.
int64_t CountAlone(const Cover& cover);

// Writes to --output. `append_fields` adds the fields of a cluster in JSON.
absl::Status WriteCover(const Cover& cover, absl::Span<const std::string> ids,
                        AppendClusterFields append_fields, ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_WRITE_COVER_H_
