// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/decision_page.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/html/testing/page_check.h"
#include "base/testing/comma_locale.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

DecisionGraph EuclideanGraph(const PointMatrix& points, double cutoff) {
  return NaiveDecisionGraph(points, Metric::kEuclidean, cutoff);
}

using ::testing::HasSubstr;
using ::testing::Not;

DecisionPageOptions SomeOptions() {
  DecisionPageOptions options;
  options.title = "blobs.csv";
  options.metric = "euclidean";
  options.cutoff_distance = "3";
  options.flags = {"--input=blobs.csv"};
  options.selection.rule = PeakSelection::Rule::kThresholds;
  options.selection.density_min = 2;
  options.selection.delta_min = 0.1;
  return options;
}

absl::Status Write(const PointMatrix& points, const DecisionGraph& graph,
                   const std::vector<int32_t>& peaks,
                   const DecisionPageOptions& options, std::string* page) {
  return WriteDecisionPage(points, graph, peaks, options,
                           [page](absl::string_view text) {
                             page->append(text.data(), text.size());
                           });
}

std::string PageOf(const PointMatrix& points,
                   const DecisionPageOptions& options) {
  std::string page;
  const absl::Status status =
      Write(points, EuclideanGraph(points, 3.0), {0}, options, &page);
  EXPECT_TRUE(status.ok()) << status;
  return page;
}

