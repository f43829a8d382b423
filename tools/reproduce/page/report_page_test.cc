// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/page/report_page.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "base/html/testing/page_check.h"
#include "gtest/gtest.h"
#include "tools/reproduce/page/chart.h"

namespace warpclust {
namespace {

using absl::StrContains;

TEST(ShortNumberTest, Forms) {
  EXPECT_EQ(ShortNumber(0.25), "0.25");
  EXPECT_EQ(ShortNumber(20594.6), "20,594.6");
  EXPECT_EQ(ShortNumber(-1500), "-1,500");
  EXPECT_EQ(ShortNumber(2.24e9), "2.24e+09");
  EXPECT_EQ(ShortNumber(0), "0");
}

Chart TwoSeries(Chart::Kind kind) {
  Chart chart;
  chart.kind = kind;
  chart.title = "a < b";
  chart.categories = {"1000", "2000"};
  chart.series = {{"ours", {1.0, 2.0}}, {"paper", {{}, 4.0}, true}};
  return chart;
}

TEST(ChartTest, LinesAndBars) {
  const std::string lines = ChartSvg(TwoSeries(Chart::Kind::kLines));
  EXPECT_TRUE(StrContains(lines, "a &lt; b"));
  EXPECT_TRUE(StrContains(lines, "stroke-dasharray"));
  EXPECT_TRUE(StrContains(lines, "<title>paper, 2000: 4</title>"));
  EXPECT_FALSE(StrContains(lines, "paper, 1000"));
  const std::string bars = ChartSvg(TwoSeries(Chart::Kind::kBars));
  EXPECT_TRUE(StrContains(bars, "<title>ours, 1000: 1</title></rect>"));
  for (const std::string& svg : {lines, bars}) {
    EXPECT_FALSE(StrContains(svg, "nan"));
    EXPECT_FALSE(StrContains(svg, "inf"));
  }
}

TEST(ChartTest, NothingToDraw) {
  Chart chart = TwoSeries(Chart::Kind::kLines);
  chart.series = {{"zero", {0.0, 0.0}}};
  EXPECT_NE(ChartSvg(chart), "");
  // Not on a logarithmic axis.
  chart.log_y = true;
  EXPECT_EQ(ChartSvg(chart), "");
  EXPECT_EQ(ChartSvg(Chart()), "");
}

TEST(ReportPageTest, ValuesNotesAndStandIns) {
  Report report;
  report.paper = {.key = "k",
                  .citation = "A & B",
                  .exhibits = {{.name = "Figure 1",
                                .title = "times",
                                .row_name = "set",
                                .plot = Exhibit::Plot::kBars}}};
  report.files = {{"f.gz", "https://example.org", "r", "00", "11"}};
  report.rows = {{.exhibit = "Figure 1",
                  .row = "x",
                  .column = "c",
                  .paper = 1234,
                  .ours = 5,
                  .unit = "s",
                  .data_set = "other.csv",
                  .stand_in = "x of the paper",
                  .command = "reproduce --only=\"Figure 1\"",
                  .device = "cpu, 1 thread",
                  .note = "a <note>"}};
  const std::string page = ReportPage(report);
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());
  for (const char* text :
       {"A &amp; B", "<h2>Figure 1. times</h2>", "1,234", "c (s)",
        "† for x of the paper: other.csv", "a &lt;note&gt;", "cpu, 1 thread: c",
        "another file: sha256 11 instead of 00", "<svg",
        "--only=&quot;Figure 1&quot;"}) {
    EXPECT_TRUE(StrContains(page, text)) << text;
  }
}

}  // namespace
}  // namespace warpclust
