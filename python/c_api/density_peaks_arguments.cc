// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "python/c_api/density_peaks_arguments.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "base/status/status_macros.h"
#include "python/c_api/arguments.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

using Tree = IncrementalDensityPeaksOptions::Tree;

template <typename Choice>
struct NamedChoice {
  absl::string_view name;
  Choice choice;
};

// The choice of this name; the first one without a name.
template <typename Choice>
absl::StatusOr<Choice> Choose(absl::string_view what, const char* name,
                              std::vector<NamedChoice<Choice>> choices) {
  if (name == nullptr) return choices[0].choice;
  std::vector<absl::string_view> known;
  for (const auto& [choice_name, choice] : choices) {
    if (choice_name == name) return choice;
    known.push_back(choice_name);
  }
  return absl::InvalidArgumentError(absl::StrCat(what, ": expected ",
                                                 absl::StrJoin(known, ", "),
                                                 ", found \"", name, "\""));
}

}  // namespace

PeakSelection ToSelection(const warpclust_peaks& from) {
  PeakSelection selection;
  selection.count = from.count;
  selection.density_min = from.density_min;
  selection.delta_min = from.delta_min;
  selection.gamma_min = from.gamma_min;
  if (from.count > 0) {
    selection.rule = PeakSelection::Rule::kCount;
  } else if (from.delta_min > 0) {
    selection.rule = PeakSelection::Rule::kThresholds;
  } else if (from.gamma_min > 0) {
    selection.rule = PeakSelection::Rule::kGamma;
  } else if (from.significance != 0) {
    selection.rule = PeakSelection::Rule::kSignificance;
  }
  return selection;
}

absl::StatusOr<DensityPeaksOptions> ToOptions(
    const warpclust_density_peaks_options* given, const CallOptions& call) {
  warpclust_density_peaks_options from;
  warpclust_density_peaks_options_init(&from);
  if (given != nullptr) from = *given;
  DensityPeaksOptions options;
  ASSIGN_OR_RETURN(options.metric,
                   ParseMetric(TextOr(from.metric, "euclidean")));
  options.cutoff_distance = from.cutoff_distance;
  options.cutoff_quantile = from.cutoff_quantile;
  options.seed = from.seed;
  options.peaks = ToSelection(from.peaks);
  options.halo = from.halo != 0;
  ASSIGN_OR_RETURN(options.index,
                   Choose<DensityPeaksIndex>(
                       "index", from.index,
                       {{"auto", DensityPeaksIndex::kAuto},
                        {"boxtree", DensityPeaksIndex::kBoxTree},
                        {"vptree", DensityPeaksIndex::kVpTree},
                        {"bruteforce", DensityPeaksIndex::kBruteForce}}));
  ASSIGN_OR_RETURN(options.density,
                   Choose<PointDensity>("density", from.density,
                                        {{"count", PointDensity::kCount},
                                         {"knn", PointDensity::kNeighbors},
                                         {"gaussian", PointDensity::kGaussian},
                                         {"pak", PointDensity::kAdaptive}}));
  options.neighbors = from.neighbors;
  options.work = call.work;
  options.device = call.device;
  options.num_threads = call.num_threads;
  return options;
}

absl::StatusOr<IncrementalDensityPeaksOptions> ToOptions(
    const warpclust_incremental_density_peaks_options& from,
    const CallOptions& call) {
  IncrementalDensityPeaksOptions options;
  ASSIGN_OR_RETURN(options.metric,
                   ParseMetric(TextOr(from.metric, "euclidean")));
  options.cutoff_distance = from.cutoff_distance;
  ASSIGN_OR_RETURN(
      options.update,
      Choose<DensityUpdate>("update", from.update,
                            {{"auto", DensityUpdate::kAuto},
                             {"incidental", DensityUpdate::kIncidental},
                             {"separate", DensityUpdate::kSeparate}}));
  ASSIGN_OR_RETURN(options.tree, Choose<Tree>("index", from.index,
                                              {{"auto", Tree::kAuto},
                                               {"boxtree", Tree::kBox},
                                               {"vptree", Tree::kVantage}}));
  options.device = call.device;
  options.num_threads = call.num_threads;
  return options;
}

}  // namespace warpclust