template <typename T>
std::vector<T> Array(const std::string& page, absl::string_view name) {
  std::string bytes;
  EXPECT_TRUE(absl::Base64Unescape(PageElement(page, name), &bytes)) << name;
  std::vector<T> values(bytes.size() / sizeof(T));
  memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

TEST(DecisionPageTest, HoldsTheArrays) {
  // More bytes than one piece of base64.
  const PointMatrix points = RandomBlobs(1000, 2, 4, 1);
  PointMatrix many{50000, 1, {}};
  DecisionGraph chain;
  for (int32_t i = 0; i < many.num_points; ++i) {
    many.values.push_back(i);
    chain.densities.push_back(many.num_points - 1 - i);
    chain.dependent_points.push_back(i - 1);
    chain.dependent_distances.push_back(i + 0.1);
  }
  std::string page;
  ASSERT_TRUE(Write(many, chain, {0}, SomeOptions(), &page).ok());
  EXPECT_EQ(Array<int32_t>(page, "rho"), chain.densities);
  EXPECT_EQ(Array<double>(page, "delta"), chain.dependent_distances);
  EXPECT_EQ(Array<int32_t>(page, "dependent"), chain.dependent_points);
  EXPECT_EQ(PageElement(page, "id"), "missing");
  // The page has the size that the header states.
  EXPECT_LT(page.size(), 32 * 50000 + 400000);

  const DecisionGraph graph = EuclideanGraph(points, 3.0);
  page = PageOf(points, SomeOptions());
  EXPECT_EQ(Array<int32_t>(page, "rho"), graph.densities);
  EXPECT_EQ(Array<double>(page, "delta"), graph.dependent_distances);
  const std::vector<float> x = Array<float>(page, "x");
  const std::vector<float> y = Array<float>(page, "y");
  ASSERT_EQ(x.size(), 1000);
  std::smatch range;
  const std::string meta = PageElement(page, "meta");
  ASSERT_TRUE(std::regex_search(
      meta, range, std::regex("\"x\":.*?\"min\":([^,]*),\"max\":([^}]*)}")));
  const double min = std::stod(range[1]);
  const double max = std::stod(range[2]);
  for (int32_t i = 0; i < 1000; ++i) {
    EXPECT_NEAR(min + x[i] * (max - min), points.Row(i)[0], 1e-4);
    EXPECT_GE(y[i], 0);
    EXPECT_LE(y[i], 1);
  }
}

TEST(DecisionPageTest, AsksNothingOfTheNetwork) {
  const std::string page = PageOf(RandomBlobs(40, 3, 2, 1), SomeOptions());
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(DecisionPageTest, TextsAreShownLiterally) {
  DecisionPageOptions options = SomeOptions();
  options.title = "a</script><b>\"'&\\ü\n.csv";
  options.flags = {"--input=</script><!-- '\"$HOME\\ \u2028"};
  const std::string page = PageOf(RandomBlobs(10, 2, 1, 1), options);
  EXPECT_THAT(page, HasSubstr("<title>a&lt;/script&gt;&lt;b&gt;&quot;&#39;&amp;"
                              "\\ü\n.csv - decision graph</title>"));
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());
  const std::string meta = PageElement(page, "meta");
  EXPECT_THAT(
      meta,
      HasSubstr(
          R"("title":"a\u003c/script\u003e\u003cb\u003e\"'\u0026\\ü\u000a.csv")"));
  EXPECT_THAT(
      meta, HasSubstr(R"(["--input=\u003c/script\u003e\u003c!-- '\"$HOME\\ )"));
}

TEST(DecisionPageTest, OpensWithTheRuleOfTheTool) {
  const PointMatrix points = RandomBlobs(60, 2, 3, 1);
  DecisionPageOptions options = SomeOptions();
  options.selection.delta_min = 1.0 / 3;
  EXPECT_THAT(PageElement(PageOf(points, options), "meta"),
              HasSubstr("\"selection\":{\"mode\":\"thresholds\",\"count\":1,"
                        "\"rhoMin\":2,\"deltaMin\":0.3333333333333333}"));
  for (const auto rule :
       {PeakSelection::Rule::kLargestDrop, PeakSelection::Rule::kCount,
        PeakSelection::Rule::kGamma}) {
    options.selection.rule = rule;
    EXPECT_THAT(PageElement(PageOf(points, options), "meta"),
                HasSubstr("\"selection\":{\"mode\":\"count\",\"count\":1,"
                          "\"rhoMin\":2,\"deltaMin\":0}"));
  }
}

TEST(DecisionPageTest, KnowsNoLocale) {
  const PointMatrix points = RandomBlobs(60, 2, 3, 1);
  DecisionPageOptions options = SomeOptions();
  for (const double delta : {1.0 / 3, 1.0 / 3 * 1e-30, 1.0 / 3 * 1e+30}) {
    options.selection.delta_min = delta;
    const std::string page = PageOf(points, options);
    const CommaLocale comma;
    if (!comma.found()) GTEST_SKIP() << "no locale with a decimal comma here";
    EXPECT_EQ(PageOf(points, options), page) << delta;
  }
}

TEST(DecisionPageTest, AnyNumberOfDimensionsAndPoints) {
  for (const int32_t n : {1, 2, 31, 32, 33}) {
    for (const int32_t d : {1, 2, 3, 20}) {
      for (const bool equal : {false, true}) {
        PointMatrix points = RandomBlobs(n, d, 2, n + d);
        if (equal) points.values.assign(points.values.size(), -2.5);
        DecisionPageOptions options = SomeOptions();
        const std::string page = PageOf(points, options);
        EXPECT_EQ(page, PageOf(points, options));
        EXPECT_EQ(Array<float>(page, "x").size(), n);
        for (const float x : Array<float>(page, "x")) {
          EXPECT_TRUE(x >= 0 && x <= 1) << n << ' ' << d << ' ' << x;
        }
      }
    }
  }
}

TEST(DecisionPageTest, HoldsAPartOfManyPoints) {
  DecisionPageOptions options = SomeOptions();
  options.max_points = 100;
  const std::string page = PageOf(RandomBlobs(500, 2, 3, 1), options);
  const std::vector<int32_t> ids = Array<int32_t>(page, "id");
  EXPECT_LE(ids.size(), 100);
  EXPECT_EQ(Array<double>(page, "delta").size(), ids.size());
  EXPECT_EQ(Array<int32_t>(page, "weight").size(), ids.size());
  EXPECT_THAT(PageElement(page, "meta"), HasSubstr("\"total\":500"));
}

TEST(DecisionPageTest, HoldsTheNames) {
  DecisionPageOptions options = SomeOptions();
  const PointMatrix points = RandomBlobs(500, 2, 3, 1);
  EXPECT_EQ(PageElement(PageOf(points, options), "names"), "missing");
  for (int32_t i = 0; i < 500; ++i) {
    options.names.push_back(absl::StrCat("</script>", i));
  }
  const auto expected = [](const std::vector<int32_t>& ids) {
    std::string text;
    for (const int32_t id : ids) {
      absl::StrAppend(&text, text.empty() ? "[" : ",",
                      "\"\\u003c/script\\u003e", id, "\"");
    }
    return text + "]";
  };
  std::vector<int32_t> all(500);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(PageElement(PageOf(points, options), "names"), expected(all));
  options.max_points = 100;
  const std::string page = PageOf(points, options);
  EXPECT_EQ(PageElement(page, "names"), expected(Array<int32_t>(page, "id")));
}

TEST(DecisionPageTest, RefusesWhatDoesNotFit) {
  const PointMatrix points = RandomBlobs(20, 2, 2, 1);
  const DecisionGraph graph = EuclideanGraph(points, 3.0);
  const auto refused = [](const PointMatrix& points, const DecisionGraph& graph,
                          const std::vector<int32_t>& peaks,
                          const DecisionPageOptions& options) {
    std::string page;
    const absl::Status status = Write(points, graph, peaks, options, &page);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_EQ(page, "");
  };
  refused(PointMatrix{0, 2, {}}, DecisionGraph(), {}, SomeOptions());
  refused(points, DecisionGraph(), {}, SomeOptions());
  refused(points, EuclideanGraph(RandomBlobs(19, 2, 2, 1), 3.0), {},
          SomeOptions());
  refused(points, graph, {20}, SomeOptions());
  refused(points, graph, {-1}, SomeOptions());
  DecisionGraph circle = graph;
  circle.dependent_points.assign(20, 3);
  refused(points, circle, {}, SomeOptions());
  DecisionPageOptions options = SomeOptions();
  options.max_points = 15;
  refused(points, graph, {}, options);
  options = SomeOptions();
  options.names = {"one"};
  refused(points, graph, {}, options);
  // JSON has no such number.
  options = SomeOptions();
  options.selection.rule = PeakSelection::Rule::kThresholds;
  options.selection.delta_min = std::numeric_limits<double>::infinity();
  refused(points, graph, {}, options);
}

}  // namespace
}  // namespace warpclust
