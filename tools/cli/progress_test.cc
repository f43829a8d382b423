// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string Contents(std::FILE* file) {
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

TEST(FormatProgressTest, ACountAlone) {
  EXPECT_EQ(FormatProgress("graph", {12.4}), "graph, 12 s");
  EXPECT_EQ(FormatProgress("graph", {12.4, 0}), "graph, 12 s, 0 done");
  EXPECT_EQ(FormatProgress("graph", {12.4, 12345, -1, -1, "best 3"}),
            "graph, 12 s, 12,345 done, best 3");
  // Of nothing there is no share.
  EXPECT_EQ(FormatProgress("graph", {1, 0, 0}), "graph, 1 s, 0 done");
}

TEST(FormatProgressTest, ATotalShowsTheShareAndTheTimeLeft) {
  EXPECT_EQ(FormatProgress("graph", {12, 1200, 4800}),
            "graph, 12 s, 1,200 of 4,800 done (25 %), about 36 s left");
  EXPECT_EQ(FormatProgress("graph", {12, 1200, 4800, -1, "best 3"}),
            "graph, 12 s, 1,200 of 4,800 done (25 %), about 36 s left, best 3");
  // Too early to tell.
  EXPECT_EQ(FormatProgress("graph", {2, 47, 4800}),
            "graph, 2 s, 47 of 4,800 done (0 %)");
  // Rounded down: not complete yet.
  EXPECT_EQ(FormatProgress("graph", {999, 999, 1000}),
            "graph, 999 s, 999 of 1,000 done (99 %), about 1 s left");
  EXPECT_EQ(FormatProgress("graph", {5, 1000, 1000}),
            "graph, 5 s, 1,000 of 1,000 done (100 %)");
  // More than was announced.
  EXPECT_EQ(FormatProgress("graph", {5, 1010, 1000}),
            "graph, 5 s, 1,010 of 1,000 done (100 %)");
}

TEST(FormatProgressTest, AShareWithoutACount) {
  EXPECT_EQ(FormatProgress("read", {5, -1, -1, 0.2}),
            "read, 5 s, 20 % done, about 20 s left");
  EXPECT_EQ(FormatProgress("read", {5, -1, -1, 0}), "read, 5 s, 0 % done");
  EXPECT_EQ(FormatProgress("read", {5, -1, -1, 1}), "read, 5 s, 100 % done");
  EXPECT_EQ(FormatProgress("read", {5, 70, -1, 0.5}),
            "read, 5 s, 70 done (50 %), about 5 s left");
  // Of a phase of 5 s, the last 2 s were for this work.
  EXPECT_EQ(FormatProgress("read", {5, -1, -1, 0.2, "", 2}),
            "read, 5 s, 20 % done, about 8 s left");
}

TEST(FormatProgressTest, LongTimesLeft) {
  const auto left = [](double seconds) {
    const std::string text = FormatProgress("p", {seconds, 1, 2});
    return text.substr(text.find("%)") + 4);
  };
  EXPECT_EQ(left(59.4), "about 59 s left");
  EXPECT_EQ(left(59.6), "about 1 min left");
  EXPECT_EQ(left(89), "about 1 min left");
  EXPECT_EQ(left(91), "about 2 min left");
  EXPECT_EQ(left(59.6 * 60), "about 1 h 0 min left");
  EXPECT_EQ(left(200 * 60), "about 3 h 20 min left");
  EXPECT_EQ(left(1e4 * 60), "about 166 h 40 min left");
  EXPECT_EQ(left(1e15), "more than a year left");
}

TEST(ProgressTest, PrintsThePhaseAndTheCount) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Progress progress("tool", true, file, std::chrono::milliseconds(5));
    progress.SetPhase("graph");
    progress.SetCount(12345);
    // Waits for a line rather than for a time.
    for (int i = 0; i < 2000 && std::ftell(file) <= 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  EXPECT_TRUE(absl::StartsWith(Contents(file), "tool: graph, 0 s, 12,345 done"))
      << Contents(file);
  std::fclose(file);
}

