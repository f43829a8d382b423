// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/id_map.h"

#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(IdMapTest, NumbersByFirstAppearance) {
  IdMap ids;
  EXPECT_EQ(ids.Find("7"), -1);
  EXPECT_EQ(ids.Add("7"), 0);
  EXPECT_EQ(ids.Add("b"), 1);
  EXPECT_EQ(ids.Add("07"), 2);
  EXPECT_EQ(ids.Add("7"), 0);
  EXPECT_EQ(ids.Add("16777215"), 3);
  EXPECT_EQ(ids.Add("16777216"), 4);
  EXPECT_EQ(ids.Add("123456789012345678901"), 5);
  EXPECT_EQ(ids.Add("-7"), 6);
  EXPECT_EQ(ids.Add(""), 7);
  EXPECT_EQ(ids.Add("0"), 8);
  EXPECT_EQ(ids.Find("16777216"), 4);
  EXPECT_EQ(ids.Find("8"), -1);
  EXPECT_EQ(ids.size(), 9);
  EXPECT_EQ(ids.name(2), "07");
  EXPECT_EQ(ids.TakeNames().size(), 9);
  EXPECT_EQ(ids.Find("7"), -1);
  EXPECT_EQ(ids.Add("b"), 0);
}

TEST(IdMapTest, MatchesAMap) {
  std::mt19937 random(1);
  IdMap ids;
  std::map<std::string, int32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const uint32_t value = random() >> (random() % 32);
    const std::string name =
        random() % 4 == 0 ? absl::StrCat("0", value) : absl::StrCat(value);
    const int32_t next = static_cast<int32_t>(expected.size());
    EXPECT_EQ(ids.Add(name), expected.emplace(name, next).first->second);
  }
  for (const auto& [name, id] : expected) {
    EXPECT_EQ(ids.Find(name), id);
    EXPECT_EQ(ids.name(id), name);
  }
}

TEST(IdMapTest, ForOthers) {
  IdMap ids;
  EXPECT_EQ(ids.Add("7"), 0);
  EXPECT_EQ(ids.Add("b"), 1);
  IdMap::Others others = ids.ForOthers();
  EXPECT_EQ(others.Add("7"), 0);
  EXPECT_EQ(others.Add("b"), ~0);  // Only numbers are looked up.
  EXPECT_EQ(others.Add("8"), ~1);
  EXPECT_EQ(others.Add("16777215"), ~2);
  EXPECT_EQ(others.Add("8"), ~1);
  EXPECT_EQ(ids.Add("8"), 2);
  EXPECT_EQ(others.Add("8"), 2);
  EXPECT_EQ(others.Add("16777215"), ~2);
  EXPECT_EQ(others.Add("x"), ~3);
  EXPECT_EQ(others.Add("b"), ~0);
  EXPECT_EQ(others.size(), 4);
  IdMap::Others more = ids.ForOthers();
  EXPECT_EQ(more.Add("8"), 2);
  EXPECT_EQ(ids.Find("7"), 0);
  EXPECT_EQ(ids.Find("9"), -1);
  EXPECT_EQ(ids.FindOf(others, 0), 1);
  EXPECT_EQ(ids.FindOf(others, 2), -1);
  others.KeepOnlyNames();
  EXPECT_EQ(ids.AddOf(others, 0), 1);
  EXPECT_EQ(ids.AddOf(others, 1), 2);
  EXPECT_EQ(ids.AddOf(others, 2), 3);
  EXPECT_EQ(ids.AddOf(others, 3), 4);
  EXPECT_EQ(ids.FindOf(others, 3), 4);
  EXPECT_EQ(more.Add("16777215"), 3);
  EXPECT_EQ(ids.Add("c"), 5);
  EXPECT_EQ(ids.size(), 6);
  EXPECT_EQ(ids.TakeNames(),
            (std::vector<std::string>{"7", "b", "8", "16777215", "x", "c"}));
}

TEST(IdMapTest, OthersLookUpWhileNamesAreAdded) {
  constexpr int kNames = 300'000;
  IdMap ids;
  IdMap::Others others = ids.ForOthers();
  std::thread adding([&ids] {
    for (int i = 0; i < kNames; ++i) ids.Add(absl::StrCat(i));
  });
  std::mt19937 random(3);
  std::map<int, int> own;
  for (int i = 0; i < kNames; ++i) {
    const int number = static_cast<int>(random() % kNames);
    const int32_t id = others.Add(absl::StrCat(number));
    if (id >= 0) {
      EXPECT_EQ(id, number);
    } else {
      const auto [kept, is_new] = own.emplace(~id, number);
      EXPECT_EQ(kept->second, number);
    }
  }
  adding.join();
  EXPECT_EQ(others.Add("17"), 17);
}

}  // namespace
}  // namespace warpclust
