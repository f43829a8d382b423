// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/one_ahead.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(OneAheadTest, HandsOverAllResultsInOrder) {
  for (const bool ahead : {false, true}) {
    for (int last = 0; last < 50; ++last) {
      int made = 0;
      OneAhead<std::unique_ptr<int>> results(
          ahead, [&](std::unique_ptr<int>* result) {
            *result = std::make_unique<int>(made);
            return made++ < last;
          });
      std::vector<int> taken;
      std::unique_ptr<int> result;
      bool more = true;
      while (more) {
        more = results.Take(&result);
        taken.push_back(*result);
      }
      ASSERT_EQ(taken.size(), last + size_t{1});
      for (int i = 0; i <= last; ++i) ASSERT_EQ(taken[i], i);
    }
  }
}

// Waits, for ten seconds at most.
bool Becomes(const std::atomic<int>& value, int expected) {
  for (int i = 0; i < 10000 && value != expected; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return value == expected;
}

TEST(OneAheadTest, MakesOneAheadAndNoMore) {
  std::atomic<int> made{0};
  {
    OneAhead<int> results(true, [&](int* result) {
      *result = ++made;
      return true;
    });
    int result = 0;
    EXPECT_TRUE(Becomes(made, 1));
    EXPECT_TRUE(results.Take(&result));
    EXPECT_EQ(result, 1);
    EXPECT_TRUE(Becomes(made, 2));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(made, 2);
    // The second one is dropped.
  }
  EXPECT_EQ(made, 2);
}

TEST(OneAheadTest, ChainsAndEndsWithTheFirstOfThemWaiting) {
  std::atomic<bool> stop{false};
  int made = 0;
  OneAhead<int> first(true, [&](int* result) {
    *result = made++;
    while (made > 3 && !stop) std::this_thread::yield();
    return made <= 3;
  });
  OneAhead<int> second(true, [&](int* result) {
    const bool more = first.Take(result);
    *result *= 10;
    return more;
  });
  int result = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(second.Take(&result));
    EXPECT_EQ(result, 10 * i);
  }
  stop = true;
}

}  // namespace
}  // namespace warpclust
