// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "kernels/device.h"
#include "kernels/device_buffer.h"
#include "kernels/device_loan.h"
#include "kernels/lent_memory.h"

namespace warpclust {
namespace {

constexpr int64_t kCount = 100'000;

std::vector<int32_t> Values() {
  std::vector<int32_t> values(kCount);
  std::iota(values.begin(), values.end(), 7);
  return values;
}

absl::StatusOr<DeviceLoan> LendValues() {
  auto values = DeviceBuffer<int32_t>::FromHost(Values());
  if (!values.ok()) return values.status();
  return DeviceLoan::Make(values->data(), values->bytes());
}

// What another GPU, or this one, reads.
absl::StatusOr<std::vector<int32_t>> Borrow(const LentMemory& lent) {
  auto copy = DeviceBuffer<int32_t>::Allocate(kCount);
  if (!copy.ok()) return copy.status();
  if (absl::Status s = CopyLent(lent, copy->data()); !s.ok()) return s;
  return copy->ToHost();
}

// Children are made before the parent uses the GPU, which a fork does not
// survive.
class DeviceLoanTest : public testing::Test {
 protected:
  static bool HasGpu() { return ResolveDevice(Device::kCuda).ok(); }
};

// The child borrows what the parent lends; its exit code says how it went.
int BorrowInChild(int from_parent, int to_parent) {
  LentMemory lent;
  if (read(from_parent, &lent, sizeof(lent)) != sizeof(lent)) return 1;
  int code = 0;
  if (lent.is_lent()) {
    const auto values = Borrow(lent);
    code = values.ok() && *values == Values() ? 0 : 2;
  }
  const char done = 1;
  return write(to_parent, &done, 1) == 1 ? code : 3;
}

TEST_F(DeviceLoanTest, AnotherProcessReads) {
  int to_child[2];
  int to_parent[2];
  ASSERT_EQ(pipe(to_child), 0);
  ASSERT_EQ(pipe(to_parent), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(BorrowInChild(to_child[0], to_parent[1]));
  const bool has_gpu = HasGpu();
  LentMemory memory;
  absl::StatusOr<DeviceLoan> loan = absl::UnavailableError("");
  if (has_gpu) {
    loan = LendValues();
    EXPECT_TRUE(loan.ok()) << loan.status();
    if (loan.ok()) memory = loan->memory();
  }
  ASSERT_EQ(write(to_child[1], &memory, sizeof(memory)),
            static_cast<ssize_t>(sizeof(memory)));
  char done = 0;
  EXPECT_EQ(read(to_parent[0], &done, 1), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (!has_gpu) GTEST_SKIP() << "no GPU here";
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(DeviceLoanTest, ThisProcessReads) {
  if (!HasGpu()) GTEST_SKIP() << "no GPU here";
  absl::StatusOr<DeviceLoan> made = LendValues();
  ASSERT_TRUE(made.ok()) << made.status();
  const DeviceLoan loan = *std::move(made);
  const auto values = Borrow(loan.memory());
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(*values, Values());
}

TEST_F(DeviceLoanTest, AnotherHostDoesNot) {
  EXPECT_FALSE(CopyLent({}, nullptr).ok());
  if (!HasGpu()) GTEST_SKIP() << "no GPU here";
  const absl::StatusOr<DeviceLoan> loan = LendValues();
  ASSERT_TRUE(loan.ok()) << loan.status();
  LentMemory memory = loan->memory();
  memory.host[0] ^= 1;
  EXPECT_EQ(CopyLent(memory, nullptr).code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace warpclust
