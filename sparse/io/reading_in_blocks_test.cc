// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers that parse blocks of lines side by side, on inputs of several blocks,
// against the same formats read line by line.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/matrix_market.h"
#include "sparse/io/svmlight.h"
#include "sparse/io/text_lines.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {
namespace {

constexpr int kThreads[] = {1, 2, 7};

// About three blocks of lines made by `line(number, random)`; in some rounds
// with bad ones.
template <typename Line>
std::string Content(int round, Line line, absl::string_view bad) {
  std::mt19937_64 random(round);
  std::string content;
  for (int64_t i = 0; content.size() < 1'700'000; ++i) {
    absl::StrAppend(&content, line(i, random), "\n");
    if (random() % 5 == 0) content += "\n";
    if (round % 3 == 1 && random() % 20'000 == 0)
      absl::StrAppend(&content, bad);
  }
  return content;
}

std::string Words(int64_t most, std::mt19937_64& random) {
  std::string words;
  for (uint64_t n = random() % most; n > 0; --n) {
    absl::StrAppend(&words, "w", random() % 1000, " ");
  }
  return words;
}

void ExpectSame(const TextDocuments& a, const TextDocuments& b) {
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.texts, b.texts);
  EXPECT_EQ(a.labels, b.labels);
}

// The oracle of JSON Lines.
absl::Status ReadJsonLineByLine(const std::string& content,
                                SkippedLines* skipped, TextDocuments* result) {
  LineReader lines = LineReader::FromString(content, "f");
  UniqueIds unique;
  absl::string_view line;
  while (lines.Next(&line)) {
    JsonDocument document;
    const absl::StatusOr<bool> parsed =
        ParseJsonDocument(lines, line, {}, &document);
    if (parsed.ok() && !*parsed) continue;
    absl::Status status = parsed.status();
    const std::string id =
        document.id.value_or(absl::StrCat(result->ids.size()));
    if (status.ok()) status = unique.Add("f", lines.line_number(), id);
    if (!status.ok() && skipped == nullptr) return status;
    if (!status.ok()) {
      skipped->Add(lines.line_number(), status);
      continue;
    }
    result->ids.push_back(id);
    result->texts.push_back(document.text);
    result->labels.push_back(document.labels);
  }
  return lines.status();
}

TEST(ReadingInBlocks, JsonLines) {
  for (int round = 0; round < 6; ++round) {
    const std::string content = Content(
        round,
        [](int64_t i, std::mt19937_64& random) {
          std::string line =
              absl::StrCat("{\"text\":\"", Words(30, random), "\"");
          // Some ids occur twice, or are those of documents without an id.
          if (random() % 3 == 0) {
            absl::StrAppend(&line, ",\"id\":", i * 10 + random() % 10);
          }
          if (random() % 4 == 0) absl::StrAppend(&line, ",\"label\":", i % 7);
          return line + "}";
        },
        "{\"text\":7}\n");
    for (const bool skip : {false, true}) {
      TextDocuments expected;
      SkippedLines expected_skipped;
      const absl::Status expected_status = ReadJsonLineByLine(
          content, skip ? &expected_skipped : nullptr, &expected);
      for (const int threads : kThreads) {
        LineReader lines = LineReader::FromString(content, "f");
        SkippedLines skipped;
        const absl::StatusOr<TextDocuments> read =
            ReadJsonLines(lines, {}, skip ? &skipped : nullptr, threads);
        ASSERT_EQ(read.status(), expected_status);
        if (read.ok()) ExpectSame(*read, expected);
        // Labels are left out, not errors in them.
        LineReader again = LineReader::FromString(content, "f");
        SkippedLines ignored;
        absl::StatusOr<TextDocuments> unlabelled = ReadJsonLines(
            again, {.read_labels = false}, skip ? &ignored : nullptr, threads);
        ASSERT_EQ(unlabelled.status(), expected_status);
        if (unlabelled.ok()) {
          EXPECT_TRUE(unlabelled->labels.empty());
          unlabelled->labels = expected.labels;
          ExpectSame(*unlabelled, expected);
        }
        EXPECT_EQ(skipped.count, expected_skipped.count);
        EXPECT_EQ(skipped.lines, expected_skipped.lines);
        EXPECT_EQ(skipped.first_error, expected_skipped.first_error);
      }
    }
  }
}

TEST(ReadingInBlocks, Lines) {
  const std::string content = Content(
      0,
      [](int64_t, std::mt19937_64& random) {
        return Words(20, random) + (random() % 9 == 0 ? "\xFF" : "");
      },
      "");
  const absl::StatusOr<TextDocuments> expected = [&] {
    LineReader lines = LineReader::FromString(content);
    TextDocuments result;
    absl::string_view line;
    while (lines.Next(&line)) {
      LineReader one = LineReader::FromString(std::string(line) + "\n");
      result.texts.push_back(ReadTextLines(one, 1)->texts[0]);
      result.ids.push_back(absl::StrCat(result.ids.size()));
    }
    result.labels.resize(result.ids.size());
    return result;
  }();
  for (const int threads : kThreads) {
    LineReader lines = LineReader::FromString(content);
    const absl::StatusOr<TextDocuments> read = ReadTextLines(lines, threads);
    ASSERT_TRUE(read.ok()) << read.status();
    ExpectSame(*read, *expected);
  }
}

TEST(ReadingInBlocks, SvmLight) {
  for (int round = 0; round < 6; ++round) {
    const std::string content = Content(
        round,
        [](int64_t i, std::mt19937_64& random) {
          std::string line = absl::StrCat(i % 5, ",", i % 3);
          int64_t index = 0;
          for (uint64_t n = random() % 40; n > 0; --n) {
            index += 1 + random() % 50;
            absl::StrAppend(&line, " ", index, ":", random() % 4);
            if (random() % 3 == 0) absl::StrAppend(&line, ".5");
          }
          return line;
        },
        "1 3:x\n");
    LineReader lines = LineReader::FromString(content, "f");
    DocumentMatrix expected;
    std::vector<std::vector<std::string>> expected_labels;
    absl::Status expected_status;
    absl::string_view line;
    std::vector<std::string> labels;
    while (expected_status.ok() && lines.Next(&line)) {
      const absl::StatusOr<bool> added =
          AppendSvmLightRow(lines, line, &expected, &labels);
      expected_status = added.status();
      if (added.ok() && *added) expected_labels.push_back(labels);
    }
    for (const int threads : kThreads) {
      LineReader again = LineReader::FromString(content, "f");
      const absl::StatusOr<LabelledDocuments> read =
          ReadSvmLight(again, threads);
      ASSERT_EQ(read.status(), expected_status);
      if (!read.ok()) continue;
      EXPECT_EQ(read->documents.offsets, expected.offsets);
      EXPECT_EQ(read->documents.terms, expected.terms);
      EXPECT_EQ(read->documents.weights, expected.weights);
      EXPECT_EQ(read->documents.num_terms, expected.num_terms);
      EXPECT_EQ(read->labels, expected_labels);
      EXPECT_EQ(read->ids.size(), expected_labels.size());
      EXPECT_EQ(read->ids.back(), absl::StrCat(expected_labels.size() - 1));
    }
  }
}

TEST(ReadingInBlocks, MatrixMarket) {
  constexpr int64_t kEntries = 200'000;
  for (const int64_t stated : {kEntries, kEntries + 1, kEntries - 70'000}) {
    std::string content =
        absl::StrCat("%%MatrixMarket matrix coordinate integer general\n",
                     kEntries, " 3 ", stated, "\n");
    DocumentMatrix expected;
    for (int64_t i = 0; i < kEntries; ++i) {
      absl::StrAppend(&content, i + 1, " ", i % 3 + 1, " ", i % 9 + 1, "\n");
      expected.terms.push_back(static_cast<int32_t>(i % 3));
      expected.weights.push_back(static_cast<float>(i % 9 + 1));
    }
    for (const int threads : kThreads) {
      LineReader lines = LineReader::FromString(content, "f");
      const absl::StatusOr<LabelledDocuments> read =
          ReadMatrixMarket(lines, threads);
      if (stated == kEntries) {
        ASSERT_TRUE(read.ok()) << read.status();
        EXPECT_EQ(read->documents.terms, expected.terms);
        EXPECT_EQ(read->documents.weights, expected.weights);
      } else {
        EXPECT_EQ(read.status().message(),
                  stated > kEntries
                      ? "f:200002: expected 200001 entries, found 200000 and "
                        "the end of the file"
                      : "f:130003: expected the end of the file after 130000 "
                        "entries, found '130001 2'");
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
