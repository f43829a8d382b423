// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks as threads, on all GPUs of this computer, and what is kept for each.

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/device/gpu_ranks.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

class GpuRanksCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<int> count = CountGpus();
    if (!count.ok()) GTEST_SKIP() << "no GPU here";
    num_gpus_ = *count;
  }
  void TearDown() override { SetDeviceMemoryLimit(-1); }

  int num_gpus_ = 0;
};

TEST_F(GpuRanksCudaTest, EachHasAGpu) {
  // Not the first one, if there are several.
  const int of_caller = num_gpus_ - 1;
  ASSERT_EQ(cudaSetDevice(of_caller), cudaSuccess);
  for (int num_gpus = 1; num_gpus <= num_gpus_; ++num_gpus) {
    std::atomic<int> sum = 0;
    const absl::Status status =
        RunOnGpus(num_gpus, [&](Communicator& ranks) -> absl::Status {
          EXPECT_EQ(ranks.size(), num_gpus);
          int device = -1;
          EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
          EXPECT_EQ(device, ranks.rank());
          sum += 1 + device;
          return ranks.Barrier();
        });
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(sum, num_gpus * (num_gpus + 1) / 2);
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, of_caller);
  }
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

// Arrays that are large enough to be copied by several threads.
TEST_F(GpuRanksCudaTest, GpusHaveTheirOwnMemory) {
  constexpr int64_t kCount = 10'000'000;
  // For one array per GPU.
  SetDeviceMemoryLimit(kCount * 6);
  const absl::Status status =
      RunOnGpus(num_gpus_, [&](Communicator& ranks) -> absl::Status {
        EXPECT_EQ(DeviceMemoryInUseBytes(), 0);
        std::vector<int32_t> values(kCount);
        for (int64_t i = 0; i < kCount; ++i) {
          values[i] = static_cast<int32_t>(i) ^ (ranks.rank() << 28);
        }
        auto buffer = DeviceBuffer<int32_t>::FromHost(values);
        if (!buffer.ok()) return buffer.status();
        EXPECT_EQ(DeviceMemoryInUseBytes(), kCount * 4);
        EXPECT_FALSE(DeviceBuffer<int32_t>::Allocate(kCount).ok());
        if (absl::Status s = ranks.Barrier(); !s.ok()) return s;
        const absl::StatusOr<std::vector<int32_t>> back = buffer->ToHost(1);
        if (!back.ok()) return back.status();
        EXPECT_TRUE(*back == values);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_GE(DeviceMemoryPeakBytes(), kCount * 4);
  EXPECT_LE(DeviceMemoryPeakBytes(), kCount * 6);
}

}  // namespace
}  // namespace warpclust
