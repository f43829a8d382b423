// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/frame/lab.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tools/reproduce/testing/report_check.h"

namespace warpclust {
namespace {

Paper TwoExhibits() {
  return {.key = "paper",
          .citation = "A paper",
          .exhibits = {{.name = "Table 1", .title = "a", .row_name = "r"},
                       {.name = "Figure 2", .title = "b", .row_name = "r"}}};
}

std::vector<PublishedValue> Published() {
  return *ParsePublishedValues(
      "# comment\n"
      "Table 1\t\tx\tTime\ts\t2.5\tTable 1\n"
      "Table 1\t\ty\tTime\ts\t3\tTable 1\n"
      "Figure 2\tβ\tx\tspeed-up\t×\t4\tpage 7\n",
      "values.tsv");
}

LabSettings Settings() {
  LabSettings settings;
  settings.command = "reproduce";
  return settings;
}

TEST(PublishedValuesTest, Errors) {
  EXPECT_EQ(ParsePublishedValues("a\tb\n", "v.tsv").status().message(),
            "v.tsv:1: expected exhibit, part, row, column, unit, value and "
            "place, separated by tabs, found \"a\tb\"");
  const char* twice = "T\t\tx\tc\ts\t1\tp\nT\t\tx\tc\ts\t2\tp\n";
  EXPECT_EQ(ParsePublishedValues(twice, "v.tsv").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(LabTest, RowsHaveThePapersValues) {
  Lab lab(TwoExhibits(), Published(), Settings());
  // Rows come in the order of the exhibits, whatever the order of Begin.
  ASSERT_TRUE(lab.Begin("Figure 2"));
  lab.Add({.row = "own", .column = "c", .ours = 1});
  ASSERT_TRUE(lab.Begin("Table 1"));
  std::vector<double> seconds = {0.3, 0.1, 0.2};
  const auto median = lab.Time(
      {.row = "x", .column = "Time", .unit = "ms", .device = "cpu"},
      [&]() -> absl::StatusOr<double> {
        const double last = seconds.back();
        seconds.pop_back();
        return last;
      },
      1e3);
  ASSERT_TRUE(median.ok() && median->has_value());
  EXPECT_EQ(**median, 0.2);
  const Report report = lab.Finish();
  ASSERT_EQ(report.rows.size(), 4u);
  const ReportRow& timed = report.rows[0];
  EXPECT_EQ(timed.exhibit, "Table 1");
  EXPECT_EQ(timed.paper, 2.5);
  EXPECT_EQ(timed.ours, 200);
  EXPECT_EQ(timed.seconds, 0.2);
  EXPECT_EQ(timed.command, "reproduce --only=\"Table 1\"");
  // What was not measured is there, too.
  EXPECT_EQ(report.rows[1].row, "y");
  EXPECT_EQ(report.rows[1].paper, 3);
  EXPECT_FALSE(report.rows[1].ours.has_value());
  EXPECT_EQ(report.rows[2].row, "own");
  EXPECT_FALSE(report.rows[2].paper.has_value());
  EXPECT_EQ(report.rows[3].part, "β");
  EXPECT_EQ(CheckReportJson(ReportJson(report)), absl::OkStatus());
}

TEST(LabTest, OnlyLeavesExhibitsOut) {
  LabSettings settings = Settings();
  settings.only = {"Figure 2"};
  Lab lab(TwoExhibits(), Published(), settings);
  EXPECT_FALSE(lab.Begin("Table 1"));
  EXPECT_TRUE(lab.Begin("Figure 2"));
  const Report report = lab.Finish();
  ASSERT_EQ(report.paper.exhibits.size(), 1u);
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].exhibit, "Figure 2");
}

TEST(LabTest, TimeLimitCutsRows) {
  LabSettings settings = Settings();
  settings.time_limit = 1e-9;
  Lab lab(TwoExhibits(), Published(), settings);
  ASSERT_TRUE(lab.Begin("Table 1"));
  while (!lab.TimeIsUp()) {
  }
  const auto median = lab.Time({.row = "x", .column = "Time"},
                               []() -> absl::StatusOr<double> { return 1.0; });
  ASSERT_TRUE(median.ok());
  EXPECT_FALSE(median->has_value());
  const Report report = lab.Finish();
  EXPECT_FALSE(report.rows[0].ours.has_value());
  EXPECT_EQ(report.rows[0].note.substr(0, 4), "cut:");
}

TEST(LabTest, MissingDevicesAreNotesOtherErrorsAreErrors) {
  Lab lab(TwoExhibits(), Published(), Settings());
  ASSERT_TRUE(lab.Begin("Table 1"));
  const auto missing =
      lab.Time({.row = "x", .column = "Time"}, []() -> absl::StatusOr<double> {
        return absl::UnavailableError("no GPU");
      });
  ASSERT_TRUE(missing.ok());
  EXPECT_FALSE(missing->has_value());
  EXPECT_EQ(lab.Time({.row = "y", .column = "Time"},
                     []() -> absl::StatusOr<double> {
                       return absl::InternalError("broken");
                     })
                .status()
                .code(),
            absl::StatusCode::kInternal);
  EXPECT_EQ(lab.Finish().rows[0].note, "no GPU");
}

TEST(CheckReportJsonTest, RefusesOtherRows) {
  Lab lab(TwoExhibits(), {}, Settings());
  ASSERT_TRUE(lab.Begin("Table 1"));
  lab.Add({.row = "x", .column = ""});
  EXPECT_EQ(CheckReportJson(ReportJson(lab.Finish())).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(CheckReportJson("{}").ok());
}

}  // namespace
}  // namespace warpclust
