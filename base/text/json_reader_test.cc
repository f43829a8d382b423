// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_reader.h"

#include <cctype>
#include <iterator>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

absl::optional<JsonError> Skim(absl::string_view text) {
  return ReadJsonObject(
      text, [](absl::string_view, JsonValue& value) { return value.Skip(); });
}

std::string ErrorOf(absl::string_view text) {
  const absl::optional<JsonError> error = Skim(text);
  if (!error.has_value()) return "none";
  return absl::StrCat(error->line, ": ", error->expected, ", found ",
                      error->found);
}

// The string as key and as value.
std::string Unescape(absl::string_view string) {
  std::string value, key;
  EXPECT_FALSE(
      ReadJsonObject(absl::StrCat("{", string, ":1,\"a\":", string, "}"),
                     [&](absl::string_view name, JsonValue& v) {
                       if (v.kind() == JsonValue::Kind::kString)
                         return v.String(&value);
                       key = std::string(name);
                       return v.Skip();
                     })
          .has_value())
      << string;
  EXPECT_EQ(key, value);
  return value;
}

TEST(JsonReaderTest, Valid) {
  for (const char* value : {"{}",
                            "[]",
                            " [ ] ",
                            "0",
                            "-0",
                            "-1.5e+10",
                            "1E5",
                            "0.0",
                            "true",
                            "false",
                            "null",
                            "\"\"",
                            "{\"a\":1}",
                            "{\"a\":{\"b\":[1,[2,{}],null]}}",
                            " { \"a\" : [ 1 , 2 ] , \"b\" : \"x\" } ",
                            "\"\\u0041\\n\\\\\\/\"",
                            "{\"a\":1,\"a\":2}",
                            "\"caf\xC3\xA9\x7F\"",
                            "123456789012345678901234567890",
                            "1e308",
                            "1e-400",
                            "\"\xFF\""}) {
    EXPECT_EQ(ErrorOf(absl::StrCat("{\"x\":", value, "}")), "none") << value;
  }
}

TEST(JsonReaderTest, Invalid) {
  for (const char* value : {"",
                            " ",
                            "{",
                            "}",
                            "[",
                            "]",
                            "{]",
                            "[}",
                            "{,}",
                            "[,]",
                            "[1,]",
                            "{\"a\":1,}",
                            "{\"a\"}",
                            "{\"a\":}",
                            "{a:1}",
                            "{\"a\" 1}",
                            "{1:1}",
                            "[1 2]",
                            "01",
                            "-",
                            "+1",
                            ".5",
                            "1.",
                            "1e",
                            "1e+",
                            "0x1",
                            "NaN",
                            "nul",
                            "tru",
                            "True",
                            "\"",
                            "\"\\\"",
                            "\"\\x\"",
                            "\"\\u12\"",
                            "\"\\u12G4\"",
                            "\"a\nb\"",
                            "\"a\tb\"",
                            "'a'",
                            "1 2",
                            "{} {}",
                            "// c",
                            "\"\\u\"",
                            "1e400",
                            "-1e400",
                            "true false",
                            "\"a\"\"b\"",
                            "\"\\uD800\\u\"",
                            "{\"a\":1 \"b\":2}",
                            "[1}",
                            "{\"a\":[1}"}) {
    EXPECT_NE(ErrorOf(absl::StrCat("{\"x\":", value, "}")), "none") << value;
  }
  for (const absl::string_view text :
       {absl::string_view("{\"x\":\"a\0b\"}", 11),
        absl::string_view("{\"x\":\"a\\\0b\"}", 12),
        absl::string_view("{\"x\":1}\0", 8)}) {
    EXPECT_NE(ErrorOf(text), "none");
  }
}

