// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/utf8.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(Utf8Test, EveryCodePointRoundTrips) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    AppendUtf8(c, &text);
    const Utf8CodePoint point = DecodeUtf8(text);
    ASSERT_TRUE(point.valid) << static_cast<uint32_t>(c);
    ASSERT_EQ(point.value, c);
    ASSERT_EQ(point.length, static_cast<int32_t>(text.size()));
    ASSERT_TRUE(IsValidUtf8(text));
  }
}

TEST(Utf8Test, SurrogatesAndLargeValuesBecomeReplacement) {
  for (char32_t c : {0xD800, 0xDFFF, 0x110000}) {
    std::string text;
    AppendUtf8(c, &text);
    EXPECT_EQ(text, "\xEF\xBF\xBD");
  }
}

TEST(Utf8Test, RepairReplacesMaximalIllFormedParts) {
  const struct {
    std::string before, after;
  } cases[] = {
      {"", ""},
      {"plain text, longer than eight", "plain text, longer than eight"},
      {"caf\xC3\xA9", "caf\xC3\xA9"},
      {"a\x80z", "a\xEF\xBF\xBDz"},
      // Overlong "/", two parts.
      {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
      // A surrogate: the lead alone, then two stray continuations.
      {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      // A truncated sequence is one part.
      {"x\xF0\x9F\x98", "x\xEF\xBF\xBD"},
      {"\xE2\x82 1", "\xEF\xBF\xBD 1"},
      {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xFF", "\xEF\xBF\xBD"},
  };
  for (const auto& c : cases) {
    std::string text = c.before;
    EXPECT_EQ(IsValidUtf8(text), c.before == c.after);
    RepairUtf8(&text);
    EXPECT_EQ(text, c.after);
  }
}

TEST(Utf8Test, RepairedRandomBytesAreValid) {
  constexpr unsigned kSeed = 1;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 12, '\0');
    for (char& byte : text) {
      // Mostly bytes that start or continue a sequence.
      byte = static_cast<char>(random() % 3 == 0 ? random() % 256
                                                 : 0x80 + random() % 128);
    }
    std::string repaired = text;
    RepairUtf8(&repaired);
    ASSERT_TRUE(IsValidUtf8(repaired)) << "seed " << kSeed;
    if (IsValidUtf8(text)) {
      ASSERT_EQ(repaired, text);
    }
  }
}

TEST(Utf8Test, ControlCharacters) {
  for (int c = 0; c < 256; ++c) {
    const std::string text = {'a', static_cast<char>(c), 'b'};
    EXPECT_EQ(HasControlCharacter(text), c < 32 || c == 127) << c;
  }
  EXPECT_FALSE(HasControlCharacter(""));
}

}  // namespace
}  // namespace warpclust
