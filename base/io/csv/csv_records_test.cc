// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_records.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/csv/csv_reader.h"
#include "base/io/lines/line_reader.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Result {
  bool operator==(const Result&) const = default;

  // Of each record, the fields and the last line.
  std::vector<std::pair<std::vector<std::string>, int64_t>> records;
  absl::Status status;
};

// The oracle: one record after the other.
Result ReadOneByOne(const std::string& content) {
  LineReader lines = LineReader::FromString(content, "a.csv");
  CsvReader csv(&lines);
  Result result;
  std::vector<std::string> fields;
  for (;;) {
    const absl::StatusOr<bool> more = csv.Next(&fields);
    result.status = more.status();
    if (!more.ok() || !*more) return result;
    fields[0] += "!";
    result.records.push_back({fields, lines.line_number()});
  }
}

using Records = decltype(Result::records);

void Add(CsvRecord record, Records* records) {
  record.fields.front() += "!";
  records->push_back({record.fields, record.last_line});
}

Result ReadInBlocks(const std::string& content, int64_t block_bytes,
                    int threads) {
  LineReader lines = LineReader::FromString(content, "a.csv");
  lines.SetBlockBytes(block_bytes);
  CsvLines csv;
  Result result;
  result.status = ForEachCsvBlock<Records>(
      &lines, &csv, threads, Add, [&](Records records) {
        std::move(records.begin(), records.end(),
                  std::back_inserter(result.records));
        return absl::OkStatus();
      });
  return result;
}

void ExpectSame(const std::string& content,
                const std::vector<int64_t>& sizes_of_blocks,
                const std::vector<int>& numbers_of_threads) {
  const Result expected = ReadOneByOne(content);
  for (const int64_t block_bytes : sizes_of_blocks) {
    for (const int threads : numbers_of_threads) {
      const Result result = ReadInBlocks(content, block_bytes, threads);
      ASSERT_EQ(result.status, expected.status) << content;
      ASSERT_EQ(result.records, expected.records)
          << content << "\nblocks of " << block_bytes << ", " << threads
          << " threads";
    }
  }
}

TEST(CsvRecordsTest, TheSameInBlocksOfAnySize) {
  for (const char* content :
       {"", "\n\n", "a", "a,b\n1,2\n", "a,b\r\n1,\"2\r\n\r\n3\"\r\n4,5\r\n",
        "a\n\"x\ny\nz\"\n\"\"\n\"\"\"\"\nb\n",
        // Quotes in fields that are not quoted, odd in number.
        "a,b\n5\" disk,1\n3\",\"2\n2\"\n6,7\n8\",9\n",
        "a\nb\"\n\"c\nd\"\ne\"\n\"f\n\"\"g\"\nh\"\n",
        // The header has several lines.
        "\"a\nb\",c\n1,\"2\n\"\n",
        // Bad records, the first of which counts.
        "a,b\n1,2\n1,2,3\n1\n", "a,b\n\"1\n2\"x,3\n1\n",
        "a,b\n\"1\n2\",3,4\n\"5\n", "a,b\n1,\"2\n3\n4\n5\n",
        "a,b\n1\",2\n\"x\"y,1\n", "\"", "a\n\"",
        "a,b\n\"1\n2\n3\n4\",\"5\n6\n7\",8\n9,10\n"}) {
    ExpectSame(content, {1, 3, 17, 100, 1 << 19}, {1, 2, 7});
  }
}

TEST(CsvRecordsTest, RandomText) {
  std::mt19937 random(11);
  const std::string pieces[] = {"\"",  "\"\"",     ",", "\n", "\r\n", "x",
                                "y z", "\"a\nb\"", ",", "\n", "\n\"", "\","};
  for (int round = 0; round < 300; ++round) {
    // One column refuses less.
    std::string content = round % 2 == 0 ? "a\n" : "a,b\n";
    const unsigned last = round % 2 == 0 && round % 4 == 0 ? 2 : 0;
    for (unsigned n = random() % 30; n > 0; --n) {
      const std::string& piece = pieces[random() % std::size(pieces)];
      if (last > 0 && absl::StrContains(piece, ',')) continue;
      content += piece;
    }
    ExpectSame(content, {1 + static_cast<int64_t>(random() % 20)}, {3});
  }
}

// Valid records of several lines, with stray quotes now and then.
TEST(CsvRecordsTest, LongRecordsOverManyBlocks) {
  std::mt19937 random(5);
  for (const int stray : {0, 200, 7}) {
    std::string content = "id,text\n";
    for (int i = 0; i < 2000; ++i) {
      absl::StrAppend(&content, i);
      if (stray > 0 && random() % stray == 0) content += "\"";
      content += ",\"";
      for (unsigned n = random() % 9; n > 0; --n) {
        content += "some \"\"words\"\",\n1,\"\"";
      }
      content += "\"\n";
      if (i == 1000)
        absl::StrAppend(&content, "x,\"", std::string(9000, '\n'), "\"\n");
    }
    const Result expected = ReadOneByOne(content);
    ASSERT_TRUE(expected.status.ok()) << expected.status;
    ASSERT_EQ(expected.records.size(), 2002);
    for (const int64_t block_bytes : {256, 4096}) {
      for (const int threads : {1, 2, 7}) {
        EXPECT_TRUE(ReadInBlocks(content, block_bytes, threads) == expected);
      }
    }
  }
}

TEST(CsvRecordsTest, ErrorsOfTheCallerAndOfTheInput) {
  std::string content;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&content, "\"a\n", i, "\"\n");
  LineReader lines = LineReader::FromString(content, "a.csv");
  lines.SetBlockBytes(64);
  CsvLines csv;
  int64_t taken = 0;
  const absl::Status status = ForEachCsvBlock<Records>(
      &lines, &csv, 3, Add, [&](const Records& records) {
        for (const auto& record : records) {
          ++taken;
          if (record.second == 400) return absl::OutOfRangeError("enough");
        }
        return absl::OkStatus();
      });
  EXPECT_EQ(status, absl::OutOfRangeError("enough"));
  EXPECT_EQ(taken, 200);
  EXPECT_FALSE(
      ForEachCsvBlock<Records>(&lines, &csv, -1, Add, [](const Records&) {
        return absl::OkStatus();
      }).ok());
}

}  // namespace
}  // namespace warpclust
