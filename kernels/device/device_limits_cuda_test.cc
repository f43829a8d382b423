// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <cstdlib>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/device/device_limits.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/testing/gpu_like.h"
#include "kernels/testing/shared_memory_kernel.h"

namespace warpclust {
namespace {

class DeviceLimitsCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
    unsetenv("WARPCLUST_GPU_LIKE");  // The tests set it.
  }
};

// The most is allowed and can be launched; a byte more is refused.
void ExpectLimit() {
  const SharedMemoryKernel kernel = GetSharedMemoryKernel();
  const absl::StatusOr<int> most = MostSharedBytes(kernel);
  ASSERT_TRUE(most.ok()) << most.status();
  const absl::Status allowed = AllowSharedBytes(kernel, *most, "a test");
  ASSERT_TRUE(allowed.ok()) << allowed;
  EXPECT_EQ(AllowSharedBytes(kernel, *most + 1, "a test").code(),
            absl::StatusCode::kUnavailable);
  // As a thread does that launches with less. It changes nothing for others.
  ASSERT_TRUE(AllowSharedBytes(kernel, 1024, "a test").ok());
  absl::StatusOr<DeviceBuffer<int>> out = DeviceBuffer<int>::Allocate(1);
  ASSERT_TRUE(out.ok()) << out.status();
  int bytes = *most;
  int* pointer = out->data();
  void* arguments[] = {&bytes, &pointer};
  ASSERT_EQ(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1),
                             dim3(128), arguments, bytes, nullptr),
            cudaSuccess);
  int counted = 0;
  const absl::Status copied = out->CopyToHost(absl::MakeSpan(&counted, 1));
  ASSERT_TRUE(copied.ok()) << copied;
  EXPECT_EQ(counted, bytes);
}

TEST_F(DeviceLimitsCudaTest, TheWholeSharedMemoryCanBeUsed) {
  ExpectLimit();
  const GpuLike gpu("8.6");
  ExpectLimit();
}

TEST_F(DeviceLimitsCudaTest, Multiprocessors) {
  const absl::StatusOr<int> count = NumMultiprocessors();
  ASSERT_TRUE(count.ok()) << count.status();
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(*count, properties.multiProcessorCount);
}

TEST_F(DeviceLimitsCudaTest, LikeAnotherGpu) {
  const SharedMemoryKernel kernel = GetSharedMemoryKernel();
  const absl::StatusOr<int> here = MostSharedBytes(kernel);
  ASSERT_TRUE(here.ok()) << here.status();
  for (const char* like : {"8.0", "8.6", "8.9", "9.0", "10.0", "12.0"}) {
    SCOPED_TRACE(like);
    const GpuLike gpu(like);
    const absl::StatusOr<int> most = MostSharedBytes(kernel);
    ASSERT_TRUE(most.ok()) << most.status();
    EXPECT_LE(*most, *here);
    const absl::StatusOr<bool> warpgroups = HasWarpgroups(kernel);
    ASSERT_TRUE(warpgroups.ok()) << warpgroups.status();
    EXPECT_FALSE(*warpgroups && *like != '9');
  }
  const GpuLike gpu("8.6");
  EXPECT_EQ(*MostSharedBytes(kernel), 99 * 1024 - kStaticSharedBytes);
}

TEST_F(DeviceLimitsCudaTest, UnknownGpu) {
  const GpuLike gpu("86");
  const absl::Status status = MostSharedBytes(GetSharedMemoryKernel()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "WARPCLUST_GPU_LIKE: expected 8.0, 8.6, 8.9, 9.0, 10.0 or 12.0, "
            "found \"86\"");
}

}  // namespace
}  // namespace warpclust