TEST(JsonReaderTest, Errors) {
  const struct {
    const char *text, *error;
  } cases[] = {
      {"", "0: a JSON object at column 1, found "},
      {" []", "0: a JSON object at column 2, found []"},
      {"7", "0: a JSON object at column 1, found 7"},
      {"{\"a\":1", "0: ',' or '}' at column 7, found "},
      {"{\"a\":[1", "0: ',' or ']' at column 8, found "},
      {"{\"a\":{\"b\":1}", "0: ',' or '}' at column 13, found "},
      {"{\"a\":1} x", "0: the end of the line at column 9, found x"},
      {"{\"a\":1}}", "0: the end of the line at column 8, found }"},
      {"{\"a\":1,}", "0: a key at column 8, found }"},
      {"{,}", "0: a key or '}' at column 2, found ,}"},
      {"{\"a\" 1}", "0: ':' at column 6, found 1}"},
      {"{\"a\":\"b\" \"c\":1}", "0: ',' or '}' at column 10, found \"c\":1}"},
      {"{\"a\":{} \"c\":1}", "0: ',' or '}' at column 9, found \"c\":1}"},
      {"{\"a\":\n[1,\n2\n 3],\n\"b\":1}",
       "3: ',' or ']' at column 2, found 3],"},
      {"{\"a\":nan}", "0: a JSON value at column 6, found nan}"},
      {"{\"a\":01}",
       "0: a JSON number that fits in double at column 6, found 01}"},
      {"{\"a\":\"\\x\"}",
       "0: a string with JSON's escapes at column 6, found \"\\x\"}"},
      {"{\"a\":\"b}",
       "0: a string with '\"' at its end at column 6, found \"b}"},
      {"{\"a\\\"\":\"b\nc\"}",
       "0: an escaped control character at column 10, found "},
      {"{\"a\":\"b\\\x01\"}",
       "0: an escaped control character at column 9, found \x01\"}"},
      // Columns count the bytes of the text, not of its repaired form.
      {"{\"\xFF\xC3\xA9\xF0\x9F\":1,x}", "0: a key at column 12, found x}"},
      {"{\"\xFF\":[1", "0: ',' or ']' at column 8, found "},
      {"{\"\\ud800\":1,\xFF}", "0: a key at column 13, found \xFF}"},
  };
  for (const auto& c : cases) EXPECT_EQ(ErrorOf(c.text), c.error) << c.text;
  EXPECT_EQ(
      ReadJsonObject(
          "{x}\n", [](absl::string_view, JsonValue& v) { return v.Skip(); }, 10)
          ->expected,
      "a key or '}' at column 12");
}

TEST(JsonReaderTest, Strings) {
  EXPECT_EQ(Unescape("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(Unescape("\"\\u00e9\\u00E9\""), "\xC3\xA9\xC3\xA9");
  EXPECT_EQ(Unescape("\"\\u0000\""), std::string(1, '\0'));
  EXPECT_EQ(Unescape("\"\\ud83d\\ude00!\""), "\xF0\x9F\x98\x80!");
  // Lone surrogates: one U+FFFD each, and what follows stays.
  EXPECT_EQ(Unescape("\"\\ud83d\""), "\xEF\xBF\xBD");
  EXPECT_EQ(Unescape("\"\\uDE00\\ud83dx\""), "\xEF\xBF\xBD\xEF\xBF\xBDx");
  EXPECT_EQ(Unescape("\"\\ud83d\\u0041\""),
            "\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(Unescape("\"\\\\ud83d\\ud83d\\ud83d\\ude00\""),
            "\\ud83d\xEF\xBF\xBD\xF0\x9F\x98\x80");
  // Ill-formed UTF-8.
  EXPECT_EQ(Unescape("\"a\xFFz\""), "a\xEF\xBF\xBDz");
  EXPECT_EQ(Unescape("\"a\xE2\x82\\n\\udc00\""), "a\xEF\xBF\xBD\n\xEF\xBF\xBD");
}

TEST(JsonReaderTest, NestingIsLimited) {
  const auto nested = [](int depth) {
    return absl::StrCat("{\"a\":", std::string(depth, '['),
                        std::string(depth, ']'), "}");
  };
  EXPECT_EQ(ErrorOf(nested(256)), "none");
  EXPECT_EQ(ErrorOf(nested(100000)).substr(0, 49),
            "0: at most 256 levels of nesting at column 262, f");
}

TEST(JsonReaderTest, WalksMembersAndElements) {
  std::string seen;
  const absl::optional<JsonError> error = ReadJsonObject(
      " {\"a\\n\": [1, \"x\\t\", {\"y\": 2}], \"b\" : -3.50 , \"b\":null} tail",
      [&](absl::string_view key, JsonValue& value) {
        absl::StrAppend(&seen, key, "=");
        if (value.kind() == JsonValue::Kind::kNull) return value.Skip();
        if (value.kind() == JsonValue::Kind::kNumber) {
          double number;
          const bool taken = value.Number(&number);
          absl::StrAppend(&seen, number, "/", value.token());
          return taken;
        }
        return value.ForEachElement([&](JsonValue& element) {
          if (element.kind() == JsonValue::Kind::kObject) {
            return element.ForEachMember(
                [&](absl::string_view name, JsonValue& member) {
                  absl::StrAppend(&seen, name, ":", member.token(), ";");
                  return member.Skip();
                });
          }
          absl::StrAppend(&seen, element.token(), ",");
          return element.Skip();
        });
      });
  EXPECT_EQ(seen, "a\n=1,\"x\\t\",y:2;b=-3.5/-3.50b=");
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->expected, "the end of the line at column 56");
  EXPECT_EQ(error->found, "tail");
}

