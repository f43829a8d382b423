// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/search/search_control.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(SearchControlTest, WithoutALimitOnlyARequestStops) {
  SearchControl control;
  EXPECT_FALSE(control.ShouldStop());
  EXPECT_TRUE(std::isinf(control.SecondsLeft()));
  control.RequestStop();
  EXPECT_TRUE(control.ShouldStop());
  EXPECT_EQ(control.SecondsLeft(), 0);
}

TEST(SearchControlTest, TheLimitStops) {
  SearchControl control(1e-9);
  while (control.seconds() < 1e-9) continue;
  EXPECT_TRUE(control.ShouldStop());
  EXPECT_EQ(control.SecondsLeft(), 0);

  const SearchControl later(1e6);
  EXPECT_FALSE(later.ShouldStop());
  EXPECT_GT(later.SecondsLeft(), 9e5);
  EXPECT_LE(later.SecondsLeft(), 1e6);
}

TEST(SearchControlTest, TheClockMayBeTheCallers) {
  double now = 0;
  const SearchControl control(5, [&now] { return now; });
  EXPECT_FALSE(control.ShouldStop());
  EXPECT_EQ(control.SecondsLeft(), 5);
  now = 4;
  EXPECT_EQ(control.seconds(), 4);
  EXPECT_FALSE(control.ShouldStop());
  EXPECT_EQ(control.SecondsLeft(), 1);
  now = 5;
  EXPECT_TRUE(control.ShouldStop());
  EXPECT_EQ(control.SecondsLeft(), 0);
}

TEST(StopCheckTest, AsksOncePerManyUnits) {
  int64_t readings = 0;
  const SearchControl control(3, [&readings] { return ++readings; });
  StopCheck check(&control);
  int64_t units = 0;
  while (!check.After(1)) ++units;
  EXPECT_EQ(readings, 3);
  EXPECT_GE(units, 3 * 1000);
  // A stop is final and needs no clock.
  EXPECT_TRUE(check.After(int64_t{1} << 40));
  EXPECT_TRUE(check.After(0));
  EXPECT_EQ(readings, 3);
  // Much work at once is one question.
  StopCheck other(&control);
  EXPECT_TRUE(other.After(int64_t{1} << 40));
  EXPECT_EQ(readings, 4);
  EXPECT_FALSE(StopCheck(nullptr).After(int64_t{1} << 40));
}

TEST(SearchControlTest, RemembersImprovementsOnly) {
  SearchControl control;
  EXPECT_EQ(control.best(), std::numeric_limits<int64_t>::max());
  control.CountStart();
  control.Report(10);
  control.CountStart();
  control.Report(12);
  control.Report(10);
  control.Report(7);
  EXPECT_EQ(control.best(), 7);
  EXPECT_EQ(control.starts(), 2);
  const std::vector<SearchControl::Improvement> found = control.improvements();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].imbalance, 10);
  EXPECT_EQ(found[0].starts, 1);
  EXPECT_EQ(found[1].imbalance, 7);
  EXPECT_EQ(found[1].starts, 2);
  EXPECT_LE(found[0].seconds, found[1].seconds);
}

TEST(SearchControlTest, TimesTheLocalSearchIfAsked) {
  SearchControl control;
  const auto descend = [&control] {
    const double begin = control.seconds();
    while (control.seconds() < begin + 1e-3) continue;
    return true;
  };
  EXPECT_TRUE(control.TimeLocalSearch(descend));
  EXPECT_EQ(control.local_search_seconds(), 0);
  control.MeasureLocalSearch();
  EXPECT_TRUE(control.TimeLocalSearch(descend));
  EXPECT_GE(control.local_search_seconds(), 1e-3);
  EXPECT_LE(control.local_search_seconds(), control.seconds());
}

TEST(SearchControlTest, ManyThreadsReport) {
  SearchControl control;
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&control, t] {
      for (int64_t i = 1000; i > 0; --i) {
        control.CountStart();
        control.Report(4 * i + t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(control.starts(), 4000);
  EXPECT_EQ(control.best(), 4);
  int64_t last = std::numeric_limits<int64_t>::max();
  for (const SearchControl::Improvement& found : control.improvements()) {
    EXPECT_LT(found.imbalance, last);
    last = found.imbalance;
  }
  EXPECT_EQ(last, 4);
}

}  // namespace
}  // namespace warpclust
