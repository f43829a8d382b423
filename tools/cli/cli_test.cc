// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the end-to-end tests of the tools cannot reach; see tools/tests.

#include "tools/cli/cli.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/communicator/communicator.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"

namespace warpclust {
namespace {

int RunTool(const ToolDescription& description,
            std::vector<std::string> arguments,
            const std::function<absl::Status(ToolRun&)>& body) {
  Tool tool(description);
  if (description.uses_gpu) tool.AddInputFlags({"auto"});
  tool.AddOutputFlags({"tsv"});
  tool.AddRunFlags();
  arguments.insert(arguments.begin(), "sample");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return tool.Run(static_cast<int>(argv.size()), argv.data(), body);
}

int RunTool(const std::vector<std::string>& arguments,
            const std::function<absl::Status(ToolRun&)>& body,
            const std::function<absl::Status()>& start_cuda = nullptr) {
  ToolDescription description = {.name = "sample", .summary = "a sample"};
  description.uses_gpu = start_cuda != nullptr;
  if (start_cuda != nullptr) {
    description.start_cuda = [start_cuda](int, int) { return start_cuda(); };
  }
  return RunTool(description, arguments, body);
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

// A tool with --gpus. Rank `failing` finds no GPU; -1: all do.
int RunOnGpus(const std::vector<std::string>& arguments,
              const std::function<absl::Status(ToolRun&)>& body,
              int failing = -1) {
  ToolDescription description = {.name = "sample", .summary = "a sample"};
  description.uses_gpu = description.uses_ranks = description.uses_gpus = true;
  description.start_cuda = [failing](int rank, int) {
    return rank == failing ? absl::UnavailableError("no GPU") : absl::Status();
  };
  return RunTool(description, arguments, body);
}

TEST(GpusTest, EachHasARank) {
  const std::string output = testing::TempDir() + "/gpus_%r";
  const std::string summary = testing::TempDir() + "/gpus_summary";
  std::atomic<int> first_of_process = 0;
  EXPECT_EQ(RunOnGpus({"--gpus=3", "--threads=7", "--quiet",
                       "--output=" + output, "--summary=" + summary},
                      [&](ToolRun& run) {
                        EXPECT_EQ(run.ranks.size(), 3);
                        EXPECT_EQ(run.threads, 2);
                        EXPECT_EQ(run.requested, Device::kCuda);
                        first_of_process += run.IsFirstOfProcess() ? 1 : 0;
                        absl::StatusOr<int64_t> sum = run.ranks.AllReduce(
                            Reduction::kSum, int64_t{run.ranks.rank()});
                        if (!sum.ok()) return sum.status();
                        run.output.Write(
                            absl::StrCat(run.ranks.rank(), " of ", *sum));
                        return run.ResolveDevice().status();
                      }),
            0);
  EXPECT_EQ(first_of_process, 1);
  for (int r = 0; r < 3; ++r) {
    EXPECT_EQ(Read(absl::StrCat(testing::TempDir(), "/gpus_", r)),
              absl::StrCat(r, " of 3"));
  }
  EXPECT_TRUE(absl::StrContains(Read(summary), "\"ranks\":3")) << Read(summary);
}

TEST(GpusTest, OneIsNoRank) {
  EXPECT_EQ(RunOnGpus({"--gpus=1", "--device=cpu", "--quiet"},
                      [](ToolRun& run) {
                        EXPECT_EQ(run.ranks.size(), 1);
                        EXPECT_EQ(run.requested, Device::kCpu);
                        return absl::OkStatus();
                      }),
            0);
}

TEST(GpusTest, AnErrorOfARankEndsAll) {
  const auto waits = [](ToolRun& run) { return run.ranks.Barrier(); };
  EXPECT_EQ(RunOnGpus({"--gpus=3"}, waits, /*failing=*/1), 3);
  EXPECT_EQ(RunOnGpus({"--gpus=2", "--device=cpu"}, waits), 1);
  EXPECT_EQ(RunOnGpus({"--gpus=0"}, waits), 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunOnGpus({"--gpus=3"},
                      [&](ToolRun& run) {
                        return run.ranks.rank() == 2
                                   ? absl::DataLossError("line 7")
                                   : waits(run);
                      }),
            2);
  const std::string error = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(absl::StrContains(error, "sample: rank 2 of 3 on ")) << error;
  EXPECT_TRUE(absl::StrContains(error, ": line 7\n")) << error;
}

TEST(GpusTest, NotUnderMpirun) {
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  EXPECT_EQ(RunOnGpus({"--gpus=2"}, [](ToolRun&) { return absl::OkStatus(); }),
            1);
  unsetenv("OMPI_COMM_WORLD_SIZE");
  unsetenv("OMPI_COMM_WORLD_RANK");
}

// A start of CUDA that waits for Finish.
class FakeCuda {
 public:
  std::function<absl::Status()> Start() {
    return [finish = finish_] { return finish->get_future().get(); };
  }
  void Finish(const absl::Status& answer) { finish_->set_value(answer); }

 private:
  std::shared_ptr<std::promise<absl::Status>> finish_ =
      std::make_shared<std::promise<absl::Status>>();
};

// The device that a run with these arguments chooses, if CUDA answers so.
std::string Resolved(const std::string& argument, const absl::Status& answer) {
  std::string resolved;
  FakeCuda cuda;
  const int code = RunTool(
      {argument, "--quiet"},
      [&](ToolRun& run) {
        cuda.Finish(answer);
        absl::StatusOr<Device> device = run.ResolveDevice();
        resolved = device.ok() ? std::string(DeviceName(*device))
                               : std::string(device.status().message());
        EXPECT_TRUE(!device.ok() || run.report.device == resolved);
        return device.status();
      },
      cuda.Start());
  return absl::StrCat(code, " ", resolved);
}

TEST(ToolTest, ResolvesTheDeviceWhileCudaStarts) {
  const absl::Status none = absl::UnavailableError("no driver");
  EXPECT_EQ(Resolved("--device=cpu", none), "0 cpu");
  EXPECT_EQ(Resolved("--device=cuda", absl::OkStatus()), "0 cuda");
  EXPECT_EQ(Resolved("--device=cuda", none), "3 no driver");
  EXPECT_EQ(Resolved("--device=auto", absl::OkStatus()), "0 cuda");
  EXPECT_EQ(Resolved("--device=auto", none), "0 cpu");
}

// What a run with these arguments chooses for work of these seconds.
std::string Chosen(const std::string& argument, const ExpectedSeconds& expected,
                   const absl::Status& answer) {
  std::string why;
  FakeCuda cuda;
  RunTool(
      {argument, "--quiet"},
      [&](ToolRun& run) {
        cuda.Finish(answer);
        const absl::StatusOr<Device> device = run.ChooseDevice(expected);
        why = device.ok()
                  ? absl::StrCat(DeviceName(*device), " ", run.report.device)
                  : std::string(device.status().message());
        const std::optional<DeviceChoice>& choice = run.report.device_choice;
        EXPECT_EQ(choice.has_value(), argument == "--device=auto");
        if (choice.has_value()) {
          absl::StrAppend(&why, ": ", choice->why);
          EXPECT_EQ(choice->expected.cpu, expected.cpu);
          EXPECT_EQ(choice->expected.cuda, expected.cuda);
          EXPECT_EQ(choice->start, CudaOverheadSeconds(0));
        }
        return absl::OkStatus();
      },
      cuda.Start());
  return why;
}

TEST(ToolTest, AutoChoosesByExpectedSeconds) {
  const absl::Status none = absl::UnavailableError("no driver");
  const ExpectedSeconds small = {.cpu = 0.1, .cuda = 0.01};
  const ExpectedSeconds large = {.cpu = 1, .cuda = 0.1};
  EXPECT_EQ(Chosen("--device=cpu", large, none), "cpu cpu");
  EXPECT_EQ(Chosen("--device=cuda", small, absl::OkStatus()), "cuda cuda");
  EXPECT_EQ(Chosen("--device=auto", small, absl::OkStatus()),
            HasCudaCode() ? "cpu cpu: cpu is expected to be faster"
                          : "cpu cpu: this build has no CUDA code");
  EXPECT_EQ(Chosen("--device=auto", large, absl::OkStatus()),
            "cuda cuda: cuda is expected to be faster");
  EXPECT_EQ(Chosen("--device=auto", large, none), "cpu cpu: no driver");
}

// A small job that is worth the GPU once CUDA runs.
TEST(ToolTest, AStartInTheBackgroundCounts) {
  const std::string input = testing::TempDir() + "/cli_overlap";
  std::ofstream(input) << std::string(40 << 20, 'x');
  EXPECT_EQ(RunTool(
                {"--input=" + input, "--quiet"},
                [&](ToolRun& run) {
                  std::this_thread::sleep_for(
                      std::chrono::duration<double>(kCudaStartSeconds));
                  EXPECT_EQ(*run.ChooseDevice({.cpu = 0.1, .cuda = 0.01}),
                            Device::kCuda);
                  EXPECT_EQ(run.report.device_choice->start, 0);
                  return absl::OkStatus();
                },
                [] { return absl::OkStatus(); }),
            0);
}

// Never for a job that then runs on the CPU, if CUDA starts.
TEST(ToolTest, KnowsWhileReadingWhatRunsOnTheGpu) {
  const ExpectedSeconds small = {.cpu = 0.1, .cuda = 0.01};
  const ExpectedSeconds large = {.cpu = 1, .cuda = 0.1};
  const auto will = [](const std::string& flag, const ExpectedSeconds& job) {
    bool will_use = false;
    EXPECT_EQ(RunTool(
                  {flag, "--quiet"},
                  [&](ToolRun& run) {
                    will_use = run.WillUseCuda(job);
                    EXPECT_EQ(will_use,
                              *run.ChooseDevice(job) == Device::kCuda);
                    return absl::OkStatus();
                  },
                  [] { return absl::OkStatus(); }),
              0);
    return will_use;
  };
  EXPECT_FALSE(will("--device=cpu", large));
  EXPECT_TRUE(will("--device=cuda", small));
  EXPECT_FALSE(will("--device=auto", small));
  EXPECT_TRUE(will("--device=auto", large));
}

TEST(ToolTest, CudaThatWasAskedForIsTheFirstError) {
  // Answers only after the body failed.
  FakeCuda cuda;
  EXPECT_EQ(RunTool(
                {"--device=cuda"},
                [&](ToolRun&) {
                  cuda.Finish(absl::UnavailableError("no driver"));
                  return absl::DataLossError("cut short");
                },
                cuda.Start()),
            3);
  // Answers at once: the body does not run.
  EXPECT_EQ(RunTool(
                {"--device=cuda"},
                [](ToolRun& run) {
                  EXPECT_TRUE(run.StartsCuda());
                  return absl::OkStatus();
                },
                [] { return absl::UnavailableError("no driver"); }),
            3);
}

TEST(ToolTest, LargeInputsStartCuda) {
  const std::string input = testing::TempDir() + "/cli_input";
  const auto starts = [&](const std::string& argument) {
    bool started = false;
    EXPECT_EQ(RunTool(
                  {"--input=" + input, argument, "--quiet"},
                  [&](ToolRun& run) {
                    started = run.StartsCuda();
                    return run.ResolveDevice().status();
                  },
                  [] { return absl::OkStatus(); }),
              0);
    return started;
  };
  std::ofstream(input) << "small";
  EXPECT_FALSE(starts("--device=auto"));
  EXPECT_TRUE(starts("--device=cuda"));
  std::ofstream(input) << std::string(40 << 20, 'x');
  EXPECT_TRUE(starts("--device=auto"));
  EXPECT_FALSE(starts("--device=cpu"));
  EXPECT_EQ(RunTool(
                {"--input=" + input + "_none", "--quiet"},
                [](ToolRun& run) {
                  EXPECT_FALSE(run.StartsCuda());
                  return absl::OkStatus();
                },
                [] { return absl::OkStatus(); }),
            0);
}

// The process ends while CUDA starts: outputs are complete, and the code is
// that of the run.
TEST(ToolTest, DoesNotWaitForCudaThatItDoesNotNeed) {
  const std::string input = testing::TempDir() + "/cli_large_input";
  const std::string output = testing::TempDir() + "/cli_not_waited";
  std::ofstream(input) << std::string(40 << 20, 'x');
  for (const int code : {0, 2}) {
    EXPECT_EXIT(
        {
          FakeCuda never;
          RunTool(
              {"--input=" + input, "--output=" + output, "--quiet"},
              [&](ToolRun& run) {
                run.output.Write("whole");
                return code == 0 ? absl::OkStatus()
                                 : absl::DataLossError("cut short");
              },
              never.Start());
          std::_Exit(99);
        },
        testing::ExitedWithCode(code), code == 0 ? "" : "cut short");
    EXPECT_EQ(Read(output), "whole");
  }
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
