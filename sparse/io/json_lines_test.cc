// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/json_lines.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Strings = std::vector<std::string>;

absl::StatusOr<TextDocuments> Read(std::string content,
                                   const JsonLinesOptions& options = {}) {
  LineReader lines = LineReader::FromString(std::move(content), "d.jsonl");
  return ReadJsonLines(lines, options);
}

TEST(JsonLinesTest, FieldsAndDefaults) {
  const absl::StatusOr<TextDocuments> read = Read(
      "{\"text\":\"one\",\"id\":\"a\",\"labels\":[\"x\",\"y\",\"x\",3]}\n"
      "  \n"
      "{\"text\":\"two\"}\r\n"
      "{\"label\":\"z\",\"skip\":{\"text\":[1,{\"id\":\"no\"}]},\"id\":42,"
      "\"text\":\"th\\u00e9\\n\"}\n"
      "{\"id\":null,\"labels\":null,\"text\":\"\",\"label\":null}");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->texts, Strings({"one", "two", "th\xC3\xA9\n", ""}));
  EXPECT_EQ(read->ids, Strings({"a", "1", "42", "3"}));
  EXPECT_EQ(read->labels,
            (std::vector<Strings>{{"x", "y", "3"}, {}, {"z"}, {}}));
}

TEST(JsonLinesTest, Titles) {
  const std::string content =
      "{\"text\":\"one\",\"title\":\"<script>\\u2028\"}\n"
      "{\"text\":\"two\",\"title\":7}\n"
      "{\"text\":\"three\",\"title\":null}\n"
      "{\"title\":\"\",\"text\":\"four\"}\n"
      "{\"title\":\"a\",\"title\":\"b\",\"text\":\"five\"}\n";
  EXPECT_TRUE(Read(content)->titles.empty());
  JsonLinesOptions options;
  options.read_title = true;
  EXPECT_EQ(Read(content, options)->titles,
            Strings({"<script>\u2028", "", "", "", "b"}));
  // The text may be in that field.
  options.text_field = "title";
  EXPECT_EQ(Read("{\"title\":\"a\",\"text\":\"b\"}", options)->texts,
            Strings({"a"}));
  EXPECT_EQ(Read("{\"title\":\"a\",\"text\":\"b\"}", options)->titles,
            Strings({""}));
}

TEST(JsonLinesTest, ArraysOfObjects) {
  for (const std::string array :
       {"[{\"id\":\"a\",\"text\":\"}{\\\"[\"},{\"text\":\"two\"}]",
        "\n [\n  {\n    \"id\": \"a\",\n    \"text\": \"}{\\\"[\"\n  },\n"
        "  {\"x\":{\"y\":[{}]},\n\"text\":\"two\"}\n]\n \n",
        "[{\"id\":\"a\",\"text\":\"}{\\\"[\"}\n,{\"text\":\"two\"\r\n}\n]"}) {
    const absl::StatusOr<TextDocuments> read = Read(array);
    ASSERT_TRUE(read.ok()) << array << read.status();
    EXPECT_EQ(read->ids, Strings({"a", "1"}));
    EXPECT_EQ(read->texts, Strings({"}{\"[", "two"}));
  }
  EXPECT_TRUE(Read("[]")->texts.empty());
  EXPECT_TRUE(Read("\n[\n]\n")->texts.empty());
}

TEST(JsonLinesTest, ErrorsInArraysNameLineAndColumn) {
  const struct {
    const char *array, *message;
  } cases[] = {
      {"[{\"text\":\"a\"},\n {\"text\": 5}]",
       "2: expected a string as text at column 11, found '5}'"},
      {"[{\"text\":\"a\"}, {\"text\":5}]",
       "1: expected a string as text at column 24, found '5}'"},
      {"[\n{\n\"text\":\n \"a\" \"b\"\n}\n]",
       "4: expected ',' or '}' at column 6, found '\"b\"'"},
      {"[\n\n{\n\"id\":1}]", "3: expected a field \"text\", found '{'"},
      {"[{\"text\":\"a\"}\n{\"text\":\"b\"}]",
       "2: expected ',' or ']' at column 1, found '{\"text\":\"b\"}]'"},
      {"[{\"text\":\"a\"},\n]",
       "2: expected a JSON object at column 1, found ']'"},
      {"[1]", "1: expected a JSON object at column 2, found '1]'"},
      {"[[]]", "1: expected a JSON object at column 2, found '[]]'"},
      {"[]\n{}",
       "2: expected the end of the input, after a JSON array, at column 1, "
       "found '{}'"},
      {"[{\"text\":\"a\"}\n\n",
       "2: expected ']' at the end of a JSON array, found nothing"},
      {"[\n{\"text\":\"a\",\n{\"text\":\"b\"}]",
       "3: expected a key at column 1, found '{\"text\":\"b\"}]'"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Read(c.array).status().message(),
              absl::StrCat("d.jsonl:", c.message));
  }
}

