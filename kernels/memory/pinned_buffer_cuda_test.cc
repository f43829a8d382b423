// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/pinned_buffer.h"

namespace warpclust {
namespace {

TEST(PinnedBufferTest, EmptyAndBadCountsNeedNoGpu) {
  const absl::StatusOr<PinnedBuffer<int64_t>> empty =
      PinnedBuffer<int64_t>::Allocate(0);
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(empty->size(), 0);
  EXPECT_EQ(empty->data(), nullptr);
  EXPECT_TRUE(empty->span().empty());
  EXPECT_EQ(PinnedBuffer<int64_t>::Allocate(-1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      PinnedBuffer<int64_t>::Allocate(std::numeric_limits<int64_t>::max() / 2)
          .status()
          .code(),
      absl::StatusCode::kResourceExhausted);
}

TEST(PinnedBufferTest, CarriesDataToAndFromTheGpu) {
  if (const absl::StatusOr<Device> gpu = ResolveDevice(Device::kCuda);
      !gpu.ok()) {
    GTEST_SKIP() << gpu.status();
  }
  // The second is above the size from which pageable copies are staged.
  for (int64_t count : {int64_t{1000}, int64_t{5000000}}) {
    absl::StatusOr<PinnedBuffer<int64_t>> from =
        PinnedBuffer<int64_t>::Allocate(count);
    absl::StatusOr<PinnedBuffer<int64_t>> to =
        PinnedBuffer<int64_t>::Allocate(count);
    ASSERT_TRUE(from.ok()) << from.status();
    ASSERT_TRUE(to.ok()) << to.status();
    std::iota(from->data(), from->data() + count, int64_t{-7});
    absl::StatusOr<DeviceBuffer<int64_t>> device =
        DeviceBuffer<int64_t>::FromHost(from->span());
    ASSERT_TRUE(device.ok()) << device.status();
    ASSERT_TRUE(device->CopyToHost(to->span()).ok());
    EXPECT_EQ((*to)[count - 1], count - 8);
    EXPECT_EQ(to->span(), from->span());

    PinnedBuffer<int64_t> moved = *std::move(to);
    EXPECT_EQ(moved[0], -7);
    EXPECT_EQ(moved.size(), count);
  }
}

}  // namespace
}  // namespace warpclust
