// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/density_peaks_flags.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/status/status_macros.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

absl::StatusOr<PeakSelection> PeaksOf(const DensityPeaksFlags& options,
                                      const FlagSet& flags) {
  PeakSelection peaks;
  peaks.density_min = static_cast<int32_t>(options.density_min);
  peaks.count = static_cast<int32_t>(options.peaks);
  peaks.delta_min = options.delta_min;
  peaks.gamma_min = options.gamma;
  const bool delta = flags.WasGiven("delta_min");
  const bool gamma = flags.WasGiven("gamma");
  if ((options.peaks > 0) + delta + gamma > 1) {
    return UsageError(
        "--peaks, --delta_min and --gamma are three ways to choose peaks: give "
        "one of them");
  }
  if (options.peaks > 0) peaks.rule = PeakSelection::Rule::kCount;
  if (delta) peaks.rule = PeakSelection::Rule::kThresholds;
  if (gamma) peaks.rule = PeakSelection::Rule::kGamma;
  return peaks;
}

}  // namespace

void AddDensityPeaksFlags(DensityPeaksFlags* options, FlagSet* flags) {
  flags->Group("Density");
  flags->AddChoice("metric", &options->metric,
                   {"euclidean", "manhattan", "chebyshev", "angular", "cosine"},
                   "How distance is measured; angular is in radians.");
  flags->AddNumber("dc", &options->cutoff_distance,
                   "Cutoff distance: points nearer than this count for the "
                   "density. 0 chooses it by --dc_fraction.");
  flags->AddDecimal("dc_fraction", &options->cutoff_fraction,
                    "The fraction of all pairs of points that the cutoff "
                    "distance is to reach; about so many of all points are "
                    "within it of a point. Fewer for many clusters.");
  flags->AddChoice("index", &options->index,
                   {"auto", "boxtree", "vptree", "bruteforce"},
                   "How neighbors are searched; auto measures. Never changes "
                   "the result.");
  flags->Group("Peaks");
  flags->AddInt("peaks", &options->peaks, 0, INT32_MAX,
                "The N points of largest gamma = rho * delta are peaks. 0, "
                "without --delta_min or --gamma: those before the largest drop "
                "of gamma.");
  flags->AddInt(
      "rho_min", &options->density_min, 0, INT32_MAX,
      "Points of less density are noise, in the JSON and the decision "
      "graph, and no peaks.");
  flags->AddNumber("delta_min", &options->delta_min,
                   "Points of at least this delta (and rho_min) are peaks.");
  flags->AddNumber("gamma", &options->gamma,
                   "Points of at least this gamma are peaks.");
  flags->AddBool("halo", &options->halo,
                 "Find the halo of each cluster, points less dense than its "
                 "border with another; in the JSON and the decision graph, "
                 "of which there must be one.");
  flags->Group("Points that come and go");
  flags->AddReadPath("insert", &options->batches.insert, "PATH",
                     "Points to add after those of --input, in batches; their "
                     "numbers go on from there.");
  flags->AddReadPath(
      "delete", &options->batches.remove, "PATH",
      "Numbers of points to take away afterwards, one a line; after a "
      "tab may stand what is not read.");
  flags->AddInt("batch", &options->batches.batch, 1, INT32_MAX,
                "Points a batch.");
  flags->AddChoice("update", &options->batches.update,
                   {"auto", "incidental", "separate"},
                   "How a batch changes the densities of the other points: "
                   "found from the batch, or from the others; auto measures. "
                   "Never changes the result.");
}

absl::StatusOr<DensityPeaksOptions> LibraryOptions(
    const DensityPeaksFlags& options, const FlagSet& flags,
    const ToolRun& run) {
  DensityPeaksOptions result;
  const absl::StatusOr<Metric> metric = ParseMetric(options.metric);
  if (!metric.ok()) return UsageError(metric.status().message());
  result.metric = *metric;
  if (options.cutoff_distance > 0 && flags.WasGiven("dc_fraction")) {
    return UsageError("--dc and --dc_fraction are two ways to say the same");
  }
  if (options.batches.insert.empty() && options.batches.remove.empty()) {
    for (absl::string_view flag : {"batch", "update"}) {
      if (flags.WasGiven(flag)) {
        return UsageError(
            absl::StrCat("--", flag, " is for --insert and --delete"));
      }
    }
  }
  result.cutoff_distance = options.cutoff_distance;
  result.cutoff_quantile = options.cutoff_fraction.ToDouble();
  if (!(result.cutoff_quantile > 0 && result.cutoff_quantile <= 1)) {
    return UsageError(absl::StrCat(
        "--dc_fraction: expected a number above 0 and at most 1, found ",
        FormatDecimal(options.cutoff_fraction)));
  }
  result.seed = static_cast<uint64_t>(run.options.seed);
  ASSIGN_OR_RETURN(const PeakSelection peaks, PeaksOf(options, flags));
  result.peaks = peaks;
  result.halo = options.halo;
  if (options.index == "boxtree") result.index = DensityPeaksIndex::kBoxTree;
  if (options.index == "vptree") result.index = DensityPeaksIndex::kVpTree;
  if (options.index == "bruteforce") {
    result.index = DensityPeaksIndex::kBruteForce;
  }
  result.device = run.device;
  result.num_threads = run.threads;
  return result;
}

}  // namespace warpclust
