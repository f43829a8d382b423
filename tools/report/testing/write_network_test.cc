// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes pages about networks, each with what network_test.js must find.

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/bound/cycle_packing.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "base/html/html_page.h"
#include "base/html/testing/page_check.h"
#include "base/status/status_macros.h"
#include "graph/signed/signed_graph.h"
#include "tools/report/network_page.h"
#include "tools/report/testing/hostile_texts.h"

namespace warpclust {
namespace {

struct Scenario {
  std::string name;
  int32_t num_vertices;
  int32_t num_edges;
  int64_t units_per_one = 1;
  int32_t max_vertices = 100000;
  int32_t max_edges = 100000;
};

absl::StatusOr<BrowserTestPage> TestPage(const Scenario& scenario) {
  std::mt19937 random(scenario.num_vertices);
  std::vector<SignedEdge> edges;
  for (int32_t e = 0; e < scenario.num_edges; ++e) {
    const auto u = static_cast<int32_t>(random() % scenario.num_vertices);
    const auto v = static_cast<int32_t>(random() % scenario.num_vertices);
    if (u < v) edges.push_back({u, v, u % 4 == v % 4 ? 25 : -10});
  }
  ASSIGN_OR_RETURN(
      const SignedGraph graph,
      BuildSignedGraph(scenario.num_vertices, edges, scenario.units_per_one));
  CorrelationOptions options;
  options.num_threads = 1;
  options.device = Device::kCpu;
  SearchControl control;
  ASSIGN_OR_RETURN(const CorrelationResult result,
                   CorrelationClustering(graph, options, &control));
  const std::vector<std::string> names =
      HostileTexts(scenario.num_vertices, "v");

  NetworkPageOptions page_options;
  page_options.title = HostileText(0);
  page_options.command = {"correlation_cluster", "--input=it's </script>"};
  page_options.seconds = 1.5;
  ASSIGN_OR_RETURN(const CyclePacking packing,
                   PackConflictedCycles(graph, result.labels,
                                        CyclePackingOptions(), &control));
  if (scenario.units_per_one > 1) {
    page_options.lower_bound = packing.bound;
    page_options.bounds = packing.steps;
  }
  page_options.max_vertices = scenario.max_vertices;
  page_options.max_edges = scenario.max_edges;
  std::string page;
  RETURN_IF_ERROR(WriteNetworkPage(
      graph, names, result, control.improvements(), page_options,
      [&page](absl::string_view text) { absl::StrAppend(&page, text); }));

  // Every edge, for the script to count again.
  const auto weights =
      absl::StrJoin(edges, ",", [](std::string* out, const SignedEdge& edge) {
        absl::StrAppend(out, "[", edge.u, ",", edge.v, ",", edge.weight, "]");
      });
  return BrowserTestPage{
      scenario.name,
      absl::StrCat(
          "const testTitle = ", JsonStrings({page_options.title}),
          "[0];\nconst testNames = ", JsonStrings(names),
          ";\nconst testUnits = ", scenario.units_per_one,
          ";\nconst testMost = [", scenario.max_vertices, ",",
          scenario.max_edges, "];\nconst testEdges = [", weights,
          "];\nconst testLabels = [", absl::StrJoin(result.labels, ","),
          "];\nconst testOthers = [",
          absl::StrJoin(result.alternatives, ",",
                        [](std::string* out, const auto& alternative) {
                          absl::StrAppend(
                              out, "[", absl::StrJoin(alternative.labels, ","),
                              "]");
                        }),
          "];\nconst testBound = ", page_options.lower_bound.value_or(-1), ";"),
      page};
}

absl::StatusOr<std::vector<BrowserTestPage>> TestPages() {
  std::vector<BrowserTestPage> pages;
  for (const Scenario& scenario :
       {Scenario{"network", 60, 500}, Scenario{"decimals", 30, 200, 100},
        Scenario{"many_clusters", 900, 700},
        Scenario{"part", 80, 900, 1, 20, 7}, Scenario{"no_edges", 5, 0},
        Scenario{"one_vertex", 1, 0}}) {
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
