// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --sweep of oclustr.

#ifndef WARPCLUST_TOOLS_DOCUMENTS_OCLUSTR_SWEEP_RUN_H_
#define WARPCLUST_TOOLS_DOCUMENTS_OCLUSTR_SWEEP_RUN_H_

#include "absl/status/status.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/documents/oclustr_steps.h"

namespace warpclust {

// Writes the table, and with --report the page of the run at --beta. UsageError
// for flags that do not go with a table.
absl::Status SweepBetas(const FlagSet& flags, OClustRFlags& options,
                        ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DOCUMENTS_OCLUSTR_SWEEP_RUN_H_
