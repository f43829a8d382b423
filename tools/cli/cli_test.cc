// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the end-to-end tests of the tools cannot reach; see tools/tests.

#include "tools/cli/cli.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

int RunTool(std::vector<std::string> arguments,
            const std::function<absl::Status(ToolRun&)>& body) {
  Tool tool({.name = "sample", .summary = "a sample"});
  tool.AddOutputFlags({"tsv"});
  tool.AddRunFlags();
  arguments.insert(arguments.begin(), "sample");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return tool.Run(static_cast<int>(argv.size()), argv.data(), body);
}

std::string Read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(ExitCodeTest, ByKindOfError) {
  EXPECT_EQ(ExitCode(absl::OkStatus()), 0);
  EXPECT_EQ(ExitCode(UsageError("u")), 1);
  EXPECT_EQ(ExitCode(absl::InvalidArgumentError("i")), 2);
  EXPECT_EQ(ExitCode(absl::NotFoundError("n")), 2);
  EXPECT_EQ(ExitCode(absl::DataLossError("d")), 2);
  EXPECT_EQ(ExitCode(absl::UnavailableError("u")), 3);
  EXPECT_EQ(ExitCode(absl::ResourceExhaustedError("r")), 3);
  EXPECT_EQ(ExitCode(absl::UnimplementedError("u")), 3);
}

TEST(ToolTest, FailedBodyLeavesTheOldOutput) {
  const std::string output = testing::TempDir() + "/cli_output";
  std::ofstream(output) << "old";
  EXPECT_EQ(RunTool({"--output=" + output, "--quiet"},
                    [](ToolRun& run) {
                      run.output.Write("half");
                      return absl::DataLossError("cut short");
                    }),
            2);
  EXPECT_EQ(Read(output), "old");
  EXPECT_EQ(RunTool({"--output=" + output, "--quiet"},
                    [](ToolRun& run) {
                      run.output.Write("new");
                      return absl::OkStatus();
                    }),
            0);
  EXPECT_EQ(Read(output), "new");
}

TEST(ToolTest, CpuToolsRefuseTheGpu) {
  const auto body = [](ToolRun&) { return absl::OkStatus(); };
  EXPECT_EQ(RunTool({"--device=cuda"}, body), 3);
  EXPECT_EQ(RunTool({"--device=auto", "--quiet"}, body), 0);
}

TEST(ToolTest, SummaryTimesPhases) {
  const std::string summary = testing::TempDir() + "/cli_summary";
  EXPECT_EQ(RunTool({"--summary=" + summary, "--threads=1", "--quiet"},
                    [](ToolRun& run) {
                      ToolRun::Timer compute(&run, "compute");
                      ToolRun::Timer graph(&run, "graph");
                      run.report.edges = 5;
                      return absl::OkStatus();
                    }),
            0);
  const std::string json = Read(summary);
  EXPECT_TRUE(absl::StartsWith(json, "{\"tool\":\"sample\"")) << json;
  EXPECT_TRUE(absl::StrContains(json, "\"threads\":1,")) << json;
  EXPECT_TRUE(absl::StrContains(json, "\"edges\":5,")) << json;
  EXPECT_TRUE(absl::StrContains(json, "\"graph\":")) << json;
  EXPECT_TRUE(absl::StrContains(json, "\"quiet\":true")) << json;
  EXPECT_EQ(RunTool({"--summary=-", "--quiet"},
                    [](ToolRun&) { return absl::OkStatus(); }),
            1);
}

TEST(ToolTest, RelativePathsAreTheCallers) {
  const std::string caller = testing::TempDir() + "/";
  setenv("BUILD_WORKING_DIRECTORY", caller.c_str(), 1);
  EXPECT_EQ(RunTool({"--output=cli_relative", "--quiet"},
                    [](ToolRun& run) {
                      run.output.Write("here");
                      return absl::OkStatus();
                    }),
            0);
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(Read(caller + "cli_relative"), "here");
}

}  // namespace
}  // namespace warpclust