TEST(JsonLinesTest, OtherNamesOfFields) {
  JsonLinesOptions options;
  options.text_field = "body";
  options.id_field = "key";
  options.time_field = "when";
  options.read_time = true;
  options.keep_line = true;
  const absl::StatusOr<TextDocuments> read =
      Read("{\"key\":\"a\",\"text\":1,\"body\":\"one\",\"id\":[]}", options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, Strings({"a"}));
  EXPECT_EQ(read->texts, Strings({"one"}));
  EXPECT_EQ(Read("{\"text\":\"a\"}", options).status().message(),
            "d.jsonl:1: expected a field \"body\", found '{\"text\":\"a\"}'");

  // The line that is kept has the default names and the same values.
  LineReader lines = LineReader::FromString("", "stream");
  JsonDocument document;
  ASSERT_TRUE(*ParseJsonDocument(
      lines,
      "{\"when\" : 253402300800 , \"body\":\"\\u00e9\\n\",\"time\":{},"
      "\"key\":7}",
      options, &document));
  EXPECT_EQ(document.line,
            "{\"time\":253402300800,\"text\":\"\\u00e9\\n\",\"id\":7}");
}

TEST(JsonLinesTest, BadLinesAreSkipped) {
  std::string content = "{\"text\":\"a\"}\n{\"text\":\"b\"\n{\"text\":\"c\"}\n";
  SkippedLines skipped;
  LineReader lines = LineReader::FromString(content, "d.jsonl");
  absl::StatusOr<TextDocuments> read = ReadJsonLines(lines, {}, &skipped);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->texts, Strings({"a", "c"}));
  EXPECT_EQ(read->ids, Strings({"0", "1"}));
  EXPECT_EQ(skipped.count, 1);
  EXPECT_EQ(skipped.lines, std::vector<int64_t>({2}));
  EXPECT_EQ(skipped.first_error,
            "d.jsonl:2: expected ',' or '}' at column 12, found nothing");

  // Of an array: objects. Twelve bad ones, of which ten are listed.
  content = "[{\"text\":\"a\"}";
  for (int i = 0; i < 12; ++i) content += ",\n{}";
  skipped = SkippedLines();
  lines = LineReader::FromString(content + "]", "d.json");
  read = ReadJsonLines(lines, {}, &skipped);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->texts, Strings({"a"}));
  EXPECT_EQ(skipped.count, 12);
  EXPECT_EQ(skipped.lines,
            std::vector<int64_t>({2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  // What is no object ends it.
  lines = LineReader::FromString(content + ",1]", "d.json");
  EXPECT_FALSE(ReadJsonLines(lines, {}, &skipped).ok());
}

TEST(JsonLinesTest, EmptyFileIsNoDocuments) {
  ASSERT_TRUE(Read("").ok());
  EXPECT_TRUE(Read("\n \n")->texts.empty());
}

TEST(JsonLinesTest, InvalidJsonOnLine17) {
  std::string content;
  for (int i = 1; i <= 20; ++i) {
    absl::StrAppend(&content, i == 17 ? "{\"text\": \"t\" \"id\": 17}\n"
                                      : "{\"text\": \"t\"}\n");
  }
  const absl::Status status = Read(content).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "d.jsonl:17: expected ',' or '}' at column 14, found "
            "'\"id\": 17}'");
}

TEST(JsonLinesTest, Errors) {
  const struct {
    const char *line, *message;
  } cases[] = {
      {"[]", "a JSON object at column 1, found '[]'"},
      {"{\"id\":1}", "a field \"text\", found '{\"id\":1}'"},
      {"{\"text\":null}", "a field \"text\", found '{\"text\":null}'"},
      {"{\"text\":5}", "a string as text at column 9, found '5}'"},
      {"{\"text\":\"a\",\"id\":1.5}",
       "a string or an integer as id at column 18, found '1.5}'"},
      {"{\"text\":\"a\",\"id\":[1]}",
       "a string or an integer as id at column 18, found '[1]}'"},
      {"{\"text\":\"a\",\"id\":\"\"}",
       "a non-empty id without control characters, found nothing"},
      {"{\"text\":\"a\",\"id\":\"a\\tb\"}",
       "a non-empty id without control characters, found 'a\\tb'"},
      {"{\"text\":\"a\",\"labels\":\"x\"}",
       "an array of labels at column 22, found '\"x\"}'"},
      {"{\"text\":\"a\",\"labels\":[[]]}",
       "a string or a number as label at column 23, found '[]]}'"},
      {"{\"text\":\"a\",\"label\":true}",
       "a string or a number as label at column 21, found 'true}'"},
      {"{\"text\":\"a\",\"text\":\"b\"}",
       "only one field \"text\" at column 20, found '\"b\"}'"},
      {"{\"text\":\"a\"", "',' or '}' at column 12, found nothing"},
      {"{\"text\":\"a\"}}", "the end of the line at column 13, found '}'"},
      {"{\"text\":\"a\",\"x\":nan}", "a JSON value at column 17, found 'nan}'"},
      {"{\"text\":\"a\",\"id\":\"first\"}",
       "an id different from that of line 1, found 'first'"},
  };
  for (const auto& c : cases) {
    const absl::Status status =
        Read(
            absl::StrCat("{\"text\":\"t\",\"id\":\"first\"}\n\n", c.line, "\n"))
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.line;
    EXPECT_EQ(status.message(),
              absl::StrCat("d.jsonl:3: expected ", c.message));
  }
}

TEST(JsonLinesTest, DefaultAndIntegerIdsAreIdsToo) {
  EXPECT_EQ(
      Read("{\"text\":\"a\",\"id\":\"1\"}\n{\"text\":\"b\"}\n")
          .status()
          .message(),
      "d.jsonl:2: expected an id different from that of line 1, found '1'");
  EXPECT_EQ(
      Read("{\"text\":\"a\",\"id\":\"7\"}\n{\"text\":\"b\",\"id\":7}\n")
          .status()
          .message(),
      "d.jsonl:2: expected an id different from that of line 1, found '7'");
}

TEST(JsonLinesTest, ManyLabelsOfADocumentCostNoMoreThanSortingThem) {
  // Comparing each with all before it would take minutes.
  constexpr int kLabels = 400000;
  std::string line = "{\"text\":\"a\",\"label\":\"z\",\"labels\":[\"b\",\"z\"";
  Strings expected = {"z", "b"};
  for (int i = 0; i < kLabels; ++i) {
    const std::string label = absl::StrCat(int64_t{i} * 7919 % kLabels);
    absl::StrAppend(&line, ",", label, ",\"", label, "\"");
    expected.push_back(label);
  }
  const absl::StatusOr<TextDocuments> read = Read(line + ",\"b\"]}\n");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->labels[0] == expected);
}

