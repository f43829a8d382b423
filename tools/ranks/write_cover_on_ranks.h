// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteCoverOnRanks: WriteCover (tools/cli/write_cover.h) in --format=tsv, of
// items whose names are dealt to the ranks of a job: each rank writes the lines
// of its own items. No rank holds all names.

#ifndef WARPCLUST_TOOLS_RANKS_WRITE_COVER_ON_RANKS_H_
#define WARPCLUST_TOOLS_RANKS_WRITE_COVER_ON_RANKS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "graph/cover/cover.h"
#include "tools/cli/cli.h"

namespace warpclust {

// `cover`, of rank 0 alone, has its clusters in order of first member. `ids`
// are those of this rank's items, whose numbers follow those of the ranks
// before. A part per rank if run.WritesParts(), otherwise rank 0 writes all
// lines. The parts one after the other are what one process writes. A
// collective call.
absl::Status WriteCoverOnRanks(const Cover& cover,
                               const std::vector<std::string>& ids,
                               ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_WRITE_COVER_ON_RANKS_H_
