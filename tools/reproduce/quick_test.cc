// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The quick run of every paper: all tables and figures are there, with every
// published value once, in JSON of the schema and on a page that loads nothing.

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/html/testing/page_check.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "tools/cli/process/temporary_directory.h"
#include "tools/reproduce/data/embedded.h"
#include "tools/reproduce/frame/report.h"
#include "tools/reproduce/page/report_page.h"
#include "tools/reproduce/papers.h"
#include "tools/reproduce/testing/report_check.h"

namespace warpclust {
namespace {

Report RunQuick(absl::string_view paper, const std::string& data = "") {
  const absl::StatusOr<TemporaryDirectory> scratch =
      TemporaryDirectory::Create("reproduce_test");
  EXPECT_TRUE(scratch.ok()) << scratch.status();
  LabSettings settings;
  settings.quick = data.empty();
  settings.threads = 2;
  settings.runs = 1;
  settings.time_limit = 10;
  settings.scratch = scratch->path();
  settings.command = "reproduce";
  const absl::StatusOr<Report> report = ReproducePaper(paper, data, settings);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : Report();
}

// `measured` are the exhibits with a value of ours without a GPU.
void CheckQuick(absl::string_view paper, absl::string_view values,
                const std::vector<std::string>& exhibits,
                const std::set<std::string>& unmeasured) {
  const Report report = RunQuick(paper);
  EXPECT_EQ(CheckReportJson(ReportJson(report)), absl::OkStatus());
  const std::string page = ReportPage(report);
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());

  std::vector<std::string> names;
  for (const Exhibit& exhibit : report.paper.exhibits) {
    names.emplace_back(exhibit.name);
    EXPECT_NE(page.find(absl::StrCat("<h2>", exhibit.name, ". ")),
              std::string::npos);
  }
  EXPECT_EQ(names, exhibits);

  std::map<std::string, int> rows;
  std::map<std::string, int> ours;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, int>
      keys;
  for (const ReportRow& row : report.rows) {
    ++rows[row.exhibit];
    ours[row.exhibit] += row.ours.has_value() ? 1 : 0;
    const int count = ++keys[{row.exhibit, row.part, row.row, row.column}];
    EXPECT_EQ(count, 1) << row.exhibit << ", " << row.part << ", " << row.row
                        << ", " << row.column;
    EXPECT_TRUE(row.ours.has_value() || !row.note.empty())
        << row.exhibit << ", " << row.row << ", " << row.column;
  }
  for (const std::string& name : exhibits) {
    EXPECT_GT(rows[name], 0) << name;
    EXPECT_EQ(ours[name] > 0, !unmeasured.count(name)) << name;
  }
  const auto published = ParsePublishedValues(values, "values");
  ASSERT_TRUE(published.ok()) << published.status();
  for (const PublishedValue& value : *published) {
    bool found = false;
    for (const ReportRow& row : report.rows) {
      found =
          found || (row.exhibit == value.exhibit && row.part == value.part &&
                    row.row == value.row && row.column == value.column &&
                    row.paper == value.value && row.unit == value.unit &&
                    // A row that no experiment knows is a misspelt one.
                    row.note != "not measured in this run");
    }
    EXPECT_TRUE(found) << value.exhibit << ", " << value.part << ", "
                       << value.row << ", " << value.column;
  }
}

TEST(QuickTest, OClustR) {
  CheckQuick(
      "oclustr", OClustRValuesTsv(),
      {"Table 3", "Table 4", "Table 5", "Figure 17", "Figure 18", "Figure 19"},
      {});
}

TEST(QuickTest, Online) {
  CheckQuick("online", OnlineValuesTsv(),
             {"Graph 1", "Graph 2", "Graph 3", "Graph 4"}, {});
}

TEST(QuickTest, Correlation) {
  CheckQuick("correlation", CorrelationValuesTsv(),
             {"Figure 1", "Table 2", "Table 3", "Table 4", "Table 5"}, {});
}

TEST(QuickTest, DensityPeaks) {
  CheckQuick("density_peaks", DensityPeaksValuesTsv(),
             {"Table 1", "Table 2", "Table 3", "Figure 6", "Figure 7",
              "Figure 8", "Figure 9", "Figure 10", "Figure 11", "Figure 12",
              "Figure 13", "Figure 14", "Figure 15"},
             {"Table 2", "Table 3", "Figure 10", "Figure 11"});
}

}  // namespace
}  // namespace warpclust