TEST(JsonLinesTest, TextMayBeOptional) {
  JsonLinesOptions options;
  options.text_required = false;
  const absl::StatusOr<TextDocuments> read =
      Read("{\"id\":\"a\",\"labels\":[\"e\"]}\n", options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->texts, Strings({""}));
  EXPECT_EQ(read->labels[0], Strings({"e"}));
}

TEST(JsonLinesTest, IllFormedUtf8IsReplaced) {
  const absl::StatusOr<TextDocuments> read =
      Read("{\"text\":\"a\xFF\",\"id\":\"\\ud800\"}\n");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->texts[0], "a\xEF\xBF\xBD");
  EXPECT_EQ(read->ids[0], "\xEF\xBF\xBD");
}

TEST(JsonLinesTest, Times) {
  const auto time_of = [](absl::string_view value, bool read_time = true) {
    JsonLinesOptions options;
    options.read_time = read_time;
    LineReader lines = LineReader::FromString(
        absl::StrCat("{\"text\":\"t\",\"time\":", value, "}"), "d.jsonl");
    absl::string_view line;
    EXPECT_TRUE(lines.Next(&line));
    JsonDocument document;
    document.time = 7;
    const absl::StatusOr<bool> parsed =
        ParseJsonDocument(lines, line, options, &document);
    if (!parsed.ok()) return std::string(parsed.status().message());
    return document.time.has_value() ? absl::StrCat(*document.time) : "none";
  };
  EXPECT_EQ(time_of("\"1970-01-02T00:00:01.5Z\""), "86401");
  EXPECT_EQ(time_of("\"1970-01-02\""), "86400");
  EXPECT_EQ(time_of("-12"), "-12");
  EXPECT_EQ(time_of("1152921504606846976"), "1152921504606846");
  EXPECT_EQ(time_of("253402300799"), "253402300799");
  EXPECT_EQ(time_of("1772368200999"), "1772368200");
  EXPECT_EQ(time_of("null"), "none");
  EXPECT_EQ(time_of("[\"whatever\"]", false), "none");
  constexpr absl::string_view kExpected =
      "d.jsonl:1: expected a time such as \"2026-03-01T12:30:00Z\", or whole "
      "seconds since 1970 at column 20, found '";
  for (absl::string_view wrong :
       {"\"soon\"", "\"\"", "1.5", "1e3", "1152921504606846977",
        "-1152921504606846977", "99999999999999999999", "true", "[]", "{}"}) {
    EXPECT_TRUE(absl::StartsWith(time_of(wrong), kExpected)) << time_of(wrong);
  }
}

TEST(JsonLinesTest, OneLineAtATime) {
  LineReader lines = LineReader::FromString("", "stream");
  JsonDocument document;
  document.text = "old";
  document.labels = {"old"};
  document.id = "old";
  EXPECT_TRUE(*ParseJsonDocument(lines, "{\"text\":\"new\"}", {}, &document));
  EXPECT_EQ(document.text, "new");
  EXPECT_FALSE(document.id.has_value());
  EXPECT_TRUE(document.labels.empty());
  EXPECT_FALSE(*ParseJsonDocument(lines, " \t", {}, &document));
}

}  // namespace
}  // namespace warpclust
