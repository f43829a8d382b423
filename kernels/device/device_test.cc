// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/device/device.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(DeviceTest, NamesAndBack) {
  for (Device device : {Device::kAuto, Device::kCpu, Device::kCuda}) {
    const absl::StatusOr<Device> parsed = ParseDevice(DeviceName(device));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, device);
  }
  EXPECT_EQ(DeviceName(Device::kCuda), "cuda");
}

TEST(DeviceTest, OtherNamesAreRefused) {
  for (absl::string_view name : {"", "gpu", "CPU", "cuda ", "cuda:0"}) {
    const absl::Status status = ParseDevice(name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
  }
  const std::string message(ParseDevice("tpu").status().message());
  EXPECT_NE(message.find("\"tpu\""), std::string::npos) << message;
}

TEST(DeviceTest, Resolves) {
  const absl::StatusOr<Device> cpu = ResolveDevice(Device::kCpu);
  ASSERT_TRUE(cpu.ok());
  EXPECT_EQ(*cpu, Device::kCpu);

  // With or without a GPU: kAuto always works, and agrees with kCuda.
  const absl::StatusOr<Device> automatic = ResolveDevice(Device::kAuto);
  const absl::StatusOr<Device> cuda = ResolveDevice(Device::kCuda);
  ASSERT_TRUE(automatic.ok()) << automatic.status();
  if (cuda.ok()) {
    EXPECT_EQ(*cuda, Device::kCuda);
    EXPECT_EQ(*automatic, Device::kCuda);
  } else {
    EXPECT_EQ(cuda.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_FALSE(cuda.status().message().empty());
    EXPECT_EQ(*automatic, Device::kCpu);
  }
}

}  // namespace
}  // namespace warpclust
