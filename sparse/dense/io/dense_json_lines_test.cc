// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_json_lines.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

absl::StatusOr<DenseJsonDocuments> Read(std::string content,
                                        const DenseJsonOptions& options = {}) {
  LineReader lines = LineReader::FromString(std::move(content), "a.jsonl");
  return ReadDenseJsonLines(lines, options, /*num_threads=*/3);
}

void ExpectError(const std::string& content, const std::string& part) {
  const absl::StatusOr<DenseJsonDocuments> read = Read(content);
  EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(read.status().message(), part))
      << read.status();
}

TEST(DenseJsonLinesTest, Fields) {
  const std::string objects[] = {
      R"({"id": "a", "embedding": [1, -2.5, 1e-3], "text": "x"})",
      R"({"embedding": [0, 0.1, 3], "id": 7, "more": {"embedding": 1}})",
      R"({"embedding": [4, 5, 1e-60], "id": null})"};
  for (const std::string& content :
       {absl::StrCat(objects[0], "\n\n", objects[1], "\n", objects[2], "\n"),
        absl::StrCat("[", objects[0], ",\n", objects[1], ", ", objects[2],
                     "]\n")}) {
    const absl::StatusOr<DenseJsonDocuments> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->ids, (std::vector<std::string>{"a", "7", "2"}));
    EXPECT_EQ(read->documents.num_documents(), 3);
    EXPECT_EQ(std::vector<float>(read->documents.values.begin(),
                                 read->documents.values.end()),
              (std::vector<float>{1, -2.5f, 0.001f, 0, 0.1f, 3, 4, 5, 0}));
  }
  DenseJsonOptions options;
  options.vector_field = "v";
  options.id_field = "name";
  const absl::StatusOr<DenseJsonDocuments> read =
      Read(R"({"v": [2], "name": "n", "id": "a"})", options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, (std::vector<std::string>{"n"}));
}

TEST(DenseJsonLinesTest, Titles) {
  const std::string content =
      R"({"title": "<b>\nA", "embedding": [1], "text": "x"})"
      "\n"
      R"({"text": "first  words", "embedding": [2], "title": 3})"
      "\n"
      R"({"embedding": [3], "text": null})";
  EXPECT_TRUE(Read(content)->titles.empty());
  DenseJsonOptions options;
  options.read_titles = true;
  for (const std::string& lines :
       {content, "[" + absl::StrReplaceAll(content, {{"\n{", ",\n{"}}) + "]"}) {
    const absl::StatusOr<DenseJsonDocuments> read = Read(lines, options);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->titles,
              (std::vector<std::string>{"<b> A", "first words", ""}));
  }
  options.id_field = "title";
  EXPECT_EQ(
      Read(R"({"title": "a", "embedding": [1], "text": "b"})", options)->titles,
      (std::vector<std::string>{"b"}));
}

TEST(DenseJsonLinesTest, LinesAndDocumentsWithoutIds) {
  const std::string content =
      "\n{\"embedding\": [1]}\n\n"
      "{\"id\": \"0\", \"embedding\": [2]}\n"
      "{\"embedding\": [3]}";
  EXPECT_FALSE(Read(content).ok());  // "0" is also the number of the first.
  DenseJsonOptions options;
  options.number_documents = false;
  const absl::StatusOr<DenseJsonDocuments> read = Read(content, options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, (std::vector<std::string>{"", "0", ""}));
  EXPECT_EQ(read->lines, (std::vector<int64_t>{2, 4, 5}));
  EXPECT_FALSE(
      Read(content + "\n{\"id\": 0, \"embedding\": [4]}", options).ok());
}

TEST(DenseJsonLinesTest, NumbersAreRoundedOnce) {
  // Of random digits, and around the middles of neighboring floats.
  std::mt19937_64 random(7);
  std::vector<std::string> numbers = {
      "-0", "0.0", "1e-46", "7.006492321624085e-46", "1.1754943e-38",
      "3.4028235677973362e38",
      // Below the middle of the largest float and 2^128, but not as a double.
      "340282356779733661637539395458142568447.9999"};
  for (int i = 0; i < 20000; ++i) {
    std::string number = absl::StrCat(static_cast<int64_t>(random()) >> 8, "e",
                                      static_cast<int>(random() % 90) - 63);
    if (i % 2 == 0) {
      const float value =
          absl::bit_cast<float>(static_cast<uint32_t>(random()) & 0x7F7FFFFFu);
      const float next = std::nextafter(value, 1e30f);
      number = absl::StrFormat("%.60e", (double{value} + double{next}) / 2);
      if (i % 4 == 0) number[number.find('e') - 1] = '1';
    }
    float value = 0;
    absl::from_chars(number.data(), number.data() + number.size(), value);
    if (std::fabs(value) < std::numeric_limits<float>::max()) {
      numbers.push_back(number);
    }
  }
  const absl::StatusOr<DenseJsonDocuments> read =
      Read(absl::StrCat("{\"embedding\":[", absl::StrJoin(numbers, ","), "]}"));
  ASSERT_TRUE(read.ok()) << read.status();
  for (size_t i = 0; i < numbers.size(); ++i) {
    float value = 0;
    absl::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(),
                     value);
    ASSERT_EQ(absl::bit_cast<uint32_t>(value),
              absl::bit_cast<uint32_t>(read->documents.values[i]))
        << numbers[i];
  }
}

