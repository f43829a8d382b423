// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/run_report.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/version.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

RunReport Example() {
  RunReport report;
  report.tool = "oclustr";
  report.threads = 2;
  report.seed = 7;
  report.n = 21578;
  report.edges = 12303957;
  report.clusters = 3;
  report.memberships = 4;
  report.AddSeconds("read", 0.25);
  report.AddSeconds("compute", 12.5);
  report.AddSeconds("graph", 12);
  report.AddSeconds("cover", 0.25);
  report.AddSeconds("cover", 0.25);
  report.AddSeconds("brief", 0.001);
  report.AddSeconds("write", 0.5);
  report.AddSeconds("total", 13.25);
  report.peak_rss_bytes = 3 << 20;
  report.options = {{"beta", "0.25"}, {"input", "\"-\""}};
  return report;
}

TEST(RunReportTest, JsonHasEveryFieldInOrder) {
  EXPECT_EQ(
      Example().ToJson(),
      absl::StrCat(
          R"({"tool":"oclustr","version":")", kVersion,
          R"(","device":"cpu","threads":2,"seed":7,"n":21578,)",
          R"("edges":12303957,"clusters":3,"memberships":4,"objective":null,)",
          R"("seconds":{"read":0.25,"compute":12.5,"write":0.5,"total":13.25,)",
          R"("graph":12,"cover":0.5,"brief":0.001},"peak_rss_bytes":3145728,)",
          R"("peak_device_bytes":0,"options":{"beta":0.25,"input":"-"}})",
          "\n"));
}

TEST(RunReportTest, SaysWhyADeviceWasChosen) {
  RunReport report = Example();
  report.extra = {{"index", "\"box tree\""}};
  report.device_choice = {{.cpu = 0.5, .cuda = 0.125}, 0.25, "so"};
  EXPECT_TRUE(absl::EndsWith(
      report.ToJson(),
      R"("input":"-"},"device_choice":{"cpu_seconds":0.5,)"
      R"("cuda_seconds":0.125,"cuda_start_seconds":0.25,"why":"so"},)"
      R"("index":"box tree"})"
      "\n"))
      << report.ToJson();
  // Without CUDA code there is nothing to choose.
  EXPECT_EQ(absl::StrContains(report.ToLine(),
                              "; cpu (expected: cpu 0.50 s, cuda 0.38 s), 2 "),
            HasCudaCode());
}

TEST(RunReportTest, ExtraValuesComeLast) {
  RunReport report = Example();
  report.extra = {{"cutoff_distance", "0.5"}, {"index", "\"box tree\""}};
  EXPECT_TRUE(
      absl::EndsWith(report.ToJson(),
                     R"("input":"-"},"cutoff_distance":0.5,"index":"box tree"})"
                     "\n"))
      << report.ToJson();
}

TEST(RunReportTest, TheObjectiveIsExact) {
  RunReport report = Example();
  report.objective = "123456789012345678.5";
  EXPECT_TRUE(absl::StrContains(report.ToJson(),
                                R"("objective":123456789012345678.5,)"))
      << report.ToJson();
  EXPECT_TRUE(absl::StrContains(
      report.ToLine(), "4 memberships, objective 123456789012345678.5; cpu"))
      << report.ToLine();
  report.objective_noun = "I(P)";
  EXPECT_TRUE(
      absl::StrContains(report.ToLine(), ", I(P) 123456789012345678.5; cpu"))
      << report.ToLine();
}

TEST(RunReportTest, LineIsOneLine) {
  EXPECT_EQ(Example().ToLine(),
            "21,578 documents, 12,303,957 edges, 3 clusters, 4 memberships; "
            "cpu, 2 threads; read 0.25 s, compute 12.5 s (graph 12.0, cover "
            "0.50), write 0.50 s, total 13.2 s; peak memory 3 MiB");
  EXPECT_EQ(RunReport().ToLine(),
            "cpu, 1 thread; read 0.00 s, compute 0.00 s, write 0.00 s, total "
            "0.00 s; peak memory 0 MiB");
}

TEST(RunReportTest, NamesItemsThatAreAlone) {
  RunReport report = Example();
  report.alone = 1;
  EXPECT_TRUE(absl::StrContains(
      report.ToLine(), "4 memberships, 1 document alone in its cluster; cpu"))
      << report.ToLine();
  report.n_noun = {"vertex", "vertices"};
  report.alone = 1200;
  EXPECT_TRUE(absl::StrContains(
      report.ToLine(),
      "4 memberships, 1,200 vertices alone in their clusters;"))
      << report.ToLine();
}

TEST(GroupDigitsTest, EveryLength) {
  EXPECT_EQ(GroupDigits(0), "0");
  EXPECT_EQ(GroupDigits(999), "999");
  EXPECT_EQ(GroupDigits(1000), "1,000");
  EXPECT_EQ(GroupDigits(-123456), "-123,456");
  EXPECT_EQ(GroupDigits(1234567), "1,234,567");
}

TEST(CountedTest, OneIsSingular) {
  const Noun vertices = {"vertex", "vertices"};
  EXPECT_EQ(Counted(0, vertices), "0 vertices");
  EXPECT_EQ(Counted(1, vertices), "1 vertex");
  EXPECT_EQ(Counted(2, vertices), "2 vertices");
  EXPECT_EQ(Counted(1001, vertices), "1,001 vertices");
}

TEST(CountedTest, InTheSummaryLine) {
  RunReport report;
  report.n = report.edges = report.clusters = report.memberships = 1;
  EXPECT_TRUE(absl::StartsWith(
      report.ToLine(),
      "1 document, 1 edge, 1 cluster, 1 membership; cpu, 1 thread; "))
      << report.ToLine();
  report.n_noun = {"vertex", "vertices"};
  report.clusters = 0;
  EXPECT_TRUE(absl::StartsWith(report.ToLine(),
                               "1 vertex, 1 edge, 0 clusters, 1 membership; "))
      << report.ToLine();
}

}  // namespace
}  // namespace warpclust
