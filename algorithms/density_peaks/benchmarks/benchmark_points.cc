// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/benchmarks/benchmark_points.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/benchmarks/generated_points.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "vptree/io/csv_points.h"

ABSL_FLAG(std::vector<std::string>, sizes, {},
          "sizes of generated mixtures to measure as well");
ABSL_FLAG(int32_t, dimensions, 3, "dimensions of generated points");
ABSL_FLAG(double, dc, 0,
          "cutoff distance; 0: that of BENCHMARKS.md for the sets measured "
          "there, 0.02 for mixtures");

namespace warpclust {
namespace {

double KnownCutoff(const std::string& name) {
  static constexpr std::pair<const char*, double> kCutoffs[] = {
      {"s2", 21000},    {"birch1", 14000},     {"dragon", 0.002},
      {"geolife1m", 1}, {"chest_accel", 5.5},  {"kin40k", 1},
      {"shuttle", 4.5}, {"keggundirected", 1}, {"kdd99_10pct", 0.01},
      {"facial", 300},
  };
  for (const auto& [known, cutoff] : kCutoffs) {
    if (name == known) return cutoff;
  }
  return 0;
}

void Shuffle(PointMatrix* points) {
  Random random(2);
  const int32_t d = points->num_dimensions;
  for (int32_t i = points->num_points - 1; i > 0; --i) {
    const auto j = static_cast<int64_t>(random.Below(i + 1));
    std::swap_ranges(points->values.begin() + int64_t{i} * d,
                     points->values.begin() + int64_t{i + 1} * d,
                     points->values.begin() + j * d);
  }
}

}  // namespace

absl::StatusOr<std::vector<BenchmarkSet>> BenchmarkSets(int32_t default_size) {
  const double given = absl::GetFlag(FLAGS_dc);
  std::vector<BenchmarkSet> sets;
  for (const std::string& path : BenchmarkData(".csv.gz")) {
    const std::string file = std::filesystem::path(path).filename();
    const std::string name = file.substr(0, file.find('.'));
    sets.push_back({name, path, 0, given > 0 ? given : KnownCutoff(name)});
  }
  std::vector<std::string> sizes = absl::GetFlag(FLAGS_sizes);
  if (sets.empty() && sizes.empty()) sizes = {absl::StrCat(default_size)};
  const int32_t dimensions = absl::GetFlag(FLAGS_dimensions);
  for (const std::string& text : sizes) {
    int32_t size = 0;
    if (!absl::SimpleAtoi(text, &size) || size < 1 || dimensions < 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--sizes and --dimensions: expected numbers of at least 1, found ",
          text, " and ", dimensions));
    }
    sets.push_back({absl::StrCat("mixture", size, "x", dimensions), "", size,
                    given > 0 ? given : 0.02});
  }
  return sets;
}

absl::StatusOr<const PointMatrix*> PointsOf(const BenchmarkSet& set,
                                            bool shuffled) {
  static std::string held;
  static PointMatrix points;
  if (held == set.name) return &points;
  held.clear();
  if (set.path.empty()) {
    points = MixtureOfGaussians(set.size, absl::GetFlag(FLAGS_dimensions));
  } else {
    ASSIGN_OR_RETURN(points, ReadCsvPoints(set.path));
  }
  if (shuffled) Shuffle(&points);
  held = set.name;
  return &points;
}

}  // namespace warpclust
