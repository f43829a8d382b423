// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_cursor.h"

#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

bool IsJson(absl::string_view text) {
  JsonCursor json(text);
  json.Skip();
  return json.End();
}

std::string Unescape(absl::string_view text) {
  JsonCursor json(text);
  std::string value;
  EXPECT_TRUE(json.String(&value) && json.End()) << text << json.expected();
  return value;
}

TEST(JsonCursorTest, Valid) {
  for (const char* text :
       {"{}", "[]", " [ ] ", "0", "-0", "-1.5e+10", "1E5", "0.0", "true",
        "false", "null", "\"\"", "{\"a\":1}", "{\"a\":{\"b\":[1,[2,{}],null]}}",
        " { \"a\" : [ 1 , 2 ] , \"b\" : \"x\" } ", "\"\\u0041\\n\\\\\\/\"",
        "{\"a\":1,\"a\":2}", "\"caf\xC3\xA9\x7F\""}) {
    EXPECT_TRUE(IsJson(text)) << text;
  }
}

TEST(JsonCursorTest, Invalid) {
  for (const char* text : {"",          " ",
                           "{",         "}",
                           "[",         "]",
                           "{]",        "[}",
                           "{,}",       "[,]",
                           "[1,]",      "{\"a\":1,}",
                           "{\"a\"}",   "{\"a\":}",
                           "{a:1}",     "{\"a\" 1}",
                           "{1:1}",     "{\"a\":1 \"b\":2}",
                           "[1 2]",     "01",
                           "-",         "+1",
                           ".5",        "1.",
                           "1e",        "1e+",
                           "0x1",       "NaN",
                           "nul",       "tru",
                           "True",      "\"",
                           "\"\\\"",    "\"\\x\"",
                           "\"\\u12\"", "\"\\u12G4\"",
                           "\"a\nb\"",  "\"a\tb\"",
                           "'a'",       "1 2",
                           "{} {}",     "// c",
                           "\"\\u\"",   "\"\\uD800\\u\""}) {
    EXPECT_FALSE(IsJson(text)) << text;
  }
  EXPECT_FALSE(IsJson(absl::string_view("\"a\0b\"", 5)));
  EXPECT_FALSE(IsJson(absl::string_view("\"a\\\0b\"", 6)));
}

TEST(JsonCursorTest, Strings) {
  EXPECT_EQ(Unescape("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(Unescape("\"\\u00e9\\u00E9\""), "\xC3\xA9\xC3\xA9");
  EXPECT_EQ(Unescape("\"\\u0000\""), std::string(1, '\0'));
  EXPECT_EQ(Unescape("\"\\ud83d\\ude00!\""), "\xF0\x9F\x98\x80!");
  // Lone surrogates: one U+FFFD each, and what follows stays.
  EXPECT_EQ(Unescape("\"\\ud83d\""), "\xEF\xBF\xBD");
  EXPECT_EQ(Unescape("\"\\ude00\\ud83dx\""), "\xEF\xBF\xBD\xEF\xBF\xBDx");
  EXPECT_EQ(Unescape("\"\\ud83d\\u0041\""),
            "\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(Unescape("\"\\ud83d\\ud83d\\ude00\""),
            "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  // Ill-formed UTF-8.
  EXPECT_EQ(Unescape("\"a\xFFz\""), "a\xEF\xBF\xBDz");
}

TEST(JsonCursorTest, NestingIsLimited) {
  EXPECT_TRUE(
      IsJson(absl::StrCat(std::string(256, '['), std::string(256, ']'))));
  const std::string text(100000, '[');
  JsonCursor json(text);
  EXPECT_FALSE(json.Skip());
  EXPECT_EQ(json.expected(), "at most 256 levels of nesting at column 257");
}

TEST(JsonCursorTest, WalksMembersAndElements) {
  JsonCursor json(" {\"a\": [1, \"x\", {\"y\": 2}], \"b\": -3.5} tail");
  std::string key, string;
  absl::string_view literal;
  ASSERT_TRUE(json.BeginObject());
  ASSERT_TRUE(json.NextMember(&key));
  EXPECT_EQ(key, "a");
  EXPECT_EQ(json.Peek(), JsonCursor::Kind::kArray);
  ASSERT_TRUE(json.BeginArray());
  ASSERT_TRUE(json.NextElement());
  ASSERT_TRUE(json.Literal(&literal));
  EXPECT_EQ(literal, "1");
  ASSERT_TRUE(json.NextElement());
  ASSERT_TRUE(json.String(&string));
  EXPECT_EQ(string, "x");
  ASSERT_TRUE(json.NextElement());
  ASSERT_TRUE(json.Skip());
  EXPECT_FALSE(json.NextElement());
  ASSERT_TRUE(json.ok());
  ASSERT_TRUE(json.NextMember(&key));
  EXPECT_EQ(key, "b");
  ASSERT_TRUE(json.Literal(&literal));
  EXPECT_EQ(literal, "-3.5");
  EXPECT_FALSE(json.NextMember(&key));
  ASSERT_TRUE(json.ok());
  EXPECT_FALSE(json.End());
  EXPECT_EQ(json.expected(), "the end of the line at column 39");
  EXPECT_EQ(json.found(), "tail");
}

TEST(JsonCursorTest, RandomBytesNeverBreakIt) {
  constexpr unsigned kSeed = 2;
  std::mt19937 random(kSeed);
  const std::string alphabet = "{}[]\",:\\u0dD8 1-.etrufalsn\n\x80\xFF";
  for (int round = 0; round < 100000; ++round) {
    std::string text(random() % 24, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    JsonCursor json(text);
    json.Skip();
    // Either all is well, or there is a message with a place in the text.
    if (!json.End()) {
      ASSERT_FALSE(json.expected().empty()) << text;
      ASSERT_LE(json.found().size(), text.size());
    }
  }
}

}  // namespace
}  // namespace warpclust
