// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/density_peaks_flags.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Sets the rule that the flags choose.
absl::Status ChoosePeakRule(const DensityPeaksFlags& options,
                            const FlagSet& flags, PeakSelection* peaks) {
  using Rule = PeakSelection::Rule;
  const bool delta = flags.WasGiven("delta_min");
  const bool gamma = flags.WasGiven("gamma");
  const bool rule = options.rule != "auto";
  if ((peaks->count > 0) + delta + gamma + rule > 1) {
    return UsageError(
        "--peaks, --delta_min, --gamma and --rule are four ways to choose "
        "peaks: give one");
  }
  const bool significance = options.rule == "significance";
  if (significance && options.in_batches()) {
    return UsageError(
        "--rule=significance is not for --insert and --delete: saddles are not "
        "kept up to date");
  }
  if (significance && options.has_page()) {
    return UsageError(
        "--rule=significance is not for a page to choose peaks on: give "
        "--decision_graph=PATH.tsv");
  }
  peaks->rule = Rule::kSignificance;
  if (options.rule == "drop" ||
      (!significance && (options.in_batches() || options.has_page() ||
                         flags.WasGiven("rho_min")))) {
    peaks->rule = Rule::kLargestDrop;
  }
  if (peaks->count > 0) peaks->rule = Rule::kCount;
  if (delta) peaks->rule = Rule::kThresholds;
  if (gamma) peaks->rule = Rule::kGamma;
  return absl::OkStatus();
}

}  // namespace

void AddDensityPeaksFlags(DensityPeaksFlags* options, FlagSet* flags) {
  flags->Group("Columns");
  flags->AddString("columns", &options->columns, "LIST",
                   "CSV: the columns to cluster, by name in the header or by "
                   "number from 1, separated by commas. Default: all except "
                   "columns named id and a first column that counts the rows.");
  flags->AddString("id_column", &options->id_column, "COLUMN",
                   "CSV: a column of ids, which is left out. All outputs and "
                   "--delete then have ids instead of row numbers.");
  flags->AddString("label_column", &options->label_column, "COLUMN",
                   "CSV: a column of labels, which is left out.");
  flags->AddBool("standardize", &options->standardize,
                 "Scale every column to mean 0 and standard deviation 1. "
                 "Inserted points are scaled as --input is.");
  flags->Group("Density");
  flags->AddChoice("metric", &options->metric,
                   {"euclidean", "manhattan", "chebyshev", "angular", "cosine"},
                   "Distance between points; angular is in radians.");
  flags->AddNumber("dc", &options->library.cutoff_distance,
                   "Cutoff distance: the density of a point is the number of "
                   "points nearer than this. 0 chooses it by --dc_fraction.");
  flags->AddDecimal("dc_fraction", &options->cutoff_fraction,
                    "The cutoff distance is this quantile of all distances: "
                    "about this share of all points is within it of a point. "
                    "Default: 0.6 / sqrt(points) with --rule=significance, "
                    "twice that in one dimension; 0.02 with the paper's "
                    "rules.");
  flags->AddChoice(
      "density", &options->density, {"count", "knn", "gaussian", "pak"},
      "count: points within --dc. knn: by the distance to the k-th nearest "
      "point. gaussian: the sum of exp(-(distance / dc)^2). pak: knn whose k "
      "grows while the density is constant. Others than count take peaks by "
      "significance.");
  flags->AddInt("neighbors", &options->library.neighbors, 0, INT32_MAX,
                "The k of --density=knn, the largest one of pak. 0: "
                "0.6 sqrt(points), from 4 to 100.");
  flags->AddString(
      "sweep", &options->sweep, "FROM:TO[:VALUES]",
      "Instead of clusters, write a table of what each of these --dc_fraction "
      "or, with --density=knn and pak, --neighbors (16 without VALUES, each "
      "the same multiple of the one before) would give: clusters, noise, "
      "significance, and agreement with the next one; "
      "the widest range of stable clusters is marked.");
  flags->AddChoice("index", &options->index,
                   {"auto", "boxtree", "vptree", "bruteforce"},
                   "How neighbors are searched. auto is a box tree in few "
                   "dimensions; in more, on a CPU what a model finds fastest, "
                   "on a GPU box tree or brute force, by measurement. Does not "
                   "change the result.");
  flags->Group("Peaks");
  flags->AddInt("peaks", &options->library.peaks.count, 0, INT32_MAX,
                "The N points of largest gamma = rho * delta are peaks. 0: "
                "as --delta_min, --gamma or --rule say.");
  flags->AddInt(
      "rho_min", &options->library.peaks.density_min, 0, INT32_MAX,
      "Points of lower density are not peaks, and are marked as noise "
      "in the JSON and the decision graph.");
  flags->AddNumber("delta_min", &options->library.peaks.delta_min,
                   "Points of at least this delta (and rho_min) are peaks.");
  flags->AddNumber("gamma", &options->library.peaks.gamma_min,
                   "Points of at least this gamma are peaks.");
  flags->AddChoice(
      "rule", &options->rule, {"auto", "significance", "drop"},
      "How peaks are chosen if no number or threshold is given. significance: "
      "points whose density stands out of the saddles to denser ones by more "
      "than chance explains. drop: those before the largest drop of gamma, "
      "which is the paper's decision graph read by a rule. auto: significance; "
      "drop with --rho_min, a page, or points that come and go.");
  flags->AddBool("halo", &options->library.halo,
                 "Find the halo of each cluster: points less dense than its "
                 "border with another cluster. Needs --marks, --format=json or "
                 "a decision graph.");
  flags->Group("Points that come and go");
  flags->AddReadPath("insert", &options->insert, "PATH",
                     "Points to add in batches, with the columns of --input. "
                     "Their numbers continue those of --input.");
  flags->AddReadPath("delete", &options->remove, "PATH",
                     "Points to remove afterwards, one per line: numbers or, "
                     "with --id_column, ids; text after a tab is ignored.");
  flags->AddInt("batch", &options->batch, 1, INT32_MAX, "Points per batch.");
  flags->AddChoice("update", &options->update,
                   {"auto", "incidental", "separate"},
                   "How a batch updates the densities of the other points: "
                   "searching from the batch, or from the others; auto "
                   "measures. Does not change the result.");
}