TEST(DenseJsonLinesTest, NoDocuments) {
  for (const std::string content : {"", "\n\n", "[]"}) {
    const absl::StatusOr<DenseJsonDocuments> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->documents.num_documents(), 0);
  }
}

TEST(DenseJsonLinesTest, ManyBlocks) {
  std::string content;
  for (int i = 0; i < 60000; ++i) {
    absl::StrAppend(&content, R"({"embedding": [)", i, ", ", i % 7, "]}\n");
  }
  const absl::StatusOr<DenseJsonDocuments> read = Read(content);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->documents.num_documents(), 60000);
  for (int i = 0; i < 60000; ++i) {
    ASSERT_EQ(read->documents.Row(i)[0], i);
    ASSERT_EQ(read->documents.Row(i)[1], i % 7);
  }
  EXPECT_EQ(read->ids[59999], "59999");
  ExpectError(content + R"({"embedding": [1]})", "a.jsonl:60001: expected");
  // All of the last block have another length.
  for (int i = 0; i < 60000; ++i) {
    absl::StrAppend(&content, R"({"embedding": [1, 2, 3]})", "\n");
  }
  ExpectError(content, "a.jsonl:60001: expected an array of 2 numbers");
}

TEST(DenseJsonLinesTest, OneDocument) {
  LineReader lines = LineReader::FromString("", "a.jsonl");
  DenseJsonOptions options;
  options.time_field = "time";
  const std::vector<float> row = {0.1f, -1e-30f, 3e38f, 0};
  std::string line;
  AppendDenseJson("\"x\"", 77, row, &line);
  EXPECT_EQ(line.substr(0, 41), R"({"id":"\"x\"","time":77,"embedding":[0.1,)");
  DenseJsonDocument document;
  absl::StatusOr<bool> parsed = ParseDenseJsonDocument(
      lines, JsonText{line, 1, 0}, options, 0, &document);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(*parsed);
  EXPECT_EQ(document.values, row);
  EXPECT_EQ(document.id, "\"x\"");
  ASSERT_TRUE(document.time.has_value());
  EXPECT_EQ(document.time->seconds, 77);

  line.clear();
  AppendDenseJson(absl::nullopt, absl::nullopt, row, &line);
  parsed = ParseDenseJsonDocument(lines, JsonText{line, 2, 0}, options, 4,
                                  &document);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_FALSE(document.id.has_value() || document.time.has_value());

  parsed =
      ParseDenseJsonDocument(lines, JsonText{" ", 3, 0}, options, 4, &document);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_FALSE(*parsed);
  for (const char* bad : {R"({"embedding":[1]})", R"({"time":5})",
                          R"({"embedding":[1,2,3,4],"time":"noon"})",
                          R"({"embedding":[1,2,3,4],"time":5,"time":5})"}) {
    const absl::Status status =
        ParseDenseJsonDocument(lines, JsonText{bad, 4, 0}, options, 4,
                               &document)
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_TRUE(absl::StrContains(status.message(), "a.jsonl:4: expected"))
        << status;
  }
}

TEST(DenseJsonLinesTest, Errors) {
  const std::string first = R"({"embedding": [1, 2]})"
                            "\n";
  ExpectError(first + "{}", "a.jsonl:2: expected a field \"embedding\"");
  ExpectError(first + R"({"embedding": null})", "a field \"embedding\"");
  ExpectError(first + R"({"embedding": [1]})",
              "a.jsonl:2: expected an array of 2 numbers, as in the first "
              "document, not of 1");
  ExpectError(R"([{"embedding": [1, 2]}, {"embedding": [1]}])",
              "a.jsonl:1: expected an array of 2 numbers");
  ExpectError(R"({"embedding": []})", "an array of numbers");
  ExpectError(R"({"embedding": "1 2"})", "an array of numbers");
  ExpectError(R"({"embedding": [1, "2"]})", "a number");
  ExpectError(R"({"embedding": [1, null]})", "a number");
  ExpectError(R"({"embedding": [NaN]})", "a number");
  ExpectError(R"({"embedding": [1e39]})", "a number that fits in float32");
  ExpectError(R"({"embedding": [1], "embedding": [2]})", "only one field");
  ExpectError(R"({"embedding": [1], "id": 1.5})", "as id");
  ExpectError(first + R"({"embedding": [1, 2], "id": "0"})", "a.jsonl:2");
  ExpectError(R"(["embedding"])", "a JSON object");
  ExpectError(R"({"embedding": [1, 2)", "a.jsonl:1: expected");
  ExpectError(R"([{"embedding": [1, 2]})", "']'");
}

}  // namespace
}  // namespace warpclust
