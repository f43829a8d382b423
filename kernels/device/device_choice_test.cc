// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/device/device_choice.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

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
                             {3000000, 64},
                             {3000000, 64, true}});
  ExpectMonotone<SignedJob>(
      {{0, 0, 1}, {100, 100, 1}, {100, 1000, 1}, {100, 1000, 5}});
  ExpectMonotone<StreamJob>({{0}, {1000}, {1000000000}});
  ExpectMonotone<DenseStreamJob>({{}, {1000, 1e6}, {1000, 1e9}, {5000, 1e12}});
  ExpectMonotone<DenseProbeJob>(
      {{}, {1000, 1, 2}, {1000, 9, 2}, {1000, 900, 2}, {100000, 900, 384}});
  ExpectMonotone<DenseCosineJob>({{}, {1000, 2}, {1000, 384}, {100000, 384}});
}

TEST(DeviceChoiceTest, TheStartCounts) {
  EXPECT_EQ(FasterDevice({.cpu = 0.2, .cuda = 0.1}, 0), Device::kCuda);
  EXPECT_EQ(FasterDevice({.cpu = 0.2, .cuda = 0.1}, 0.2), Device::kCpu);
  EXPECT_EQ(FasterDevice({.cpu = 0.4, .cuda = 0.1}, 0.2), Device::kCuda);
  EXPECT_EQ(FasterDevice({.cpu = 0.1, .cuda = 0.1}, 0), Device::kCpu);
}

// Jobs that were measured on 16 cores and an H200. Seconds of whole jobs on the
// CPU and on the GPU; those of reading if CUDA starts with it.
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
      // 0.27 s; 0.34 s.
      {"Reuters, TF 0.2", cosine(1e6, 6.8e8, 1.45e7), 0, Device::kCpu},
      // 0.04 s; 0.31 s.
      {"6,366 short texts", cosine(6e4, 1e6, 1e4), 0, Device::kCpu},
      // 2.2 s; 0.56 s.
      {"aclImdb, TF 0.25", cosine(8.44e6, 3.25e10, 2.72e8), 0.21,
       Device::kCuda},
      // 1.17 s; 0.50 s.
      {"aclImdb, TF-IDF 0.25", cosine(8.44e6, 3.25e10, 4.7e5), 0.26,
       Device::kCuda},
      // 0.29 s; 0.44 s.
      {"geolife1m", Expect(PointsJob{1000000, 3}, kThreads), 0, Device::kCpu},
      // 0.78 s; 0.56 s.
      {"3 million 2-D points", Expect(PointsJob{3000000, 2}, kThreads), 0.09,
       Device::kCuda},
      // 0.89 s; 0.45 s.
      {"100,000 64-D points", Expect(PointsJob{100000, 64}, kThreads), 0.08,
       Device::kCuda},
      // 0.05 s; 0.33 s.
      {"100,000 2-D points", Expect(PointsJob{100000, 2}, kThreads), 0,
       Device::kCpu},
      // 0.86 s; 1.06 s.
      {"Epinions, one round", Expect(SignedJob{131513, 708507, 1}, kThreads), 0,
       Device::kCpu},
      // 1.11 s; 0.74 s.
      {"Bitcoin OTC", Expect(SignedJob{5878, 21431, 0}, kThreads), 0,
       Device::kCuda},
      // 0.44 s; 0.65 s.
      {"random graph", Expect(SignedJob{400, 39900, 0}, kThreads), 0,
       Device::kCpu},
      // 0.34 s; 0.68 s.
      {"Reuters as a stream", Expect(StreamJob{389817}, kThreads), 0,
       Device::kCpu},
      // 1.50 s; 0.95 s.
      {"500,000 short texts as a stream", Expect(StreamJob{4480174}, kThreads),
       0, Device::kCuda},
  };
  for (const auto& [name, expected, read, better] : kJobs) {
    EXPECT_EQ(FasterDevice(expected, CudaOverheadSeconds(read)), better)
        << name << ": " << expected.cpu << ", " << expected.cuda;
  }
}

TEST(DeviceChoiceTest, CudaIsPaidForOnce) {
  EXPECT_EQ(CudaOverheadSeconds(0), kCudaStartSeconds + kCudaEndSeconds);
  EXPECT_LT(CudaOverheadSeconds(0.1), kCudaStartSeconds);
  EXPECT_EQ(CudaOverheadSeconds(10), 0);
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