CsvPointsOptions ColumnOptions(const DensityPeaksFlags& options) {
  CsvPointsOptions result;
  result.columns = absl::StrSplit(options.columns, ',', absl::SkipWhitespace());
  if (!options.label_column.empty()) {
    result.left_out.push_back(options.label_column);
  }
  result.name_column = options.id_column;
  result.leave_out_ids = true;
  return result;
}

absl::StatusOr<DensityPeaksOptions> LibraryOptions(
    const DensityPeaksFlags& options, const FlagSet& flags,
    const ToolRun& run) {
  DensityPeaksOptions result = options.library;
  ASSIGN_OR_RETURN(result.metric, ParseMetric(options.metric));
  if (result.cutoff_distance > 0 && flags.WasGiven("dc_fraction")) {
    return UsageError("--dc and --dc_fraction exclude each other: give one");
  }
  if (!options.in_batches()) {
    RETURN_IF_ERROR(RefuseFlags(flags, {"batch", "update"},
                                "is for --insert and --delete"));
  }
  result.cutoff_quantile = options.cutoff_fraction.ToDouble();
  if (flags.WasGiven("dc_fraction") &&
      !(result.cutoff_quantile > 0 && result.cutoff_quantile <= 1)) {
    return UsageError(absl::StrCat(
        "--dc_fraction: expected a number above 0 and at most 1, found ",
        FormatDecimal(options.cutoff_fraction)));
  }
  result.seed = static_cast<uint64_t>(run.options.seed);
  RETURN_IF_ERROR(ChoosePeakRule(options, flags, &result.peaks));
  if (options.density != "count") {
    RETURN_IF_ERROR(RefuseFlags(
        flags,
        {"peaks", "rho_min", "delta_min", "gamma", "halo", "insert", "delete",
         "decision_graph", "verify"},
        absl::StrCat("needs counts, and --density=", options.density,
                     " was given")));
    if (options.rule == "drop") {
      return UsageError(absl::StrCat("--rule=drop needs counts, and --density=",
                                     options.density, " was given"));
    }
    result.density = options.density == "knn"        ? PointDensity::kNeighbors
                     : options.density == "gaussian" ? PointDensity::kGaussian
                                                     : PointDensity::kAdaptive;
  }
  if (options.by_neighbors()) {
    RETURN_IF_ERROR(RefuseFlags(flags, {"dc", "dc_fraction"},
                                "is for --density=count and gaussian"));
  } else {
    RETURN_IF_ERROR(
        RefuseFlags(flags, {"neighbors"}, "is for --density=knn and pak"));
  }
  if (options.density == "gaussian") {
    RETURN_IF_ERROR(
        RefuseFlags(flags, {"sweep"}, "is for --density=count, knn and pak"));
  }
  if (options.index == "boxtree") result.index = DensityPeaksIndex::kBoxTree;
  if (options.index == "vptree") result.index = DensityPeaksIndex::kVpTree;
  if (options.index == "bruteforce") {
    result.index = DensityPeaksIndex::kBruteForce;
  }
  if (options.in_batches() && result.index == DensityPeaksIndex::kBruteForce) {
    return UsageError(
        "--insert and --delete need a tree: --index=boxtree or vptree");
  }
  result.device = run.requested;
  result.num_threads = run.threads;
  return result;
}

}  // namespace warpclust
