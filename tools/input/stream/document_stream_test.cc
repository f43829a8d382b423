// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/document_stream.h"

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/io/testing/gzip.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Strings = std::vector<std::string>;
using Views = std::vector<absl::string_view>;

bool GoOn() { return false; }

DocumentStream From(absl::string_view lines, InputFormat format) {
  absl::StatusOr<DocumentStream> stream =
      DocumentStream::FromString(lines, "f", format);
  EXPECT_TRUE(stream.ok()) << stream.status();
  return *std::move(stream);
}

TEST(DocumentStreamTest, JsonLines) {
  const std::string lines =
      "{\"id\":\"a\",\"time\":\"1970-01-02\",\"text\":\"one\"}\n \n"
      "{\"text\":\"two\",\"time\":null}\n{\"id\":7,\"text\":\"\",\"time\":-3}";
  DocumentStream stream = From(lines, InputFormat::kJsonLines);
  const absl::StatusOr<DocumentBlock> block = stream.Read({}, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->size(), 3);
  EXPECT_EQ(block->ids, Strings({"a", "", "7"}));
  EXPECT_EQ(block->times,
            (std::vector<int64_t>{86400, DocumentBlock::kNoTime, -3}));
  EXPECT_EQ(block->texts, Views({"one", "two", ""}));
  // The lines of a block, read again, give the same block.
  DocumentStream again = From(block->lines, InputFormat::kJsonLines);
  const absl::StatusOr<DocumentBlock> reread = again.Read({}, GoOn);
  ASSERT_TRUE(reread.ok());
  EXPECT_EQ(reread->ids, block->ids);
  EXPECT_EQ(reread->times, block->times);
  EXPECT_EQ(reread->lines, block->lines);
  EXPECT_EQ(stream.Read({}, GoOn)->size(), 0);
}

