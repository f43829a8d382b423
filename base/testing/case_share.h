// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CaseShare: fewer test cases under tools that make a GPU a hundred times
// slower, such as compute-sanitizer. With WARPCLUST_TEST_SHARE=N in the
// environment, each loop that asks tests one of N cases, and data whose size is
// the test is an N-th as large. `run sanitizer` of the GPU archive sets it.

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

// Call it once per case of the current test: true for the first case and each
// N-th after it. A prime N takes all values of nested loops in turn.
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

// `size` divided by N, but at least `least`, with which the test still covers
// its subject.
inline int64_t ShareOf(int64_t size, int64_t least) {
  return std::max(std::min(size, least), size / CaseShare());
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_CASE_SHARE_H_
