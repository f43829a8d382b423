// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/gpu_array.h"

namespace warpclust {
namespace {

class GpuArrayCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(GpuArrayCudaTest, CopiesMemoryOfTheGpu) {
  std::vector<int32_t> values(5000000);
  std::iota(values.begin(), values.end(), 7);
  const absl::StatusOr<DeviceBuffer<int32_t>> array =
      DeviceBuffer<int32_t>::FromHost(values);
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(AwaitGpuArray("array", array->data()), absl::OkStatus());
  std::vector<int32_t> copy(values.size() - 1);
  const auto bytes = static_cast<int64_t>(copy.size() * sizeof(int32_t));
  EXPECT_EQ(CopyGpuArray("array", array->data() + 1, bytes, copy.data()),
            absl::OkStatus());
  values.erase(values.begin());
  EXPECT_EQ(copy, values);
}

TEST_F(GpuArrayCudaTest, RefusesMemoryOfTheHost) {
  const std::vector<int32_t> values(100);
  std::vector<int32_t> copy(100);
  const absl::Status status =
      CopyGpuArray("array", values.data(), 400, copy.data());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "array: expected an array in the memory of GPU 0, found a pointer "
            "to host memory");
  EXPECT_EQ(AwaitGpuArray("array", nullptr).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
