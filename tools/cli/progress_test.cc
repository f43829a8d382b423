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