TEST(ProgressTest, PrintsTheShare) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  std::atomic<int> calls{0};
  {
    Progress progress("tool", true, file, std::chrono::milliseconds(1));
    progress.SetPhase("read");
    progress.SetShare([&calls] {
      ++calls;
      return 0.5;
    });
    while (calls < 2) std::this_thread::yield();
    progress.SetPhase("write");
    const int after_the_phase = calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(calls, after_the_phase);
  }
  EXPECT_TRUE(absl::StrContains(Contents(file),
                                "tool: read, 0 s, 50 % done, about 0 s left\n"))
      << Contents(file);
  std::fclose(file);
}

TEST(ProgressTest, PrintsTheShareOfTheWork) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Progress progress("tool", true, file, std::chrono::milliseconds(1));
    progress.SetPhase("read");
    progress.work()->Begin(4);
    progress.work()->Add(3);
    // More than a line that was begun before.
    for (int i = 0; i < 2000 && std::ftell(file) < 200; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    progress.work()->End();
  }
  EXPECT_TRUE(absl::StrContains(Contents(file),
                                "tool: read, 0 s, 75 % done, about 0 s left\n"))
      << Contents(file);
  std::fclose(file);
}

TEST(ProgressTest, PrintsTheStatusUntilItEnds) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  std::atomic<int> calls{0};
  {
    Progress progress("tool", true, file, std::chrono::milliseconds(1));
    progress.SetPhase("search");
    progress.SetStatus([&calls] { return absl::StrCat("call ", ++calls); });
    while (calls < 2) std::this_thread::yield();
    progress.SetStatus(nullptr);
    const int after_the_end = calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(calls, after_the_end);
    progress.SetStatus([&calls] { return absl::StrCat("call ", ++calls); });
    progress.SetPhase("write");
    const int after_the_phase = calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(calls, after_the_phase);
  }
  EXPECT_TRUE(absl::StartsWith(Contents(file), "tool: search, 0 s, call 1\n"))
      << Contents(file);
  std::fclose(file);
}

TEST(ProgressTest, PrintsLinesEvenIfDisabled) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  Progress progress("tool", false, file);
  progress.PrintLine("a line");
  progress.PrintLine("another");
  EXPECT_EQ(Contents(file), "a line\nanother\n");
  std::fclose(file);
}

// On a terminal the line is overwritten, and erased before another line.
TEST(ProgressTest, ErasesTheLineOnATerminal) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no terminals here";
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  std::FILE* file = std::fopen(ptsname(terminal), "w");
  if (file == nullptr) GTEST_SKIP() << "no terminals here";
  std::string text(4096, '\0');
  {
    Progress progress("tool", true, file, std::chrono::milliseconds(5));
    progress.SetPhase("search");
    // Waits for the first line.
    size_t length = 0;
    while (length < 20) {
      const ssize_t count =
          read(terminal, text.data() + length, text.size() - length);
      ASSERT_GT(count, 0);
      length += static_cast<size_t>(count);
    }
    text.resize(length);
    EXPECT_TRUE(absl::StartsWith(text, "\r\x1b[Ktool: search, 0 s")) << text;
    progress.PrintLine("a line");
    progress.Stop();
  }
  std::string rest(4096, '\0');
  const ssize_t count = read(terminal, rest.data(), rest.size());
  ASSERT_GT(count, 0);
  rest.resize(static_cast<size_t>(count));
  EXPECT_TRUE(absl::StrContains(rest, "\r\x1b[Ka line\r\n")) << rest;
  std::fclose(file);
  close(terminal);
}

TEST(ProgressTest, SilentIfDisabledOrShort) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Progress disabled("tool", false, file, std::chrono::milliseconds(1));
    disabled.SetPhase("graph");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    Progress brief("tool", true, file);
    brief.SetPhase("graph");
  }
  EXPECT_EQ(Contents(file), "");
  std::fclose(file);
}

}  // namespace
}  // namespace warpclust