TEST(DocumentStreamTest, Vectors) {
  const std::string path = absl::StrCat(testing::TempDir(), "/vectors.jsonl");
  std::ofstream(path) << R"([{"id":"a","t":-3,"v":[1,2]},)"
                      << "\n"
                      << R"({"v":[0.1,-4]}])";
  DocumentStream::Options options;
  options.vector_field = "v";
  options.json.time_field = "t";
  absl::StatusOr<DocumentStream> stream =
      DocumentStream::Open(path, InputFormat::kJsonVectors, options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  const absl::StatusOr<DocumentBlock> block =
      stream->Read({.fill = true}, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->ids, Strings({"a", ""}));
  EXPECT_EQ(block->times, (std::vector<int64_t>{-3, DocumentBlock::kNoTime}));
  EXPECT_EQ(block->rows.num_documents(), 2);
  EXPECT_EQ(block->rows.Row(1)[0], 0.1f);
  // The lines of a block, read again, give the same block.
  DocumentStream again = From(block->lines, InputFormat::kJsonVectors);
  const absl::StatusOr<DocumentBlock> reread = again.Read({}, GoOn);
  ASSERT_TRUE(reread.ok()) << reread.status();
  EXPECT_EQ(reread->ids, block->ids);
  EXPECT_EQ(reread->times, block->times);
  EXPECT_EQ(reread->lines, block->lines);
  EXPECT_EQ(reread->rows.values, block->rows.values);
}

TEST(DocumentStreamTest, Rows) {
  const DenseDocuments rows = MakeDenseDocuments({1, 2, 3, 4, 5, 6}, 3);
  DocumentStream stream = DocumentStream::FromRows(rows, /*keep_lines=*/true);
  EXPECT_EQ(stream.Read({}, [] { return true; })->size(), 0);
  DocumentStream::Limits limits;
  limits.documents = 2;
  for (const int32_t size : {2, 1, 0}) {
    const absl::StatusOr<DocumentBlock> block = stream.Read(limits, GoOn);
    ASSERT_TRUE(block.ok()) << block.status();
    ASSERT_EQ(block->size(), size);
    ASSERT_EQ(block->rows.num_rows, size);
    if (size == 1) {
      EXPECT_EQ(block->rows.Row(0)[1], 6);
      EXPECT_EQ(block->lines, "{\"embedding\":[5,6]}\n");
    }
  }
  DocumentStream none = DocumentStream::FromRows(rows, /*keep_lines=*/false);
  EXPECT_EQ(none.Read({.fill = true}, GoOn)->lines, "");
}

// Titles do not change the lines that a state keeps.
TEST(DocumentStreamTest, TitlesIfTheyAreWanted) {
  const std::string path = absl::StrCat(testing::TempDir(), "/titles.csv");
  std::ofstream(path) << "id,title,text\n1,\"A, b\",tin\n2,,can\n";
  const std::string json = absl::StrCat(testing::TempDir(), "/titles.jsonl");
  std::ofstream(json) << "{\"id\":\"1\",\"title\":\"A, b\",\"text\":\"tin\"}\n"
                         "{\"id\":\"2\",\"title\":5,\"text\":\"can\"}\n";
  for (const auto& [name, format] :
       {std::make_pair(path, InputFormat::kCsv),
        std::make_pair(json, InputFormat::kJsonLines)}) {
    std::string lines;
    for (const bool titles : {false, true}) {
      absl::StatusOr<DocumentStream> stream =
          DocumentStream::Open(name, format, {.read_titles = titles});
      ASSERT_TRUE(stream.ok()) << stream.status();
      const absl::StatusOr<DocumentBlock> block =
          stream->Read({.fill = true}, GoOn);
      ASSERT_TRUE(block.ok()) << block.status();
      EXPECT_EQ(block->titles, titles ? Strings({"A, b", ""}) : Strings());
      if (titles) {
        EXPECT_EQ(block->lines, lines);
      }
      lines = block->lines;
    }
  }
}

// Nor does it show in the documents whether lines are kept.
TEST(DocumentStreamTest, LinesIfTheyAreWanted) {
  const std::vector<std::pair<std::string, InputFormat>> inputs = {
      {"{\"id\":\"a\",\"text\":\"tin\"}\n{\"text\":\"can\"}\n{\"text\":\"\"}\n",
       InputFormat::kJsonLines},
      {"[{\"id\":\"a\",\"text\":\"tin\"}, "
       "{\"text\":\"can\"},\n{\"text\":\"x\"}]",
       InputFormat::kJsonLines},
      {"{\"embedding\":[1,2]}\n{\"id\":\"b\",\"embedding\":[3,4]}\n",
       InputFormat::kJsonVectors},
      {"id,text\n1,tin\n2,can\n", InputFormat::kCsv},
      {"1 1:1\n0 2:1\n", InputFormat::kSvmlight},
      {"one\ntwo\n", InputFormat::kLines}};
  for (const auto& [input, format] : inputs) {
    const std::string path = absl::StrCat(testing::TempDir(), "/lines");
    std::ofstream(path) << input;
    absl::StatusOr<DocumentStream> with =
        DocumentStream::Open(path, format, {});
    absl::StatusOr<DocumentStream> without =
        DocumentStream::Open(path, format, {.keep_lines = false});
    ASSERT_TRUE(with.ok()) << with.status();
    ASSERT_TRUE(without.ok()) << without.status();
    for (int documents = 0;;) {
      // A block ends with the document that exceeds the limit.
      const absl::StatusOr<DocumentBlock> expected =
          with->Read({.bytes = 20}, GoOn);
      const absl::StatusOr<DocumentBlock> found =
          without->Read({.bytes = 20}, GoOn);
      ASSERT_TRUE(expected.ok()) << expected.status();
      ASSERT_TRUE(found.ok()) << found.status();
      EXPECT_EQ(found->ids, expected->ids) << input;
      EXPECT_EQ(found->texts, expected->texts) << input;
      EXPECT_EQ(found->line_numbers, expected->line_numbers) << input;
      EXPECT_EQ(found->vectors.terms, expected->vectors.terms) << input;
      EXPECT_EQ(found->rows.num_rows, expected->rows.num_rows) << input;
      EXPECT_EQ(found->lines, "");
      EXPECT_EQ(expected->lines.empty(), expected->size() == 0);
      documents += static_cast<int>(found->size());
      if (found->size() > 0) continue;
      EXPECT_GE(documents, 2) << input;
      break;
    }
  }
}

TEST(DocumentStreamTest, ArraysAndOtherNamesOfFields) {
  const std::string path = absl::StrCat(testing::TempDir(), "/array.json");
  std::ofstream(path)
      << "[{\"key\":\"a\",\n\"body\":\"one\"},{\"body\":\"two\","
         "\n\"at\":5},\n{\"body\":3},{\"body\":\"four\"}]";
  JsonFlags json;
  json.text_field = "body";
  json.id_field = "key";
  json.time_field = "at";
  json.skip_bad_lines = true;
  absl::StatusOr<DocumentStream> stream = DocumentStream::Open(
      path, InputFormat::kJsonLines, {.ids_for_table = true, .json = json});
  ASSERT_TRUE(stream.ok()) << stream.status();
  DocumentStream::Limits limits;
  limits.documents = 2;
  absl::StatusOr<DocumentBlock> block = stream->Read(limits, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->texts, Views({"one", "two"}));
  EXPECT_EQ(block->ids, Strings({"a", ""}));
  EXPECT_EQ(block->times, (std::vector<int64_t>{DocumentBlock::kNoTime, 5}));
  EXPECT_EQ(block->line_numbers, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(block->lines,
            "{\"id\":\"a\",\"text\":\"one\"}\n{\"text\":\"two\",\"time\":5}\n");
  EXPECT_EQ(stream->Read(limits, GoOn)->texts, Views({"four"}));
  EXPECT_EQ(stream->skipped().lines, std::vector<int64_t>({4}));
  EXPECT_EQ(stream->Read(limits, GoOn)->size(), 0);
}

TEST(DocumentStreamTest, BadLinesAreSkipped) {
  DocumentStream stream =
      From("1 1:1\n1 x\n2 2:1\n1 0:1\n1 y\n3 1:1\n", InputFormat::kSvmlight);
  EXPECT_FALSE(stream.skips_bad_lines());
  stream.set_skip_bad_lines(true);
  DocumentStream::Limits limits;
  limits.skipped_lines = 2;
  absl::StatusOr<DocumentBlock> block = stream.Read(limits, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->size(), 2);
  EXPECT_EQ(block->lines, "1 1:1\n2 2:1\n");
  EXPECT_EQ(stream.skipped().lines,
            std::vector<int64_t>({3, 5}));  // After an empty one.
  stream.ForgetSkipped();
  block = stream.Read({}, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->vectors.offsets, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(stream.skipped().lines, std::vector<int64_t>({6}));
}

TEST(DocumentStreamTest, LinesAndVectors) {
  // At the start of a block, what would be a mark at the start of a file.
  const std::string lines = "\xEF\xBB\xBFone\n\n\x1F\x8B\xFF\n";
  DocumentStream texts = From(lines, InputFormat::kLines);
  absl::StatusOr<DocumentBlock> block = texts.Read({}, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->texts,
            Views({"\xEF\xBB\xBFone", "", "\x1F\xEF\xBF\xBD\xEF\xBF\xBD"}));
  EXPECT_EQ(block->lines, lines);

  DocumentStream vectors = From("# comment\n1 2:3 7:0.5\n\n2,3\n0 1:1 # x\n",
                                InputFormat::kSvmlight);
  block = vectors.Read({}, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->size(), 3);
  EXPECT_EQ(block->vectors.offsets, (std::vector<int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(block->vectors.terms, (std::vector<int32_t>{1, 6, 0}));
  EXPECT_EQ(block->lines, "1 2:3 7:0.5\n2,3\n0 1:1 # x\n");
}

TEST(DocumentStreamTest, ErrorsComeAfterTheDocumentsBefore) {
  const struct {
    InputFormat format;
    const char *lines, *message;
  } cases[] = {
      {InputFormat::kJsonLines, "{\"text\":\"x\"}\n{\"text\":3}\n",
       "expected a string as text"},
      {InputFormat::kJsonLines, "{\"text\":\"x\"}\n{\"id\":\"\",\"text\":\"\"}",
       "expected a non-empty id"},
      {InputFormat::kJsonLines,
       "{\"text\":\"x\"}\n{\"text\":\"\",\"time\":\"noon\"}",
       "expected a time such as"},
      {InputFormat::kSvmlight, "1 1:1\n1 1:-1\n", "expected"},
      {InputFormat::kSvmlight, "1 1:1\n1 5:1 2147483648:1\n", "expected"},
  };
  for (const auto& [format, lines, message] : cases) {
    DocumentStream stream = From(lines, format);
    const absl::StatusOr<DocumentBlock> block = stream.Read({}, GoOn);
    ASSERT_TRUE(block.ok()) << block.status();
    EXPECT_EQ(block->size(), 1);
    if (format == InputFormat::kSvmlight) {
      EXPECT_EQ(block->vectors.num_documents(), 1);
    }
    const absl::Status status = stream.Read({}, GoOn).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << lines;
    EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
    EXPECT_EQ(stream.Read({}, GoOn).status(), status);
  }
  EXPECT_EQ(
      DocumentStream::Open(".", InputFormat::kDirectory, {}).status().code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      DocumentStream::Open("none", InputFormat::kLines, {}).status().code(),
      absl::StatusCode::kNotFound);
}

TEST(DocumentStreamTest, IdsForATable) {
  const std::string path = absl::StrCat(testing::TempDir(), "/ids.jsonl");
  for (const char* id : {"#1", "\xEF\xBB\xBF", "\xEF\xBB\xBFid"}) {
    std::ofstream(path) << "{\"id\":\"1#\",\"text\":\"\"}\n{\"id\":\"" << id
                        << "\",\"text\":\"\"}\n";
    absl::StatusOr<DocumentStream> stream = DocumentStream::Open(
        path, InputFormat::kJsonLines, {.ids_for_table = true});
    EXPECT_EQ(stream->Read({}, GoOn)->ids, Strings({"1#"}));
    const absl::Status status = stream->Read({}, GoOn).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), "ids.jsonl:2: ")) << status;
    stream = DocumentStream::Open(path, InputFormat::kJsonLines, {});
    EXPECT_EQ(stream->Read({}, GoOn)->ids, Strings({"1#", id}));
  }
}

TEST(DocumentStreamTest, Limits) {
  DocumentStream stream = From("a\nb\nc\nd\ne\n", InputFormat::kLines);
  DocumentStream::Limits limits;
  limits.documents = 2;
  EXPECT_EQ(stream.Read(limits, GoOn)->size(), 2);
  limits = {};
  limits.bytes = 1;
  EXPECT_EQ(stream.Read(limits, GoOn)->size(), 1);
  limits.documents = 10;
  limits.fill = true;
  EXPECT_EQ(stream.Read(limits, GoOn)->size(), 2);
}

// What Read returns until the end, or the error, with random limits.
std::string ReadAll(const std::string& path, DocumentStream::Options options,
                    int num_threads,
                    const std::vector<DocumentStream::Limits>& limits) {
  options.num_threads = num_threads;
  absl::StatusOr<DocumentStream> stream =
      DocumentStream::Open(path, InputFormat::kJsonLines, options);
  if (!stream.ok()) return stream.status().ToString();
  std::string all;
  for (size_t i = 0;; ++i) {
    const absl::StatusOr<DocumentBlock> block =
        stream->Read(limits[i % limits.size()], GoOn);
    if (!block.ok()) return all + block.status().ToString();
    const SkippedLines& skipped = stream->skipped();
    absl::StrAppend(&all, "block ", block->size(), ", skipped ", skipped.count,
                    " ", absl::StrJoin(skipped.lines, ","), skipped.first_error,
                    "\n", block->lines, absl::StrJoin(block->ids, ","), "\n",
                    absl::StrJoin(block->texts, ","), "\n",
                    absl::StrJoin(block->titles, ","), "\n",
                    absl::StrJoin(block->times, ","), "\n",
                    block->times_in_milliseconds, "\n",
                    absl::StrJoin(block->line_numbers, ","), "\n");
    if (block->size() == 0) return all;
  }
}

// With a limit of bad lines, lines are read one by one.
std::vector<DocumentStream::Limits> OneByOne(
    std::vector<DocumentStream::Limits> limits) {
  for (DocumentStream::Limits& limit : limits) {
    limit.skipped_lines = INT64_MAX - 1;
  }
  return limits;
}

TEST(DocumentStreamTest, ThreadsDoNotShow) {
  const std::string path = testing::TempDir() + "/threads.jsonl";
  constexpr const char* kUnusual[] = {"",
                                      " ",
                                      "{\"text\":3}",
                                      "{",
                                      "{\"text\":\"\",\"id\":\"#\"}",
                                      "{\"text\":\"\\u00e9\\n\\ud800\"}",
                                      "{\"text\":\"\xFF\xC3\xFF\xFF\xFF\"}",
                                      "{\"title\":\"\\t\",\"text\":\"\"}",
                                      "{\"text\":\"\",\"id\":\"more than 15\"}",
                                      "{\"text\":\"\",\"time\":1600000000000}"};
  int errors = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    // Of some files all lines are parsed at once, of others not.
    const uint64_t num_lines = random.Below(seed % 2 == 0 ? 9000 : 20);
    const uint64_t usual = seed % 3 == 0 ? 50 : 2000;
    const uint64_t long_line = seed % 15 == 0 ? random.Below(num_lines) : 9000;
    std::string lines = seed % 5 == 0 ? "\xEF\xBB\xBF\n" : "";
    for (uint64_t line = 0; line < num_lines; ++line) {
      if (random.Below(usual) == 0) {
        lines += kUnusual[random.Below(10)];
      } else {
        const uint64_t length =
            line == long_line ? uint64_t{9} << 20 : random.Below(300);
        absl::StrAppend(&lines, "{\"text\":\"", std::string(length, 'x'),
                        "\",\"t\":\"", line, "\",\"time\":", random.Below(99),
                        "}");
      }
      if (seed % 7 == 0) lines += '\r';
      lines += line + 1 < num_lines || seed % 4 == 0 ? "\n" : "";
    }
    std::ofstream(path) << (seed % 6 == 0 ? Gzip(lines, 1) : lines);
    std::vector<DocumentStream::Limits> limits(1 + random.Below(5));
    for (DocumentStream::Limits& limit : limits) {
      limit.documents = static_cast<int64_t>(1 + random.Below(5000));
      limit.bytes = static_cast<int64_t>(1 + random.Below(1 << 20));
      limit.fill = random.Below(2) == 0;
    }
    DocumentStream::Options options;
    options.ids_for_table = true;
    options.read_titles = random.Below(2) == 0;
    options.keep_lines = random.Below(3) != 0;
    options.json.skip_bad_lines = random.Below(2) == 0;
    if (random.Below(2) == 0) options.json.text_field = "t";
    const std::string expected = ReadAll(path, options, 1, OneByOne(limits));
    errors += absl::StrContains(expected, "INVALID_ARGUMENT") ? 1 : 0;
    for (const int threads : {1, 2, 5}) {
      ASSERT_TRUE(ReadAll(path, options, threads, limits) == expected)
          << threads << " threads";
    }
  }
  EXPECT_GT(errors, 5);
}

TEST(DocumentStreamTest, TakesWhatIsThere) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string path = absl::StrCat("/dev/fd/", ends[0]);
  absl::StatusOr<DocumentStream> stream =
      DocumentStream::Open(path, InputFormat::kLines, {});
  ASSERT_TRUE(stream.ok()) << stream.status();
  ASSERT_EQ(write(ends[1], "one\ntwo\nthr", 11), 11);
  EXPECT_EQ(stream->Read({}, GoOn)->texts, Views({"one", "two"}));
  // Nothing more arrives: it asks whether to go on waiting.
  int asked = 0;
  EXPECT_EQ(stream->Read({}, [&] { return ++asked == 2; })->size(), 0);
  EXPECT_EQ(asked, 2);
  // A block with `fill` waits too.
  ASSERT_EQ(write(ends[1], "ee\nfour\n", 8), 8);
  DocumentStream::Limits full;
  full.fill = true;
  full.documents = 3;
  EXPECT_EQ(stream->Read(full, [] { return true; })->size(), 0);
  ASSERT_EQ(write(ends[1], "five\nsix\nseven\neight\nend", 24), 24);
  EXPECT_EQ(stream->Read(full, GoOn)->texts, Views({"five", "six", "seven"}));
  close(ends[1]);
  EXPECT_EQ(stream->Read(full, GoOn)->texts, Views({"eight", "end"}));
  EXPECT_EQ(stream->Read(full, GoOn)->size(), 0);
  close(ends[0]);
}