TEST(JsonReaderTest, TheFirstErrorCounts) {
  const auto wants_string = [](absl::string_view text) {
    return ReadJsonObject(text,
                          [](absl::string_view, JsonValue& value) {
                            return value.String(nullptr, "a name") ||
                                   value.Fail("later");
                          })
        ->expected;
  };
  EXPECT_EQ(wants_string("{\"a\":1}"), "a name at column 6");
  EXPECT_EQ(wants_string("{\"a\":\"\\x\"}"),
            "a string with JSON's escapes at column 6");
}

// The grammar of RFC 8259, read naively.
class Grammar {
 public:
  explicit Grammar(absl::string_view text) : rest_(text) {}

  bool IsObject() {
    Blanks();
    return Next() == '{' && Value() && rest_.empty();
  }

 private:
  char Next() const { return rest_.empty() ? '\0' : rest_[0]; }
  void Blanks() {
    while (Next() == ' ' || Next() == '\t' || Next() == '\r' || Next() == '\n')
      rest_.remove_prefix(1);
  }
  bool Take(absl::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool Digits() {
    const size_t before = rest_.size();
    while (Next() >= '0' && Next() <= '9') rest_.remove_prefix(1);
    return rest_.size() < before;
  }
  bool Number() {
    Take("-");
    if (!Take("0") && !Digits()) return false;
    if (Take(".") && !Digits()) return false;
    if (!Take("e") && !Take("E")) return true;
    if (!Take("+")) Take("-");
    return Digits();
  }
  bool String() {
    if (!Take("\"")) return false;
    bool closed = false;
    while (!rest_.empty() && !(closed = Take("\""))) {
      if (static_cast<unsigned char>(Next()) < 0x20) return false;
      if (!Take("\\")) {
        rest_.remove_prefix(1);
        continue;
      }
      if (rest_.empty() ||
          std::string("\"\\/bfnrtu").find(Next()) == std::string::npos) {
        return false;
      }
      const size_t digits = Next() == 'u' ? 4 : 0;
      rest_.remove_prefix(1);
      for (size_t i = 0; i < digits; ++i) {
        if (std::isxdigit(static_cast<unsigned char>(Next())) == 0)
          return false;
        rest_.remove_prefix(1);
      }
    }
    return closed;
  }
  // Of an object or array.
  bool Items(char end) {
    rest_.remove_prefix(1);
    Blanks();
    if (Next() == end) {
      rest_.remove_prefix(1);
      return true;
    }
    for (;;) {
      if (end == '}') {
        Blanks();
        if (!String()) return false;
        Blanks();
        if (!Take(":")) return false;
      }
      if (!Value()) return false;
      if (Next() == end) {
        rest_.remove_prefix(1);
        return true;
      }
      if (!Take(",")) return false;
    }
  }
  bool Value() {
    Blanks();
    bool valid;
    if (Next() == '{' || Next() == '[') {
      valid = Items(Next() == '{' ? '}' : ']');
    } else if (Next() == '"') {
      valid = String();
    } else {
      valid = Take("true") || Take("false") || Take("null") || Number();
    }
    Blanks();
    return valid;
  }

  absl::string_view rest_;
};

TEST(JsonReaderTest, RandomTextsAreJudgedByTheGrammar) {
  constexpr unsigned kSeed = 2;
  std::mt19937 random(kSeed);
  const std::string pieces[] = {
      "{",    "}",      "[",       "]",     "\"",   ",",     ":",      "\\",
      "u00",  "dD8",    " ",       "1",     "-",    ".5",    "e3",     "true",
      "null", "fals",   "\n",      "\x80",  "\xFF", "\"a\"", "0",      "\t",
      "{}",   "\"b\":", "\"b\":1", "\\ud8", "[1]",  ",1",    "\"\\n\""};
  int accepted = 0;
  for (int round = 0; round < 300000; ++round) {
    std::string text = round % 3 == 0 ? "" : "{\"a\":";
    for (unsigned n = random() % 12; n > 0; --n) {
      text += pieces[random() % std::size(pieces)];
    }
    if (round % 3 != 0) text += "}";
    const absl::optional<JsonError> error = Skim(text);
    ASSERT_EQ(!error.has_value(), Grammar(text).IsObject()) << text;
    accepted += !error.has_value();
    if (error.has_value()) {
      ASSERT_FALSE(error->expected.empty()) << text;
      ASSERT_NE(text.find(error->found), std::string::npos) << text;
    }
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace warpclust
