// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the page shows is tested in a browser (testing/network_test.js).

#include "tools/report/network_page.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "base/html/testing/page_check.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "tools/report/testing/hostile_texts.h"

namespace warpclust {
namespace {

// A ring of n vertices, two clusters of one half each.
SignedGraph Ring(int32_t n) {
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < n; ++v) edges.push_back({v, (v + 1) % n, 1});
  return *BuildSignedGraph(n, edges);
}

CorrelationResult Halves(int32_t n) {
  CorrelationResult result;
  for (int32_t v = 0; v < n; ++v) result.labels.push_back(v < n / 2 ? 0 : 1);
  result.num_clusters = 2;
  result.imbalance = 2;
  return result;
}

absl::Status Write(const SignedGraph& graph,
                   const std::vector<std::string>& names,
                   const CorrelationResult& result, std::string* page) {
  NetworkPageOptions options;
  options.title = HostileText(5);
  options.command = HostileTexts(8, "");
  return WriteNetworkPage(
      graph, names, result, {}, options,
      [page](absl::string_view text) { absl::StrAppend(page, text); });
}

TEST(NetworkPageTest, IsSelfContainedWithTextsOfAnyKind) {
  std::string page;
  ASSERT_EQ(Write(Ring(40), HostileTexts(40, ""), Halves(40), &page),
            absl::OkStatus());
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());
}

TEST(NetworkPageTest, StaysSmall) {
  // More vertices than the page lists.
  constexpr int32_t kVertices = 150000;
  std::string page;
  ASSERT_EQ(Write(Ring(kVertices), std::vector<std::string>(kVertices, "name"),
                  Halves(kVertices), &page),
            absl::OkStatus());
  EXPECT_LT(page.size(), 8'000'000);
}

TEST(NetworkPageTest, RefusesWhatDoesNotFit) {
  const auto refused = [](const SignedGraph& graph, int32_t names,
                          const CorrelationResult& result) {
    std::string page;
    EXPECT_EQ(Write(graph, std::vector<std::string>(names, "v"), result, &page)
                  .code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(page, "");
  };
  refused(Ring(4), 3, Halves(4));
  refused(Ring(4), 4, Halves(5));
  CorrelationResult result = Halves(4);
  result.labels[1] = 2;
  refused(Ring(4), 4, result);
  result.labels[1] = -1;
  refused(Ring(4), 4, result);
}

}  // namespace
}  // namespace warpclust
