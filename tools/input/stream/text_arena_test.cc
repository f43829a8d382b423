// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/text_arena.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::vector<std::string> Texts(int count, char first) {
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    // Empty ones, and some longer than a piece.
    texts.emplace_back(i % 50 == 49 ? 100000 : i % 7, first + i % 20);
  }
  return texts;
}

std::vector<absl::string_view> AddAll(const std::vector<std::string>& texts,
                                      TextArena* arena) {
  std::vector<absl::string_view> views;
  for (const std::string& text : texts) views.push_back(arena->Add(text));
  return views;
}

TEST(TextArenaTest, ViewsStayWhenArenasMoveAndJoin) {
  const std::vector<std::string> texts = Texts(200, 'a');
  const std::vector<std::string> others = Texts(100, 'A');
  TextArena arena;
  arena.Reserve(1000);
  const std::vector<absl::string_view> views = AddAll(texts, &arena);
  TextArena other;
  const std::vector<absl::string_view> other_views = AddAll(others, &other);
  TextArena moved = std::move(arena);
  moved.Append(std::move(other));
  const std::vector<absl::string_view> later = AddAll(texts, &moved);
  EXPECT_TRUE(std::equal(texts.begin(), texts.end(), views.begin()));
  EXPECT_TRUE(std::equal(others.begin(), others.end(), other_views.begin()));
  EXPECT_TRUE(std::equal(texts.begin(), texts.end(), later.begin()));
}

}  // namespace
}  // namespace warpclust
