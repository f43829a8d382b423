// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/io/lines/line_reader.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Records = std::vector<std::vector<std::string>>;

absl::StatusOr<Records> Read(const std::string& content) {
  LineReader lines = LineReader::FromString(content, "a.csv");
  CsvReader csv(&lines);
  Records records;
  std::vector<std::string> fields;
  for (;;) {
    const absl::StatusOr<bool> more = csv.Next(&fields);
    if (!more.ok()) return more.status();
    if (!*more) return records;
    records.push_back(fields);
  }
}

TEST(CsvReaderTest, Records) {
  const struct {
    std::string content;
    Records records;
  } cases[] = {
      {"", {}},
      {"\n \t\n\n", {}},
      {"a", {{"a"}}},
      {"a,b\r\n1,2\r\n", {{"a", "b"}, {"1", "2"}}},
      {"a,b\n,\n\n1,", {{"a", "b"}, {"", ""}, {"1", ""}}},
      {"\"a\",\"\"\n\"x,\"\"y\"\"\",z\n", {{"a", ""}, {"x,\"y\"", "z"}}},
      {"a,\"b\r\n\r\nc\",d\n", {{"a", "b\n\nc", "d"}}},
      {"5\" disk,a \"b\" c\n", {{"5\" disk", "a \"b\" c"}}},
      {"a;b\n\"1;2\";3,4\n", {{"a", "b"}, {"1;2", "3,4"}}},
      {"a\tb\n1\t2\n", {{"a", "b"}, {"1", "2"}}},
      {"\"a;b\",c\n1,2\n", {{"a;b", "c"}, {"1", "2"}}},
      {"\xEF\xBB\xBFid\n1\n", {{"id"}, {"1"}}},
      {std::string("a\0b,c\n", 6), {{std::string("a\0b", 3), "c"}}},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<Records> records = Read(c.content);
    ASSERT_TRUE(records.ok()) << records.status();
    EXPECT_EQ(*records, c.records) << c.content;
  }
}

TEST(CsvReaderTest, ErrorsNameTheLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"a,b\n1,\"x\ny\nz",
       "a.csv:2: expected a closing quote, found none up to "
       "line 4"},
      {"\"", "a.csv:1: expected a closing quote, found none up to line 1"},
      {"a,b\n\"x\"y,1\n",
       "a.csv:2: expected a separator or the end of the line after a closing "
       "quote, found 'y,1'"},
      {"a,b\n1,2,3\n",
       "a.csv:2: expected 2 columns as on line 1, found 3 (a field that "
       "contains a separator needs double quotes)"},
      {"a,b\n1,\"2\n3\"\n4\n", "a.csv:4: expected 2 columns as on line 1"},
      {"a\n1,2\n", "a.csv:2: expected 1 column as on line 1, found 2"},
      {std::string("\xFF\xFE"
                   "a\0",
                   4),
       "a.csv:1: expected UTF-8"},
  };
  for (const auto& [content, message] : cases) {
    const absl::Status status = Read(content).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message().substr(0, message.size()), message);
  }
}

TEST(CsvReaderTest, RandomRecordsRoundTrip) {
  std::mt19937 random(1);
  constexpr char kCharacters[] = "ab,;\"\n\t ";
  for (int trial = 0; trial < 500; ++trial) {
    Records records(1 + random() % 4);
    const size_t columns = 1 + random() % 3;
    std::string content;
    for (std::vector<std::string>& record : records) {
      std::vector<std::string> quoted;
      for (size_t c = 0; c < columns; ++c) {
        std::string field;
        while (random() % 4 != 0) field += kCharacters[random() % 8];
        quoted.push_back("\"" + absl::StrReplaceAll(field, {{"\"", "\"\""}}) +
                         "\"");
        record.push_back(std::move(field));
      }
      content += absl::StrJoin(quoted, ",") + "\n";
    }
    // The first line must show the separator.
    if (columns > 1 && records[0][0].find('\n') != std::string::npos) continue;
    const absl::StatusOr<Records> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << content;
    EXPECT_EQ(*read, records) << content;
  }
}

// What is wrong in one record does not change the next one.
TEST(CsvReaderTest, GoesOnAfterAnError) {
  LineReader lines = LineReader::FromString(
      "a,b\n1,2,3\n\"x\"y,1\n3,4\n5,\"6\n7\"\n8\n\"", "a.csv");
  CsvReader csv(&lines);
  std::vector<std::string> fields;
  std::string seen;
  for (;;) {
    const absl::StatusOr<bool> more = csv.NextNow(&fields);
    if (more.ok() && !*more) break;
    absl::StrAppend(&seen, csv.line_number(), ":",
                    more.ok() ? absl::StrJoin(fields, "|") : "error", ";");
  }
  EXPECT_TRUE(lines.ended());
  EXPECT_EQ(seen, "1:a|b;2:error;3:error;4:3|4;5:5|6\n7;7:error;8:error;");
}

// A record arrives in pieces.
TEST(CsvReaderTest, FollowsAPipe) {
  const std::string path = absl::StrCat(testing::TempDir(), "/csv_pipe");
  unlink(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  // Open at both ends, so that neither waits.
  const int pipe = open(path.c_str(), O_RDWR);
  ASSERT_GE(pipe, 0);
  absl::StatusOr<LineReader> lines = LineReader::Open(path);
  ASSERT_TRUE(lines.ok()) << lines.status();
  CsvReader csv(&*lines);
  std::vector<std::string> fields;
  const auto next = [&](absl::string_view bytes) -> std::string {
    EXPECT_EQ(write(pipe, bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    const absl::StatusOr<bool> more = csv.NextNow(&fields);
    if (!more.ok()) return std::string(more.status().message());
    return *more ? absl::StrJoin(fields, "|") : "not yet";
  };
  EXPECT_EQ(next("a,\"b"), "not yet");
  EXPECT_EQ(next("\nc"), "not yet");
  EXPECT_EQ(next("\"\"\n"), "not yet");
  EXPECT_EQ(next("\"\n1,2\n3"), "a|b\nc\"\n");
  EXPECT_EQ(next(""), "1|2");
  EXPECT_EQ(next(",4\n"), "3|4");
  close(pipe);
  unlink(path.c_str());
}

// Any bytes give records or an error.
TEST(CsvReaderTest, RandomBytes) {
  std::mt19937 random(2);
  constexpr char kCharacters[] = "a,\"\n\r;\t\0";
  for (int trial = 0; trial < 5000; ++trial) {
    std::string content;
    while (random() % 20 != 0) content += kCharacters[random() % 8];
    const absl::StatusOr<Records> read = Read(content);
    if (!read.ok()) {
      EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
      continue;
    }
    for (const std::vector<std::string>& record : *read) {
      EXPECT_EQ(record.size(), read->front().size());
    }
  }
}

}  // namespace
}  // namespace warpclust
