// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/trace.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "base/machine/stopwatch.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(TraceTest, HasSpansOfAllThreads) {
  const TraceClock::time_point before = TraceClock::now();
  RecordSpan("too early", before, TraceClock::now());
  StartTrace();
  const TraceClock::time_point start = TraceClock::now();
  const auto at = [&](int milliseconds) {
    return start + std::chrono::milliseconds(milliseconds);
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  RecordSpan("inner", at(2), at(3));
  RecordSpan("outer", at(2), at(9));
  RecordSpan("begun before", before, at(1));
  std::thread([&] { RecordSpan("elsewhere", at(4), at(5)); }).join();
  const std::string json = StopTrace();
  RecordSpan("too late", start, TraceClock::now());

  // What differs from run to run.
  std::string text;
  for (const char c : json) {
    if (c < '0' || c > '9') text += c;
  }
  const auto line = [](const std::string& name) {
    return "{\"name\":\"" + name +
           "\",\"ph\":\"X\",\"pid\":,\"tid\":,\"ts\":,\"dur\":}";
  };
  EXPECT_EQ(text, "[\n" + line("total") + ",\n" + line("begun before") + ",\n" +
                      line("outer") + ",\n" + line("inner") + ",\n" +
                      line("elsewhere") + "\n]\n");
  EXPECT_NE(json.find("\"total\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":0,"),
            std::string::npos);
  EXPECT_NE(json.find("\"elsewhere\",\"ph\":\"X\",\"pid\":1,\"tid\":1,"),
            std::string::npos);
  EXPECT_NE(json.find("\"dur\":7000}"), std::string::npos);
}

TEST(TraceTest, AScopeThatBeganBeforeCountsFromTheStart) {
  {
    const TraceSpan before("before");
    StartTrace();
    { const TraceSpan after("after"); }
  }
  const std::string json = StopTrace();
  EXPECT_NE(json.find("\"before\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":0,"),
            std::string::npos);
  EXPECT_NE(json.find("\"after\""), std::string::npos);
}

TEST(TraceTest, HasWhatStopwatchesAndScopesNamed) {
  StartTrace();
  double seconds = 0;
  {
    const PhaseTimer timer(&seconds, "phase");
    const PhaseTimer without_name(&seconds);
    const TraceSpan span("scope");
    Stopwatch stopwatch;
    stopwatch.Lap("lap");
    stopwatch.Lap();
  }
  const std::string json = StopTrace();
  EXPECT_NE(json.find("\"name\":\"phase\""), std::string::npos);
  EXPECT_NE(json.find("\"name\":\"lap\""), std::string::npos);
  EXPECT_NE(json.find("\"name\":\"scope\""), std::string::npos);
  EXPECT_EQ(std::count(json.begin(), json.end(), '{'), 4);
  // Nothing is left of it.
  StartTrace();
  const std::string empty = StopTrace();
  EXPECT_EQ(std::count(empty.begin(), empty.end(), '{'), 1);
}

}  // namespace
}  // namespace warpclust