TEST(DocumentStreamTest, ThreadsTakeWhatIsThere) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  absl::StatusOr<DocumentStream> stream =
      DocumentStream::Open(absl::StrCat("/dev/fd/", ends[0]),
                           InputFormat::kJsonLines, {.num_threads = 2});
  ASSERT_TRUE(stream.ok()) << stream.status();
  const std::string line = "{\"text\":\"a\"}\n";
  const std::string some = line + line + line + "{\"text\":";
  ASSERT_EQ(write(ends[1], some.data(), some.size()), some.size());
  DocumentStream::Limits two;
  two.documents = 2;
  EXPECT_EQ(stream->Read(two, GoOn)->size(), 2);
  EXPECT_EQ(stream->Read(two, GoOn)->size(), 1);
  EXPECT_EQ(stream->Read(two, [] { return true; })->size(), 0);
  ASSERT_EQ(write(ends[1], "\"b\"}", 4), 4);
  close(ends[1]);
  EXPECT_EQ(stream->Read(two, GoOn)->texts, Views({"b"}));
  EXPECT_EQ(stream->Read(two, GoOn)->size(), 0);
  close(ends[0]);
}

TEST(DocumentStreamTest, CsvByRecord) {
  const std::string path = testing::TempDir() + "/stream.csv";
  std::ofstream(path) << "time,id,text\n"
                         "2026-03-01,a,\"one\n\"\"1\"\"\"\n"
                         ",b,two\n"
                         "yesterday,c,three\n"
                         "5,d,four,4\n"
                         "5,,five\n"
                         "1600000000000, e,\n";
  std::string note;
  DocumentStream::Options options;
  options.json.skip_bad_lines = true;
  options.note = [&note](absl::string_view text) { note = std::string(text); };
  absl::StatusOr<DocumentStream> stream =
      DocumentStream::Open(path, InputFormat::kCsv, options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  // That of the lines, which are read again.
  EXPECT_EQ(stream->format(), InputFormat::kJsonLines);
  absl::StatusOr<DocumentBlock> block = stream->Read({}, GoOn);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_TRUE(absl::EndsWith(note,
                             "texts from column 3 ('text'), ids from column 2 "
                             "('id'), times from column 1 ('time')"))
      << note;
  EXPECT_EQ(block->texts, Views({"one\n\"1\"", "two", ""}));
  EXPECT_EQ(block->ids, Strings({"a", "b", " e"}));
  EXPECT_EQ(block->times, (std::vector<int64_t>{
                              1772323200, DocumentBlock::kNoTime, 1600000000}));
  EXPECT_EQ(block->times_in_milliseconds, 1);
  EXPECT_EQ(block->line_numbers, (std::vector<int64_t>{2, 4, 8}));
  EXPECT_EQ(stream->skipped().count, 3);
  EXPECT_EQ(stream->skipped().lines, (std::vector<int64_t>{5, 6, 7}));
  EXPECT_TRUE(absl::StrContains(stream->skipped().first_error,
                                ":5: expected a time such as"))
      << stream->skipped().first_error;
  EXPECT_TRUE(
      absl::EndsWith(stream->skipped().first_error, "found 'yesterday'"));

  absl::StatusOr<DocumentStream> again =
      DocumentStream::FromString(block->lines, "again", stream->format());
  ASSERT_TRUE(again.ok()) << again.status();
  const absl::StatusOr<DocumentBlock> copy = again->Read({}, GoOn);
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ(copy->texts, block->texts);
  EXPECT_EQ(copy->ids, block->ids);
  EXPECT_EQ(copy->times, block->times);
  EXPECT_EQ(copy->lines, block->lines);
}

// What is wrong with the header, and a quote that is not closed, cannot be
// skipped.
TEST(DocumentStreamTest, CsvThatCannotGoOn) {
  const std::string path = testing::TempDir() + "/stream.csv";
  for (const auto& [content, message] :
       {std::pair<std::string, std::string>{"id,body\n1,tin\n",
                                            ":1: expected a header"},
        {"id,text\n1,\"tin\n2,can\n", ":2: expected a closing quote"}}) {
    std::ofstream(path) << content;
    DocumentStream::Options options;
    options.json.skip_bad_lines = true;
    absl::StatusOr<DocumentStream> stream =
        DocumentStream::Open(path, InputFormat::kCsv, options);
    ASSERT_TRUE(stream.ok()) << stream.status();
    const absl::Status status = stream->Read({}, GoOn).status();
    EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
  }
}

}  // namespace
}  // namespace warpclust
