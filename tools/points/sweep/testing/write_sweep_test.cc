// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes pages of sweeps for sweep_test.js, with what they must show.

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/html/html_page.h"
#include "base/html/testing/page_check.h"
#include "base/status/status_macros.h"
#include "tools/points/sweep/cutoff_sweep.h"
#include "tools/points/sweep/sweep_page.h"

namespace warpclust {
namespace {

// Clusters, agreement with the next and whether it is stable, by value.
struct Value {
  int32_t clusters;
  std::optional<double> agreement;
  bool stable;
};

absl::StatusOr<BrowserTestPage> TestPage(const std::string& name,
                                         const std::vector<Value>& values,
                                         const std::string& range,
                                         size_t chosen,
                                         bool by_neighbors = false) {
  constexpr int32_t kPoints = 1000;
  std::vector<CutoffStep> steps;
  for (const Value& value : values) {
    CutoffStep step;
    if (by_neighbors) {
      step.neighbors = 3 << steps.size();
    } else {
      step.fraction = 0.001 * static_cast<double>(1 << steps.size());
      step.cutoff_distance = 2.5 * static_cast<double>(1 + steps.size());
    }
    step.partition.clusters = value.clusters;
    step.partition.largest = kPoints / value.clusters;
    step.noise = static_cast<int32_t>(10 * steps.size());
    step.candidates = 40;
    step.least_sigma = 2.5;
    if (value.clusters > 1) step.weakest_sigma = 3.0 + value.clusters;
    step.partition.agreement = value.agreement;
    step.partition.stable = value.stable;
    steps.push_back(step);
  }
  SweepPageOptions options;
  options.title = "it's </script> & <b>.csv";
  options.metric = "euclidean";
  options.command = {"density_peaks", "--input=it's </script>.csv"};
  options.num_points = kPoints;
  options.num_dimensions = 2;
  std::string page;
  WriteSweepPage(steps, options, [&page](absl::string_view text) {
    absl::StrAppend(&page, text);
  });
  RETURN_IF_ERROR(CheckSelfContained(page));
  std::string table;
  WriteCutoffSweep(steps, /*as_json=*/true, [&table](absl::string_view text) {
    absl::StrAppend(&table, text);
  });
  return BrowserTestPage{
      name,
      absl::StrCat("const testTitle = ", JsonStrings({options.title}),
                   "[0];\nconst testSteps = ", table,
                   ".sweep;\nconst testRange = '", range,
                   "';\nconst testChosen = ", chosen, ";"),
      page};
}

absl::StatusOr<std::vector<BrowserTestPage>> TestPages() {
  std::vector<BrowserTestPage> pages;
  ASSIGN_OR_RETURN(BrowserTestPage stable, TestPage("stable",
                                                    {{40, 0.2, false},
                                                     {9, 0.95, true},
                                                     {8, 0.99, true},
                                                     {8, 0.1, true},
                                                     {2, 0.0, false},
                                                     {1, std::nullopt, false}},
                                                    "0.002 to 0.008", 2));
  pages.push_back(std::move(stable));
  ASSIGN_OR_RETURN(BrowserTestPage none,
                   TestPage("none", {{1, 1.0, false}, {1, std::nullopt, false}},
                            "no range", 0));
  pages.push_back(std::move(none));
  ASSIGN_OR_RETURN(
      BrowserTestPage neighbors,
      TestPage("neighbors",
               {{9, 0.2, false}, {4, 0.95, true}, {4, std::nullopt, true}},
               "6 to 12", 2, /*by_neighbors=*/true));
  pages.push_back(std::move(neighbors));
  return pages;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  return warpclust::WriteBrowserTests(argc, argv, warpclust::TestPages);
}
