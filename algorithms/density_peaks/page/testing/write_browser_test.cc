// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes decision pages, each with the results of the library for some choices
// of peaks, which browser_test.js must find.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/page/decision_page.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/html/html_page.h"
#include "base/html/testing/page_check.h"
#include "base/status/status_macros.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

struct Scenario {
  std::string name;
  PointMatrix points;
  double cutoff;
  int32_t max_points;
  // The page opens with the first one.
  std::vector<PeakSelection> selections;
  bool names = false;
};

PeakSelection Thresholds(int32_t density_min, double delta_min) {
  PeakSelection selection;
  selection.rule = PeakSelection::Rule::kThresholds;
  selection.density_min = density_min;
  selection.delta_min = delta_min;
  return selection;
}

PeakSelection Largest(int32_t count, int32_t density_min) {
  PeakSelection selection;
  selection.rule = PeakSelection::Rule::kCount;
  selection.count = count;
  selection.density_min = density_min;
  return selection;
}

std::vector<Scenario> Scenarios() {
  const PeakSelection automatic;
  return {
      {"plane",
       RandomBlobs(700, 2, 6, 1),
       4.0,
       1000000,
       {Thresholds(3, 8), Thresholds(10, 3.25), Thresholds(0, 0), Largest(6, 0),
        Largest(40, 5), Thresholds(1000, 2), Largest(1, 1000)}},
      {"five_dimensions",
       RandomBlobs(400, 5, 4, 2),
       6.0,
       1000000,
       {automatic, Largest(4, 3), Thresholds(2, 10.5), Thresholds(1, 1e300)}},
      {"line",
       RandomBlobs(200, 1, 3, 3),
       2.0,
       1000000,
       {Largest(3, 0), Thresholds(4, 1.75)}},
      {"part",
       RandomBlobs(2000, 2, 8, 4),
       2.0,
       300,
       {Thresholds(5, 9), Largest(8, 0), Largest(12, 11)}},
      {"one_blob",
       RandomBlobs(300, 2, 1, 5),
       2.0,
       1000000,
       {Largest(1, 0), Largest(40, 0)}},
      {"names",
       RandomBlobs(200, 2, 3, 6),
       4.0,
       1000000,
       {Largest(3, 0), Largest(40, 0), Thresholds(3, 8)},
       /*names=*/true},
      {"names_of_a_part",
       RandomBlobs(900, 2, 3, 7),
       4.0,
       100,
       {Largest(3, 0)},
       /*names=*/true},
      {"one_point", {1, 3, {1, 2, 3}}, 1.0, 1000000, {automatic}},
      {"equal_points",
       {40, 2, std::vector<double>(80, 7.5)},
       1.0,
       1000000,
       {Largest(1, 0), Thresholds(1, 0), Largest(5, 0)}},
  };
}

// With text that must not act as markup, and some that are long.
std::vector<std::string> Names(int32_t num_points) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < num_points; ++i) {
    names.push_back(
        absl::StrCat("n", i, i % 2 == 0 ? " </script>\"<b>&amp; ü" : ""));
  }
  return names;
}

// The number of ranks before the largest drop of gamma after the second, among
// those that SelectPeaks considers, if gamma drops to half or less; else 0.
int AdvisedPeaks(const DecisionGraph& graph) {
  std::vector<double> gammas = Gammas(graph);
  std::sort(gammas.begin(), gammas.end(), std::greater<double>());
  gammas.resize(std::min<size_t>(
      gammas.size(), static_cast<size_t>(std::sqrt(gammas.size())) + 1));
  int best = 0;
  double largest = 0;
  for (size_t k = 2; k < gammas.size() && gammas[k - 1] > 0; ++k) {
    const double drop = gammas[k - 1] / gammas[k];
    if (drop >= 2 && drop > largest) {
      best = static_cast<int>(k);
      largest = drop;
    }
  }
  return best;
}

// A step of browser_test.js.
absl::StatusOr<std::string> StepJson(const DecisionGraph& graph,
                                     const PeakSelection& selection) {
  ASSIGN_OR_RETURN(const Clusters clusters, ClusterByPeaks(graph, selection));
  int32_t noise = 0;
  for (const uint8_t flag : clusters.noise) noise += flag;
  const bool thresholds = selection.rule == PeakSelection::Rule::kThresholds;
  return absl::StrCat("{\"mode\":\"", thresholds ? "thresholds" : "count",
                      "\",\"rhoMin\":", selection.density_min,
                      ",\"deltaMin\":\"", selection.delta_min,
                      "\",\"count\":", clusters.num_clusters(),
                      ",\"noise\":", noise, ",\"labels\":[",
                      absl::StrJoin(clusters.labels, ","), "],\"peaks\":[",
                      absl::StrJoin(clusters.peaks, ","), "]}");
}

absl::StatusOr<BrowserTestPage> TestPage(const Scenario& scenario) {
  const DecisionGraph graph =
      NaiveDecisionGraph(scenario.points, Metric::kEuclidean, scenario.cutoff);
  ASSIGN_OR_RETURN(const std::vector<int32_t> peaks,
                   SelectPeaks(graph, scenario.selections[0]));
  DecisionPageOptions options;
  // With text that must not act as markup or as shell syntax.
  options.title = absl::StrCat(scenario.name, " </script>'\"<b>&amp; ü");
  options.metric = "euclidean";
  options.cutoff_distance = absl::StrCat(scenario.cutoff);
  options.flags = {"--input=it's </script> $HOME.csv"};
  options.selection = scenario.selections[0];
  options.max_points = scenario.max_points;
  std::string test_names = "null";
  if (scenario.names) {
    options.names = Names(scenario.points.num_points);
    test_names = JsonStrings(options.names);
  }
  std::string page;
  RETURN_IF_ERROR(WriteDecisionPage(scenario.points, graph, peaks, options,
                                    [&page](absl::string_view text) {
                                      page.append(text.data(), text.size());
                                    }));

  std::vector<std::string> steps;
  for (const PeakSelection& selection : scenario.selections) {
    ASSIGN_OR_RETURN(const std::string step, StepJson(graph, selection));
    steps.push_back(step);
  }
  return BrowserTestPage{
      scenario.name,
      absl::StrCat("const testName = '", scenario.name,
                   "';\nconst testNames = ", test_names,
                   ";\nconst testAdvice = ", AdvisedPeaks(graph),
                   ";\nconst testSteps = [", absl::StrJoin(steps, ",\n"), "];"),
      page};
}

absl::StatusOr<std::vector<BrowserTestPage>> TestPages() {
  std::vector<BrowserTestPage> pages;
  for (const Scenario& scenario : Scenarios()) {
    ASSIGN_OR_RETURN(BrowserTestPage page, TestPage(scenario));
    pages.push_back(std::move(page));
  }
  return pages;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  return warpclust::WriteBrowserTests(argc, argv, warpclust::TestPages);
}
