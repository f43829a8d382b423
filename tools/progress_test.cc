// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/progress.h"

#include <atomic>
#include <chrono>
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
