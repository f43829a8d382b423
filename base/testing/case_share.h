// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests that would take hours under a tool that makes a GPU a hundred times
// slower, such as compute-sanitizer: with WARPCLUST_TEST_SHARE=N in the
// environment, one of N cases of each loop that asks is tested, and data that
// is large to be thorough is an N-th as large. The gpu archive's
// `run sanitizer` sets it; without it, every case is tested in full.

#ifndef WARPCLUST_BASE_TESTING_CASE_SHARE_H_
#define WARPCLUST_BASE_TESTING_CASE_SHARE_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "gtest/gtest.h"

namespace warpclust {

// N, at least 1.
inline int64_t CaseShare() {
  static const int64_t share = [] {
    int64_t n = 1;
    const char* text = std::getenv("WARPCLUST_TEST_SHARE");
    return text != nullptr && absl::SimpleAtoi(text, &n) && n > 0 ? n : 1;
  }();
  return share;
}

// To be called once for each case of the current test: true for the first and
// each N-th after it. A prime N meets all values of nested loops in turn.
inline bool TakesCase() {
  static const testing::TestInfo* test = nullptr;
  static int64_t cases = 0;
  const testing::TestInfo* current =
      testing::UnitTest::GetInstance()->current_test_info();
  if (current != test) {
    test = current;
    cases = 0;
  }
  return cases++ % CaseShare() == 0;
}

// `size`; with a share of N its N-th, but not less than `least`, with which the
// test still meets what it is for.
inline int64_t ShareOf(int64_t size, int64_t least) {
  return std::max(std::min(size, least), size / CaseShare());
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_CASE_SHARE_H_
