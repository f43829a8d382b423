// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/keep_where.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(KeepWhereTest, IsTheSameWithAnyThreads) {
  for (const int32_t count : {0, 1, 7, 1 << 14, 100'000}) {
    const auto keep = [](int32_t i) { return i % 7 == 3 || i % 1000 < 20; };
    std::vector<int32_t> expected;
    for (int32_t i = 0; i < count; ++i) {
      if (keep(i)) expected.push_back(i);
    }
    for (const int threads : {1, 2, 5}) {
      EXPECT_EQ(NumbersWhere(count, threads, keep), expected)
          << count << " numbers, " << threads << " threads";
      EXPECT_EQ(FewNumbersWhere(count, threads, keep), expected)
          << count << " numbers, " << threads << " threads";
    }
  }
}

TEST(KeepWhereTest, CollectsSeveralListsInOrder) {
  for (const int32_t count : {0, 1, 1 << 14, 100'000}) {
    std::vector<std::vector<int32_t>> expected(3);
    const auto collect = [](int32_t i, auto* lists) {
      (*lists)[i % 3].push_back(i);
      if (i % 10 == 0) (*lists)[1].push_back(-i);
    };
    for (int32_t i = 0; i < count; ++i) collect(i, &expected);
    for (const int threads : {1, 2, 5}) {
      EXPECT_EQ(CollectNumbers(count, 3, threads, collect), expected);
    }
  }
}

TEST(KeepWhereTest, KeepsTheOrderOfAList) {
  std::vector<int32_t> list;
  for (int32_t i = 0; i < 90'000; ++i) list.push_back(i * 31 % 1000);
  const auto keep = [](int32_t item) { return item % 3 != 0; };
  std::vector<int32_t> expected;
  for (const int32_t item : list) {
    if (keep(item)) expected.push_back(item);
  }
  KeepWhere(4, keep, &list);
  EXPECT_EQ(list, expected);
  KeepWhere(
      4, [](int32_t) { return false; }, &list);
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace warpclust
