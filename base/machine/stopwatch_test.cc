// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/stopwatch.h"

#include <chrono>
#include <thread>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

void Sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

TEST(StopwatchTest, LapsAreOnePhaseEach) {
  Stopwatch whole;
  Stopwatch stopwatch;
  Sleep();
  const double first = stopwatch.Lap();
  Sleep();
  EXPECT_GE(stopwatch.Seconds(), 0.02);
  const double second = stopwatch.Lap();
  EXPECT_GE(first, 0.02);
  EXPECT_GE(second, 0.02);
  EXPECT_GE(whole.Seconds(), first + second);
}

TEST(PhaseTimerTest, AddsItsLife) {
  double sum = 1;
  {
    const PhaseTimer timer(&sum);
    Sleep();
    EXPECT_EQ(sum, 1);
  }
  EXPECT_GE(sum, 1.02);
}

}  // namespace
}  // namespace warpclust
