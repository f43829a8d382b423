// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteSweepPage: the page of density_peaks --sweep. It plots clusters, shares,
// agreement and sigma over the values of the sweep, with the widest stable
// range, and gives the command line of each value.

#ifndef WARPCLUST_TOOLS_POINTS_PAGE_SWEEP_PAGE_H_
#define WARPCLUST_TOOLS_POINTS_PAGE_SWEEP_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/points/sweep/cutoff_sweep.h"

namespace warpclust {

struct SweepPageOptions {
  // Shown literally.
  std::string title;
  std::string metric;
  // The command line of a run at one value, without the value.
  std::vector<std::string> command;
  int32_t num_points = 0;
  int32_t num_dimensions = 0;
};

// There is at least one step.
void WriteSweepPage(absl::Span<const CutoffStep> steps,
                    const SweepPageOptions& options,
                    absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_PAGE_SWEEP_PAGE_H_
