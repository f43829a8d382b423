// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/id_map.h"

#include <map>
#include <random>

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

}  // namespace
}  // namespace warpclust
