// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/csv_documents.h"

#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "gtest/gtest.h"
#include "sparse/io/text_documents.h"

namespace warpclust {
namespace {

using Strings = std::vector<std::string>;

absl::StatusOr<TextDocuments> Read(const std::string& content,
                                   const CsvColumns& columns,
                                   const FormatNote& note = {}) {
  LineReader lines = LineReader::FromString(content, "documents.csv");
  return ReadCsvDocuments(lines, columns, note);
}

TEST(ReadCsvDocumentsTest, ColumnsByNameNumberAndDefault) {
  const struct {
    std::string content;
    CsvColumns columns;
    Strings ids;
    Strings texts;
  } cases[] = {
      {"", {}, {}, {}},
      {"id,text\n", {}, {}, {}},
      {"id,text\n7,tin\n8,can\n", {}, {"7", "8"}, {"tin", "can"}},
      {"TEXT, Id \ntin,7\n", {}, {"7"}, {"tin"}},
      {"text;year\n\"tin; \"\"can\"\"\npot\";1\n",
       {},
       {"0"},
       {"tin; \"can\"\npot"}},
      {"key,body\na,tin\n", {"body", ""}, {"0"}, {"tin"}},
      {"key,body\na,tin\n", {"body", "key"}, {"a"}, {"tin"}},
      {"key,body\na,tin\n", {"2", "key"}, {"a"}, {"tin"}},
      // A header only if a field says so.
      {"a,tin\nb,can\n", {"2", "1"}, {"a", "b"}, {"tin", "can"}},
      {"id,body\nb,can\n", {"2", ""}, {"b"}, {"can"}},
      {"tin\ncan\n", {"1", ""}, {"0", "1"}, {"tin", "can"}},
      {"id,text\n1,\xFF\n", {}, {"1"}, {"\xEF\xBF\xBD"}},
      {"text,text\ntin,can\n", {"2", ""}, {"0"}, {"can"}},
      {"id,text\nsame,can\n", {"1", "1"}, {"same"}, {"same"}},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<TextDocuments> read = Read(c.content, c.columns);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->ids, c.ids) << c.content;
    EXPECT_EQ(read->texts, c.texts) << c.content;
    EXPECT_EQ(read->labels.size(), c.ids.size());
  }
}

TEST(ReadCsvDocumentsTest, TheSameWithAnyNumberOfThreads) {
  // Records of several lines over several blocks, some with a stray quote.
  std::string content = "text,id,title\n";
  for (int i = 0; i < 40'000; ++i) {
    absl::StrAppend(&content, "\"text ", i, "\nof \"\"several\"\" lines\xFF\",",
                    i, i % 9'000 == 99 ? "\"" : "", ",t", i % 7, "\n");
  }
  for (const std::string& text :
       {content, absl::StrCat(content, "\"a\nb\",5,t\n", content),
        absl::StrCat(content, content, "\"a\nb"),
        absl::StrCat(content, "\"a\"b,x,t\n", content)}) {
    LineReader one = LineReader::FromString(text, "d.csv");
    const absl::StatusOr<TextDocuments> expected =
        ReadCsvDocuments(one, {}, {}, /*titles=*/true, 1);
    for (const int threads : {2, 7}) {
      LineReader lines = LineReader::FromString(text, "d.csv");
      const absl::StatusOr<TextDocuments> read =
          ReadCsvDocuments(lines, {}, {}, /*titles=*/true, threads);
      ASSERT_EQ(read.status(), expected.status());
      if (!read.ok()) continue;
      EXPECT_EQ(read->ids.size(), 40'000);
      EXPECT_TRUE(read->ids == expected->ids);
      EXPECT_TRUE(read->texts == expected->texts);
      EXPECT_TRUE(read->titles == expected->titles);
    }
  }
}

// Errors far apart, behind more documents than are put together at once.
TEST(ReadCsvDocumentsTest, TheFirstErrorWins) {
  const auto read = [](int same_id, int without_id, int without_text,
                       int threads) {
    std::string content = "id,text\n";
    for (int i = 0; i < 6000; ++i) {
      const int id = i == same_id ? 5 : i;
      absl::StrAppend(&content, i == without_id ? "" : absl::StrCat(id),
                      i == without_text ? "\n" : ",tin\n");
    }
    LineReader lines = LineReader::FromString(content, "documents.csv");
    lines.SetBlockBytes(1000);
    return ReadCsvDocuments(lines, {}, {}, /*titles=*/false, threads).status();
  };
  for (const int threads : {1, 2, 7}) {
    EXPECT_TRUE(read(-1, -1, -1, threads).ok());
    for (const auto& [same, no_id, no_text, message] :
         std::vector<std::tuple<int, int, int, std::string>>{
             {3000, 4500, 5500,
              ":3002: expected an id different from that of line 7"},
             {5999, -1, -1,
              ":6001: expected an id different from that of line 7"},
             {4500, 3000, 5500, ":3002: expected a non-empty id"},
             {4500, 5500, 3000, ":3002: expected 2 columns"},
             {10, 1500, -1, ":12: expected an id different"}}) {
      const absl::Status status = read(same, no_id, no_text, threads);
      EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
    }
  }
}

TEST(ReadCsvDocumentsTest, NotesTheColumns) {
  std::string text;
  const FormatNote note = [&text](absl::string_view message) {
    text = std::string(message);
  };
  ASSERT_TRUE(Read("id,text\n1,tin\n", {}, note).ok());
  EXPECT_TRUE(absl::EndsWith(
      text, ".csv: texts from column 2 ('text'), ids from column 1 ('id')"))
      << text;
  ASSERT_TRUE(Read("a,tin\n", {"2", ""}, note).ok());
  EXPECT_TRUE(absl::EndsWith(text,
                             "texts from column 2, ids by number; no header: "
                             "the first line is a document"))
      << text;
}

TEST(ReadCsvDocumentsTest, ErrorsNameTheLineAndTheFlag) {
  const struct {
    std::string content;
    CsvColumns columns;
    std::string message;
  } cases[] = {
      {"key,body\n1,tin\n",
       {},
       ".csv:1: expected a header with a column \"text\", found 'key,body'; "
       "--text_column=NAME or NUMBER chooses another column"},
      {"text,Text\n1,2\n",
       {},
       ".csv:1: --text_column: expected one column \"text\", found 2 in "
       "'text,Text'"},
      {"id,text\n1,2\n",
       {"body", ""},
       ".csv:1: --text_column: expected one column \"body\", found none"},
      {"id,text\n1,2\n",
       {"3", ""},
       ".csv:1: --text_column: expected a column from 1 to 2, found 3"},
      {"id,text\n1,2\n", {"0", ""}, "expected a column from 1 to 2, found 0"},
      {"id,text\n1,2\n",
       {"", "99999999999999999999"},
       "--id_column: expected a column from 1 to 2, found 99999"},
      {"id,text\n1,tin\n\n1,can\n",
       {},
       ".csv:4: expected an id different from that of line 2, found '1'"},
      {"id,text\n,tin\n", {}, ".csv:2: expected a non-empty id"},
      {"id,text\n\"a\nb\",tin\n",
       {},
       ".csv:3: expected a non-empty id without"},
      {"id,text\n1,tin,can\n", {}, ".csv:2: expected 2 columns as on line 1"},
  };
  for (const auto& c : cases) {
    const absl::Status status = Read(c.content, c.columns).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), c.message)) << status;
  }
}

}  // namespace
}  // namespace warpclust
