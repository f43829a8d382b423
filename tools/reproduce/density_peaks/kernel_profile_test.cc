// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/density_peaks/kernel_profile.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tools/cli/process/temporary_directory.h"

namespace warpclust {
namespace {

// The form that ncu prints: messages, then a line per launch and metric.
constexpr char kOutput[] =
    R"csv(==PROF== Connected to process 4711 (/opt/reproduce)
==PROF== Profiling "LoneCountKernel" - 0: 0%....50%....100% - 9 passes
==PROF== Profiling "RangeKernel" - 1: 0%....50%....100% - 9 passes
==PROF== Disconnected from process 4711
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4711","reproduce","127.0.0.1","void warpclust::<unnamed>::LoneCountKernel<(warpclust::Norm)0, 3>(warpclust::LeafTreeView, double)","1","7","(256, 1, 1)","(1710, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ns","3,000,000"
"0","4711","reproduce","127.0.0.1","void warpclust::<unnamed>::LoneCountKernel<(warpclust::Norm)0, 3>(warpclust::LeafTreeView, double)","1","7","(256, 1, 1)","(1710, 1, 1)","0","9.0","Command line profiler metrics","sectors.sum","sector","251,200,000"
"0","4711","reproduce","127.0.0.1","void warpclust::<unnamed>::LoneCountKernel<(warpclust::Norm)0, 3>(warpclust::LeafTreeView, double)","1","7","(256, 1, 1)","(1710, 1, 1)","0","9.0","Command line profiler metrics","warps.pct","%","40.5"
"1","4711","reproduce","127.0.0.1","void warpclust::<unnamed>::LoneCountKernel<(warpclust::Norm)0, 3>(warpclust::LeafTreeView, double)","1","7","(256, 1, 1)","(1710, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ns","1,000,000"
"1","4711","reproduce","127.0.0.1","void warpclust::<unnamed>::LoneCountKernel<(warpclust::Norm)0, 3>(warpclust::LeafTreeView, double)","1","7","(256, 1, 1)","(1710, 1, 1)","0","9.0","Command line profiler metrics","warps.pct","%","48.5"
"2","4711","reproduce","127.0.0.1","RangeKernel","1","7","(128, 1, 1)","(3419, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ns","982,000.5"
"2","4711","reproduce","127.0.0.1","RangeKernel","1","7","(128, 1, 1)","(3419, 1, 1)","0","9.0","Command line profiler metrics","warps.pct","%","n/a"
)csv";

TEST(KernelProfileTest, ParsesTheTable) {
  const auto launches = ParseKernelLaunches(kOutput);
  ASSERT_TRUE(launches.ok()) << launches.status();
  ASSERT_EQ(launches->size(), 3u);
  EXPECT_EQ((*launches)[0].metrics.at("sectors.sum"), 251200000);
  EXPECT_EQ((*launches)[0].metrics.at("warps.pct"), 40.5);
  EXPECT_EQ((*launches)[2].kernel, "RangeKernel");
  EXPECT_EQ(
      (*launches)[2].metrics,
      (std::map<std::string, double, std::less<>>{{kKernelTime, 982000.5}}));
}

TEST(KernelProfileTest, MeansAreWeightedByTime) {
  const auto launches = ParseKernelLaunches(kOutput);
  ASSERT_TRUE(launches.ok()) << launches.status();
  EXPECT_EQ(MeanByTime(*launches, "LoneCountKernel", "warps.pct"),
            (3 * 40.5 + 48.5) / 4);
  // One of the two launches has it.
  EXPECT_EQ(MeanByTime(*launches, "LoneCountKernel", "sectors.sum"), 251200000);
  EXPECT_EQ(MeanByTime(*launches, "RangeKernel", "warps.pct"), std::nullopt);
  EXPECT_EQ(MeanByTime(*launches, "CopyKernel", kKernelTime), std::nullopt);
}

TEST(KernelProfileTest, OtherOutput) {
  const auto none = ParseKernelLaunches(
      "==PROF== Connected to process 1\n==WARNING== No kernels were "
      "profiled.\n");
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(ParseKernelLaunches("\"ID\",\"Kernel Name\"\n").status().message(),
            "ncu --csv: expected a column \"Metric Name\", found ID,Kernel "
            "Name");
  EXPECT_EQ(ParseKernelLaunches(absl::StrCat(kOutput, "\"3\",\"4711\"\n"))
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

// A program called ncu that is a shell script.
class ProfileKernelsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto created = TemporaryDirectory::Create("kernel_profile_test");
    ASSERT_TRUE(created.ok()) << created.status();
    directory_.emplace(*std::move(created));
    setenv("PATH", absl::StrCat(directory_->path(), ":/usr/bin:/bin").c_str(),
           1);
  }

  absl::StatusOr<std::vector<KernelLaunch>> Run(
      const std::string& script,
      double seconds = std::numeric_limits<double>::infinity()) {
    const std::string path = directory_->path() + "/ncu";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    chmod(path.c_str(), 0755);
    return ProfileKernels("program --flag='a b'", "A|B", {"x.sum", "y.pct"},
                          {directory_->path(), seconds});
  }

  std::optional<TemporaryDirectory> directory_;
};

TEST_F(ProfileKernelsTest, ReadsWhatNcuPrints) {
  const auto launches =
      Run("[ \"$WARPCLUST_PROFILED\" = 1 ] || exit 1\n"
          "while [ \"$1\" != program ]; do args=\"$args $1\"; shift; done\n"
          "echo '\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"'\n"
          "echo \"\\\"0\\\",\\\"$args|$2\\\",\\\"x.sum\\\",\\\"1,250\\\"\"\n");
  ASSERT_TRUE(launches.ok()) << launches.status();
  ASSERT_EQ(launches->size(), 1u);
  EXPECT_EQ((*launches)[0].kernel,
            " --csv --print-units base --clock-control none --kernel-name "
            "regex:A|B --metrics gpu__time_duration.sum,x.sum,y.pct|--flag=a "
            "b");
  EXPECT_EQ((*launches)[0].metrics.at("x.sum"), 1250);
}

TEST_F(ProfileKernelsTest, SaysWhyThereAreNoCounts) {
  const auto message = [](const auto& launches) {
    EXPECT_EQ(launches.status().code(), absl::StatusCode::kUnavailable);
    return std::string(launches.status().message());
  };
  EXPECT_EQ(message(Run("echo '==PROF== Connected'\n"
                        "echo '==ERROR== ERR_NVGPUCTRPERM - no permission'\n"
                        "exit 1\n")),
            "ncu failed: ==ERROR== ERR_NVGPUCTRPERM - no permission");
  EXPECT_EQ(message(Run("echo '==WARNING== No kernels were profiled.'\n")),
            "ncu failed: ==WARNING== No kernels were profiled.");
  EXPECT_EQ(message(Run("exec sleep 60\n", /*seconds=*/0.1)),
            "ncu took longer than the time limit");
  setenv("PATH", "/usr/bin:/bin", 1);
  EXPECT_EQ(message(ProfileKernels("true", "A", {},
                                   {directory_->path(), /*seconds=*/9})),
            "ncu is not on PATH");
}

}  // namespace
}  // namespace warpclust
