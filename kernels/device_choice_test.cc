// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/device_choice.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kernels/device.h"

namespace warpclust {
namespace {

// Both devices take at least as long for each job as for the one before, and
// more threads never make the CPU slower.
template <typename Job>
void ExpectMonotone(const std::vector<Job>& jobs) {
  for (const int threads : {1, 2, 16}) {
    ExpectedSeconds last;
    for (const Job& job : jobs) {
      const ExpectedSeconds expected = Expect(job, threads);
      EXPECT_GE(expected.cpu, last.cpu);
      EXPECT_GE(expected.cuda, last.cuda);
      EXPECT_GT(expected.cuda, 0);
      EXPECT_LE(Expect(job, threads + 1).cpu, expected.cpu);
      last = expected;
    }
    EXPECT_GT(last.cpu, 0);
  }
}

TEST(DeviceChoiceTest, MoreWorkTakesLonger) {
  ExpectMonotone<CosineJob>({{},
                             {.entries = 1000},
                             {.entries = 1000, .products = 1e6},
                             {.entries = 1000, .products = 1e6, .edges = 1e5},
                             {.entries = 2000, .products = 1e9, .edges = 1e7}});
  ExpectMonotone<CosineJob>(
      {{.clusters_only = true},
       {.entries = 1000, .products = 1e6, .clusters_only = true},
       {.entries = 1000,
        .products = 1e9,
        .edges = 1e7,
        .clusters_only = true}});
  ExpectMonotone<GraphJob>({{0}, {1000}, {1000000}});
  ExpectMonotone<PointsJob>({{0, 2},
                             {1000, 2},
                             {1000, 3},
                             {1000, 4},
                             {1000, 64},
                             {100000, 64},
                             {3000000, 64}});
  ExpectMonotone<SignedJob>(
      {{0, 0, 1}, {100, 100, 1}, {100, 1000, 1}, {100, 1000, 5}});
  ExpectMonotone<StreamJob>({{0}, {1000}, {1000000000}});
}

TEST(DeviceChoiceTest, TheStartCounts) {
  EXPECT_EQ(FasterDevice({.cpu = 0.2, .cuda = 0.1}, 0), Device::kCuda);
  EXPECT_EQ(FasterDevice({.cpu = 0.2, .cuda = 0.1}, 0.2), Device::kCpu);
  EXPECT_EQ(FasterDevice({.cpu = 0.4, .cuda = 0.1}, 0.2), Device::kCuda);
  EXPECT_EQ(FasterDevice({.cpu = 0.1, .cuda = 0.1}, 0), Device::kCpu);
}

// Jobs that were measured on 16 cores and an H200, with the seconds of reading,
// in which CUDA starts if it may. Seconds of whole jobs on the CPU and, with
// CUDA started before reading, on the GPU.
TEST(DeviceChoiceTest, MeasuredJobsRunOnTheBetterDevice) {
  constexpr int kThreads = 16;
  const auto cosine = [](double entries, double products, double edges) {
    return Expect(CosineJob{static_cast<int64_t>(entries), products, edges,
                            /*clusters_only=*/true},
                  kThreads);
  };
  const struct {
    std::string name;
    ExpectedSeconds expected;
    double read;  // 0: CUDA does not start before the end of reading.
    Device better;
  } kJobs[] = {
      // 0.65 s; 0.49 s.
      {"Reuters, TF 0.2", cosine(1e6, 6.8e8, 1.45e7), 0.45, Device::kCuda},
      // 0.07 s; 0.29 s.
      {"7,600 short texts", cosine(6e4, 1e6, 1e4), 0, Device::kCpu},
      // 2.95 s; 1.36 s.
      {"aclImdb, TF 0.25", cosine(8.44e6, 3.25e10, 2.72e8), 0.61,
       Device::kCuda},
      // 1.68 s; 0.73 s.
      {"aclImdb, TF-IDF 0.25", cosine(8.44e6, 3.25e10, 4.7e5), 0.52,
       Device::kCuda},
      // 0.58 s; 0.29 s.
      {"geolife1m", Expect(PointsJob{1000000, 3}, kThreads), 0.21,
       Device::kCuda},
      // 0.13 s; 0.31 s.
      {"100,000 2-D points", Expect(PointsJob{100000, 2}, kThreads), 0.01,
       Device::kCpu},
      // 0.17 s; 0.31 s.
      {"newsgroups, counts", cosine(1.7e6, 8.7e8, 3.7e5), 0.07, Device::kCpu},
      // 0.19 s; 0.28 s.
      {"Reuters, counts", cosine(9.8e5, 6.8e8, 1.23e7), 0.05, Device::kCpu},
  };
  for (const auto& [name, expected, read, better] : kJobs) {
    const double left = read < kCudaStartSeconds ? kCudaStartSeconds - read : 0;
    EXPECT_EQ(FasterDevice(expected, left), better)
        << name << ": " << expected.cpu << ", " << expected.cuda;
  }
}

TEST(DeviceChoiceTest, ResolvesByExpectation) {
  const ExpectedSeconds small = {.cpu = 0.001, .cuda = 0.01};
  const ExpectedSeconds large = {.cpu = 100, .cuda = 1};
  for (const ExpectedSeconds& expected : {small, large}) {
    EXPECT_EQ(*ResolveDevice(Device::kCpu, expected), Device::kCpu);
    EXPECT_EQ(ResolveDevice(Device::kCuda, expected),
              ResolveDevice(Device::kCuda));
  }
  EXPECT_EQ(*ResolveDevice(Device::kAuto, small), Device::kCpu);
  EXPECT_EQ(*ResolveDevice(Device::kAuto, large),
            *ResolveDevice(Device::kAuto));
  EXPECT_EQ(CudaIsRunning(), ResolveDevice(Device::kCuda).ok());
}

}  // namespace
}  // namespace warpclust
