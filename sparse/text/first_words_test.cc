// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/first_words.h"

#include <string>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(FirstWordsTest, OnOneLine) {
  EXPECT_EQ(FirstWords(""), "");
  EXPECT_EQ(FirstWords(" \t\n"), "");
  EXPECT_EQ(FirstWords("  Dams \r\n\x01 and\u2028the\u2029\u0085river \x7F"),
            "Dams and the river");
  // Other characters stay: markup, quotes, marks of direction.
  EXPECT_EQ(FirstWords("<script>\"a\" & 'b'</script> \u202Ecba\u200F"),
            "<script>\"a\" & 'b'</script> \u202Ecba\u200F");
}

TEST(FirstWordsTest, OfALongText) {
  EXPECT_EQ(FirstWords("one two three", 13), "one two three");
  EXPECT_EQ(FirstWords("one two three", 12), "one two\u2026");
  EXPECT_EQ(FirstWords("one two three", 7), "one two\u2026");
  EXPECT_EQ(FirstWords("one two three", 2), "on\u2026");
  EXPECT_EQ(FirstWords("one two  ", 7), "one two");
  // No character is cut.
  EXPECT_EQ(FirstWords("\u00e9t\u00e9s", 4), "\u00e9t\u2026");
  EXPECT_EQ(FirstWords("\U0001F600\U0001F600", 7), "\U0001F600\u2026");
}

TEST(FirstWordsTest, TitlesOfDocuments) {
  EXPECT_EQ(DocumentTitle("A\ntitle", "Text"), "A title");
  EXPECT_EQ(DocumentTitle(" ", "Text\nof it"), "Text of it");
  EXPECT_EQ(DocumentTitle("", ""), "");
  EXPECT_EQ(DocumentTitle(std::string(300, 'x'), "").size(), 203u);
}

}  // namespace
}  // namespace warpclust
