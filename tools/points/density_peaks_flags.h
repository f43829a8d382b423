// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The flags of density_peaks: their defaults, their help, and what they mean to
// the library.

#ifndef WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_FLAGS_H_
#define WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_FLAGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "base/numbers/decimal.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "vptree/io/csv_points.h"

namespace warpclust {

struct DensityPeaksFlags {
  std::string metric = "euclidean";
  // 0: as CutoffQuantile says.
  Decimal cutoff_fraction = "0";
  std::string rule = "auto";
  std::string density = "count";
  // Columns of CSV, by name or number. Several are separated by commas.
  std::string columns;
  std::string id_column;
  std::string label_column;
  bool standardize = false;
  std::string index = "auto";
  std::string sweep;
  std::string report;
  // --dc, --halo and the thresholds of peaks.
  DensityPeaksOptions library;
  bool marks = false;
  std::string decision_graph;
  int32_t verify = 0;
  // Points that come and go.
  std::string insert;
  std::string remove;
  int64_t batch = 1000;
  std::string update = "auto";

  // Whether the density has a k instead of d_c.
  bool by_neighbors() const { return density == "knn" || density == "pak"; }
  bool in_batches() const { return !insert.empty() || !remove.empty(); }
  // Whether --decision_graph names a page to choose peaks on.
  bool has_page() const { return absl::EndsWith(decision_graph, ".html"); }
};

// All but --marks, --decision_graph and --verify, which stand among the output
// flags.
void AddDensityPeaksFlags(DensityPeaksFlags* options, FlagSet* flags);

// Which columns of the input are coordinates.
CsvPointsOptions ColumnOptions(const DensityPeaksFlags& options);

// UsageError for values that the library refuses, and for flags that exclude
// each other.
absl::StatusOr<DensityPeaksOptions> LibraryOptions(
    const DensityPeaksFlags& options, const FlagSet& flags, const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_FLAGS_H_
