// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/density_peaks_report.h"

#include <cstdint>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "base/io/byte_reader.h"
#include "base/numbers/decimal.h"
#include "base/text/json_text.h"

namespace warpclust {
namespace {

// The quantile that d_c is.
std::string Quantile(const DensityPeaksFlags& options,
                     const DensityPeaksResult& result) {
  return options.cutoff_fraction.ToDouble() > 0
             ? FormatDecimal(options.cutoff_fraction)
             : absl::StrCat(result.cutoff_quantile);
}

void NoteCutoff(const DensityPeaksFlags& options,
                const DensityPeaksResult& result, const ToolRun& run) {
  if (options.library.cutoff_distance > 0) return;
  run.Note(absl::StrCat(
      "cutoff distance ", JsonDouble(result.graph.cutoff_distance), ", ",
      CutoffOrigin(options, result),
      result.cutoff_replaced
          ? absl::StrCat(": warning: the ", Quantile(options, result),
                         " quantile is 0, since many points are equal")
          : "",
      " (--dc sets it)"));
}

// The centers of the clusters, in order, for the summary.
std::string CentersJson(const DensityPeaksResult& result,
                        const PointNames& names) {
  std::string json = "[";
  for (int32_t c = 0; c < result.clusters.num_clusters(); ++c) {
    const int32_t peak = result.clusters.peaks[c];
    absl::StrAppend(&json, c == 0 ? "{\"peak\":" : ",{\"peak\":");
    if (names.names.empty()) {
      absl::StrAppend(&json, names.NumberOf(peak));
    } else {
      AppendJsonString(names.names[peak], &json);
    }
    absl::StrAppend(&json, ",\"rho\":", result.graph.densities[peak],
                    ",\"saddle\":", result.significance.saddles[c],
                    ",\"sigma\":", JsonDouble(result.significance.sigmas[c]),
                    "}");
  }
  return json + "]";
}

// Which flags may lead to more than one cluster.
absl::string_view OtherScale(const DensityPeaksFlags& options) {
  if (options.by_neighbors()) return "--neighbors sets another scale";
  return options.density == "count"
             ? "--dc or --dc_fraction sets another scale, --peaks=N a number "
               "of clusters"
             : "--dc or --dc_fraction sets another scale";
}

// How sure the peaks are.
void NoteSignificance(const DensityPeaksFlags& options,
                      const DensityPeaksResult& result, const ToolRun& run) {
  const Significance& significance = result.significance;
  const std::string chance = absl::StrFormat(
      "%.1f sigma is what chance reaches among %s", significance.least_sigma,
      Counted(significance.num_candidates, {"candidate", "candidates"}));
  const std::optional<double> weakest = WeakestSigma(result);
  run.Note(weakest.has_value()
               ? absl::StrFormat("%s, the weakest at %.1f sigma; %s",
                                 Counted(result.clusters.num_clusters(),
                                         {"cluster", "clusters"}),
                                 *weakest, chance)
               : absl::StrCat("one cluster: no other peak is significant; ",
                              chance, " (", OtherScale(options), ")"));
}

// The densest point is always a peak. If it is below a threshold, no point
// reaches that threshold. A single cluster is seldom what was wanted: a note
// says what to try.
void NotePeaks(const PeakSelection& peaks, const DensityPeaksResult& result,
               const ToolRun& run) {
  if (result.clusters.num_clusters() != 1) return;
  const int32_t peak = result.clusters.peaks[0];
  if (result.graph.densities[peak] < peaks.density_min ||
      (peaks.rule == PeakSelection::Rule::kThresholds &&
       result.graph.dependent_distances[peak] < peaks.delta_min) ||
      (peaks.rule == PeakSelection::Rule::kGamma &&
       Gammas(result.graph)[peak] < peaks.gamma_min)) {
    run.Note(
        "no point reaches the thresholds of a peak: the densest point is the "
        "only peak; try lower ones");
    return;
  }
  if (result.graph.num_points() < 3 || peaks.count == 1) return;
  run.Note(absl::StrCat(
      "one cluster: try a cutoff distance below ",
      JsonDouble(result.graph.cutoff_distance),
      " (--dc, or a smaller --dc_fraction), a number of clusters (--peaks=N), "
      "or choose the peaks by eye (--decision_graph=graph.html)"));
}

}  // namespace

absl::Status NamingFlags(const absl::Status& status, absl::string_view path,
                         const DensityPeaksFlags& options) {
  if (status.code() != absl::StatusCode::kInvalidArgument) return status;
  absl::string_view text = status.message();
  if (absl::ConsumePrefix(&text, "inserted ")) path = options.insert;
  if (absl::StartsWith(text, "expected to leave a point")) {
    return absl::InvalidArgumentError(
        absl::StrCat(InputName(options.remove), ": ", text));
  }
  std::string message = absl::StrReplaceAll(
      text, {{"PeakSelection::count", "--peaks"},
             {"PeakSelection::density_min", "--rho_min"},
             {"PeakSelection::delta_min", "--delta_min"},
             {"PeakSelection::gamma_min", "--gamma"},
             {"DensityPeaksOptions::cutoff_distance", "--dc"},
             {"give a cutoff distance", "give one by --dc"}});
  if (absl::StartsWith(message, "point ") ||
      absl::StartsWith(message, "expected two points that differ")) {
    message = absl::StrCat(InputName(path), ": ", message);
  }
  return absl::InvalidArgumentError(message);
}

std::string CutoffOrigin(const DensityPeaksFlags& options,
                         const DensityPeaksResult& result) {
  if (options.library.cutoff_distance > 0) return "";
  if (result.cutoff_replaced) {
    return absl::StrCat("the smallest positive distance",
                        result.cutoff_sampled ? " of a sample" : "");
  }
  return absl::StrCat(
      "the ", Quantile(options, result), " quantile of ",
      result.cutoff_sampled ? "a sample of the distances" : "all distances",
      options.in_batches() ? " in the input" : "");
}

void NoteResult(const DensityPeaksFlags& options,
                const DensityPeaksOptions& library_options,
                const DensityPeaksResult& result, const ToolRun& run) {
  if (!options.by_neighbors()) {
    NoteCutoff(options, result, run);
  }
  if (result.significance.sigmas.empty()) {
    NotePeaks(library_options.peaks, result, run);
  } else {
    NoteSignificance(options, result, run);
  }
}

void ReportResult(const DensityPeaksResult& result, const PointNames& names,
                  RunReport* report) {
  report->n = result.graph.num_points();
  report->n_noun = {"point", "points"};
  report->clusters = result.clusters.num_clusters();
  report->memberships = result.graph.num_points();
  report->AddSeconds("cutoff", result.seconds.cutoff);
  report->AddSeconds("build", result.seconds.build);
  report->AddSeconds("density", result.seconds.density);
  report->AddSeconds("dependent", result.seconds.dependent);
  if (result.seconds.saddles > 0) {
    report->AddSeconds("saddles", result.seconds.saddles);
  }
  report->AddSeconds("assignment", result.seconds.assignment);
  if (result.neighbors > 0) {
    report->extra = {{"neighbors", absl::StrCat(result.neighbors)}};
  } else {
    report->extra = {
        {"cutoff_distance", JsonDouble(result.graph.cutoff_distance)},
        {"cutoff_sampled", result.cutoff_sampled ? "true" : "false"}};
  }
  report->extra.push_back({"index", absl::StrCat("\"", result.index, "\"")});
  report->extra.push_back(
      {"distance_evaluations", absl::StrCat(result.distance_evaluations)});
  const Significance& significance = result.significance;
  if (significance.sigmas.empty()) return;
  const std::optional<double> weakest = WeakestSigma(result);
  report->extra.push_back(
      {"candidates", absl::StrCat(significance.num_candidates)});
  report->extra.push_back(
      {"least_sigma", JsonDouble(significance.least_sigma)});
  report->extra.push_back(
      {"weakest_sigma", weakest.has_value() ? JsonDouble(*weakest) : "null"});
  report->extra.push_back({"centers", CentersJson(result, names)});
}

}  // namespace warpclust
