// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/letters.h"

#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::u32string Fold(std::u32string text) {
  for (char32_t& c : text) c = FoldCase(c);
  return text;
}

TEST(LettersTest, Letters) {
  for (char32_t c : std::u32string(U"azAZªµºÀÖØöøÿĀžΑωЯяԱאاक漢あ한ไ\u0301")) {
    EXPECT_TRUE(IsLetter(c)) << static_cast<uint32_t>(c);
  }
  for (char32_t c = U'\U00020000'; c < 0x20010; ++c) EXPECT_TRUE(IsLetter(c));
}

TEST(LettersTest, OthersAreNot) {
  for (char32_t c : std::u32string(
           U" \n09_-'@[`{\u0080\u00A0©«»×÷·…—“”‘’€™→■、。「」،؟०٣\u200B\uFEFF"
           U"\uFFFD\uFE0F\U0001F600\U0001F1E9")) {
    EXPECT_FALSE(IsLetter(c)) << static_cast<uint32_t>(c);
  }
  EXPECT_FALSE(IsLetter(0));
  EXPECT_FALSE(IsLetter(0x10FFFF));
}

TEST(LettersTest, LowerCase) {
  EXPECT_EQ(Fold(U"ABYZ ÀÉÎÖØÞ ĀĂŁŇŐŸŻŽ ẤỸ ＡＺ"),
            U"abyz àéîöøþ āăłňőÿżž ấỹ ａｚ");
  EXPECT_EQ(Fold(U"ΆΈΉΊΌΎΏ ΑΒΩΪΫ"), U"άέήίόύώ αβωϊϋ");
  EXPECT_EQ(Fold(U"ЀЁЂЏАЯ ѢҐӀӁӐԮ"), U"ѐёђџая ѣґӏӂӑԯ");
  EXPECT_EQ(Fold(U"ԱՖ"), U"աֆ");
  // One form per word.
  EXPECT_EQ(Fold(U"ΟΔΟΣ οδος"), U"οδοσ οδοσ");
  EXPECT_EQ(Fold(U"İıẞß"), U"iıßß");
  EXPECT_EQ(Fold(U"×÷ª漢1_"), U"×÷ª漢1_");
}

TEST(LettersTest, FoldingIsIdempotentAndKeepsLetters) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const char32_t folded = FoldCase(c);
    ASSERT_EQ(FoldCase(folded), folded) << static_cast<uint32_t>(c);
    ASSERT_EQ(IsLetter(folded), IsLetter(c)) << static_cast<uint32_t>(c);
  }
}

}  // namespace
}  // namespace warpclust
