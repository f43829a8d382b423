// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The flags of density_peaks, beside those that all tools have: their defaults,
// their help, which go together, and what they mean to the library.
//
// Thread-safety: a plain value; pure functions.

#ifndef WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_FLAGS_H_
#define WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_FLAGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "base/numbers/decimal.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/points/density_peaks_batches.h"

namespace warpclust {

struct DensityPeaksFlags {
  std::string metric = "euclidean";
  double cutoff_distance = 0;
  Decimal cutoff_fraction = "0.02";
  std::string index = "auto";
  int64_t peaks = 0;
  int64_t density_min = 0;
  double delta_min = 0;
  double gamma = 0;
  bool halo = false;
  std::string decision_graph;
  int64_t verify = 0;
  BatchOptions batches;
};

// Those that say what is clustered how; not --decision_graph and --verify,
// which stand among what is written. `options` outlives `flags`.
void AddDensityPeaksFlags(DensityPeaksFlags* options, FlagSet* flags);

// UsageError for values that the library does not take, and for flags that
// exclude each other.
absl::StatusOr<DensityPeaksOptions> LibraryOptions(
    const DensityPeaksFlags& options, const FlagSet& flags, const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_FLAGS_H_
