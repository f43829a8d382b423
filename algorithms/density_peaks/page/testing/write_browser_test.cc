// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// write_browser_test FOLDER SCRIPT: writes decision pages into FOLDER, each
// with SCRIPT (browser_test.js) and the results of the library for some choices
// of peaks, which the script must find.

#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
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
#include "base/status/status_macros.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// First in the page, so that it misses no error.
constexpr char kWatch[] = R"(<script>
const pageErrors = [];
window.addEventListener('error', (e) => pageErrors.push(e.message));
window.addEventListener('unhandledrejection', (e) => pageErrors.push(String(e.reason)));
window.addEventListener('securitypolicyviolation', (e) => pageErrors.push('policy: ' + e.blockedURI));
for (const kind of ['error', 'warn']) {
  console[kind] = (...words) => pageErrors.push(words.join(' '));
}
</script>
)";

struct Scenario {
  std::string name;
  PointMatrix points;
  double cutoff;
  int32_t max_points;
  // The page opens with the first one.
  std::vector<PeakSelection> selections;
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
      {"one_point", {1, 3, {1, 2, 3}}, 1.0, 1000000, {automatic}},
      {"equal_points",
       {40, 2, std::vector<double>(80, 7.5)},
       1.0,
       1000000,
       {Largest(1, 0), Thresholds(1, 0), Largest(5, 0)}},
  };
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

absl::StatusOr<std::string> TestPage(const Scenario& scenario,
                                     absl::string_view script) {
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
  page.insert(page.find("<head>") + 6, kWatch);
  const std::string test = absl::StrCat(
      "<script>\nconst testName = '", scenario.name, "';\nconst testSteps = [",
      absl::StrJoin(steps, ",\n"), "];\n", script, "</script>\n");
  page.insert(page.rfind("</body>"), test);
  return page;
}

int Main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "Usage: write_browser_test FOLDER SCRIPT\n";
    return 1;
  }
  std::ifstream file(argv[2]);
  std::stringstream script;
  script << file.rdbuf();
  for (const Scenario& scenario : Scenarios()) {
    const absl::StatusOr<std::string> page = TestPage(scenario, script.str());
    if (!page.ok()) {
      std::cerr << scenario.name << ": " << page.status() << '\n';
      return 1;
    }
    std::ofstream out(absl::StrCat(argv[1], "/", scenario.name, ".html"));
    out << *page;
    if (!out.flush()) {
      std::cerr << "cannot write to " << argv[1] << '\n';
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) { return warpclust::Main(argc, argv); }
