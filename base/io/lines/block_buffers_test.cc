// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/block_buffers.h"

#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(BlockBuffers, AreUsedAgain) {
  BlockBuffers buffers;
  std::shared_ptr<char[]> first = buffers.Take(100);
  std::shared_ptr<char[]> copy = first;
  const std::shared_ptr<char[]> second = buffers.Take(100);
  const char* const bytes = first.get();
  EXPECT_NE(second.get(), bytes);
  first.reset();
  const std::shared_ptr<char[]> third = buffers.Take(100);
  EXPECT_NE(third.get(), bytes);  // It still has an owner.
  copy.reset();
  BlockBuffers moved = std::move(buffers);
  EXPECT_EQ(moved.Take(50).get(), bytes);
}

TEST(BlockBuffers, Added) {
  BlockBuffers buffers;
  buffers.Add(100);
  const std::shared_ptr<char[]> first = buffers.Take(100);
  const std::shared_ptr<char[]> second = buffers.Take(100);
  EXPECT_EQ(first[99], 0);
  EXPECT_NE(first.get(), second.get());
}

TEST(BlockBuffers, KeepNone) {
  BlockBuffers buffers;
  buffers.Add(100);
  const std::shared_ptr<char[]> first = buffers.Take(100);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&buffers] { buffers.Add(1000); });
  }
  buffers.KeepNone();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(first[99], 0);
  EXPECT_NE(buffers.Take(10), nullptr);
}

TEST(BlockBuffers, TooSmall) {
  BlockBuffers buffers;
  buffers.Take(10).reset();
  const std::shared_ptr<char[]> larger = buffers.Take(1 << 20);
  std::memset(larger.get(), 1, 1 << 20);
}

TEST(BlockBuffers, AreLetGoOfByOtherThreads) {
  absl::optional<BlockBuffers> buffers(absl::in_place);
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<char[]>> kept;
  for (int i = 0; i < 200; ++i) {
    std::shared_ptr<char[]> buffer = buffers->Take(1000);
    std::memset(buffer.get(), i, 1000);
    if (i % 3 == 0) kept.push_back(buffer);
    threads.emplace_back([owned = std::move(buffer)]() mutable {
      EXPECT_EQ(owned[0], owned[999]);
      owned.reset();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i][0], static_cast<char>(3 * i));
  }
  buffers.reset();
  EXPECT_EQ(kept[1][999], 3);
}

}  // namespace
}  // namespace warpclust
