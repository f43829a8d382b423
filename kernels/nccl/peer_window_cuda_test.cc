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
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/lent_memory.h"
#include "kernels/nccl/peer_window.h"

namespace warpclust {
namespace {

constexpr int64_t kCount = 100'000;
constexpr int64_t kBytes = kCount * int64_t{sizeof(int32_t)};

std::vector<int32_t> Values() {
  std::vector<int32_t> values(kCount);
  std::iota(values.begin(), values.end(), 7);
  return values;
}

absl::StatusOr<PeerWindowPtr> WindowWithValues() {
  absl::StatusOr<PeerWindowPtr> window = TakeWindow(kBytes);
  if (!window.ok()) return window;
  const absl::Status copied = internal::CopyHostToDevice(
      Values().data(), (*window)->data(), kCount, 0, kCount, sizeof(int32_t));
  if (!copied.ok()) return copied;
  return window;
}

// What another GPU, or this one, reads.
absl::StatusOr<std::vector<int32_t>> Read(const LentMemory& memory) {
  const absl::StatusOr<const char*> here = OpenWindow(memory);
  if (!here.ok()) return here.status();
  std::vector<int32_t> values(kCount);
  const absl::Status copied = internal::CopyDeviceToHost(
      *here, values.data(), kCount, 0, kCount, sizeof(int32_t));
  if (!copied.ok()) return copied;
  return values;
}

// Reads what the parent lends; the exit code says how it went.
int ReadInChild(int from_parent, int to_parent) {
  LentMemory memory;
  if (read(from_parent, &memory, sizeof(memory)) != sizeof(memory)) return 1;
  int code = 0;
  if (memory.process != 0) {
    const auto values = Read(memory);
    code = values.ok() && *values == Values() ? 0 : 2;
  }
  const char done = 1;
  return write(to_parent, &done, 1) == 1 ? code : 3;
}

bool HasGpu() { return ResolveDevice(Device::kCuda).ok(); }

// The child is made before the parent uses the GPU, which a fork does not
// survive: so this test is the first.
TEST(PeerWindowTest, AnotherProcessReads) {
  int to_child[2];
  int to_parent[2];
  ASSERT_EQ(pipe(to_child), 0);
  ASSERT_EQ(pipe(to_parent), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(ReadInChild(to_child[0], to_parent[1]));
  const bool has_gpu = HasGpu();
  LentMemory memory;
  absl::StatusOr<PeerWindowPtr> window = absl::UnavailableError("");
  if (has_gpu) {
    window = WindowWithValues();
    EXPECT_TRUE(window.ok()) << window.status();
    if (window.ok()) memory = (*window)->memory;
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

TEST(PeerWindowTest, ThisProcessReads) {
  if (!HasGpu()) GTEST_SKIP() << "no GPU here";
  const absl::StatusOr<PeerWindowPtr> window = WindowWithValues();
  ASSERT_TRUE(window.ok()) << window.status();
  const auto values = Read((*window)->memory);
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(*values, Values());
}

TEST(PeerWindowTest, AnotherHostDoesNot) {
  if (!HasGpu()) GTEST_SKIP() << "no GPU here";
  const absl::StatusOr<PeerWindowPtr> window = TakeWindow(kBytes);
  ASSERT_TRUE(window.ok()) << window.status();
  LentMemory memory = (*window)->memory;
  // Opened before: windows are known by process and address.
  memory.address += 1;
  memory.host[0] ^= 1;
  EXPECT_EQ(OpenWindow(memory).status().code(), absl::StatusCode::kUnavailable);
}

TEST(PeerWindowTest, IsTakenAgain) {
  if (!HasGpu()) GTEST_SKIP() << "no GPU here";
  absl::StatusOr<PeerWindowPtr> first = TakeWindow(kBytes);
  ASSERT_TRUE(first.ok()) << first.status();
  const char* const where = (*first)->data();
  const absl::StatusOr<PeerWindowPtr> second = TakeWindow(kBytes);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_NE((*second)->data(), where);
  first->reset();
  const absl::StatusOr<PeerWindowPtr> third = TakeWindow(kBytes);
  ASSERT_TRUE(third.ok()) << third.status();
  EXPECT_EQ((*third)->data(), where);
}

}  // namespace
}  // namespace warpclust
