// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

// Needs no GPU: the codes are a function of the error.
TEST(CudaStatusTest, Codes) {
  EXPECT_TRUE(CudaStatus(cudaSuccess, "x").ok());
  EXPECT_EQ(CudaStatus(cudaErrorMemoryAllocation, "x").code(),
            absl::StatusCode::kResourceExhausted);
  for (cudaError_t error :
       {cudaErrorNoDevice, cudaErrorInsufficientDriver, cudaErrorStubLibrary,
        cudaErrorNoKernelImageForDevice, cudaErrorSystemNotReady}) {
    EXPECT_EQ(CudaStatus(error, "x").code(), absl::StatusCode::kUnavailable)
        << cudaGetErrorName(error);
  }
  for (cudaError_t error : {cudaErrorInvalidValue, cudaErrorIllegalAddress,
                            cudaErrorLaunchFailure, cudaErrorUnknown}) {
    EXPECT_EQ(CudaStatus(error, "x").code(), absl::StatusCode::kInternal)
        << cudaGetErrorName(error);
  }
}

TEST(CudaStatusTest, MessageSaysWhatAndWhy) {
  const std::string message(
      CudaStatus(cudaErrorInvalidValue, "copy the offsets").message());
  EXPECT_EQ(message.find("copy the offsets: cudaErrorInvalidValue: "), 0u)
      << message;
}

TEST(CudaStatusTest, ClearsTheLastError) {
  if (const absl::StatusOr<Device> gpu = ResolveDevice(Device::kCuda);
      !gpu.ok()) {
    GTEST_SKIP() << gpu.status();
  }
  ASSERT_TRUE(CudaLaunchStatus("before").ok());
  // No GPU has 2^60 bytes.
  void* memory = nullptr;
  const absl::Status status =
      CudaStatus(cudaMalloc(&memory, size_t{1} << 60), "too much");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_TRUE(CudaLaunchStatus("after").ok());
}

}  // namespace
}  // namespace warpclust
