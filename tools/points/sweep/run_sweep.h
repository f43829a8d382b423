// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunSweep: density_peaks --sweep, from reading the points to the table and its
// page.

#ifndef WARPCLUST_TOOLS_POINTS_SWEEP_RUN_SWEEP_H_
#define WARPCLUST_TOOLS_POINTS_SWEEP_RUN_SWEEP_H_

#include "absl/status/status.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/points/density_peaks_flags.h"

namespace warpclust {

absl::Status RunSweep(const DensityPeaksFlags& options, const FlagSet& flags,
                      ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_SWEEP_RUN_SWEEP_H_
