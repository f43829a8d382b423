// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PrimitivesTest: the fixture of the tests of primitives_cuda.h: a stream,
// temporary storage, seeded random values, and copies to and from the GPU.

#ifndef WARPCLUST_KERNELS_TESTING_PRIMITIVES_CUDA_FIXTURE_H_
#define WARPCLUST_KERNELS_TESTING_PRIMITIVES_CUDA_FIXTURE_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/stream.h"

namespace warpclust {

// The numbers of elements that tests use.
inline constexpr int64_t kPrimitiveSizes[] = {0, 1, 2, 31, 1000, 4097, 1000000};

class PrimitivesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<Device> gpu = ResolveDevice(Device::kCuda);
    if (!gpu.ok()) GTEST_SKIP() << gpu.status();
    absl::StatusOr<Stream> stream = Stream::Create();
    ASSERT_TRUE(stream.ok()) << stream.status();
    stream_.push_back(*std::move(stream));
    seed_ = std::random_device{}();
    random_.seed(seed_);
  }

  cudaStream_t stream() const { return stream_[0].get(); }

  template <typename T>
  static DeviceBuffer<T> ToDevice(const std::vector<T>& values) {
    absl::StatusOr<DeviceBuffer<T>> buffer = DeviceBuffer<T>::FromHost(values);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return buffer.ok() ? *std::move(buffer) : DeviceBuffer<T>();
  }

  // Filled with 0xcc, so that elements that were not written are visible.
  template <typename T>
  static DeviceBuffer<T> NewOnDevice(int64_t count) {
    absl::StatusOr<DeviceBuffer<T>> buffer = DeviceBuffer<T>::Allocate(count);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    if (!buffer.ok()) return DeviceBuffer<T>();
    EXPECT_TRUE(buffer->FillBytes(0xcc).ok());
    return *std::move(buffer);
  }

  template <typename T>
  static std::vector<T> ToHost(const DeviceBuffer<T>& buffer) {
    absl::StatusOr<std::vector<T>> values = buffer.ToHost();
    EXPECT_TRUE(values.ok()) << values.status();
    return values.ok() ? *std::move(values) : std::vector<T>();
  }

  // `count` values below `bound`, or of all bits if `bound` is 0.
  template <typename T>
  std::vector<T> Random(int64_t count, uint64_t bound = 0) {
    std::vector<T> values(static_cast<size_t>(count));
    for (T& value : values) {
      const uint64_t bits = random_();
      value = static_cast<T>(bound == 0 ? bits : bits % bound);
    }
    return values;
  }

  std::vector<Stream> stream_;  // One, made in SetUp.
  TemporaryStorage storage_;    // Reused by all calls of a test.
  uint64_t seed_ = 0;
  std::mt19937_64 random_;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TESTING_PRIMITIVES_CUDA_FIXTURE_H_
