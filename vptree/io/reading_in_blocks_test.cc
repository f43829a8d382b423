// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CSV points read in blocks by several threads, against one thread that reads
// line by line.

#include "base/io/testing/reading_in_blocks.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/io/lines/line_reader.h"
#include "base/io/testing/told_rows.h"
#include "gtest/gtest.h"
#include "vptree/io/csv_points.h"

namespace warpclust {
namespace {

std::string AsText(const absl::StatusOr<CsvPoints>& read) {
  if (!read.ok()) return read.status().ToString();
  std::string text = absl::StrCat(
      read->points.num_points, " ", read->points.num_dimensions, "\n",
      absl::StrJoin(read->header, ","), "\n", absl::StrJoin(read->names, ","),
      "\n", read->name_column, "\n", absl::StrJoin(read->left_out, ","), "\n",
      absl::StrJoin(read->ids, ","), "\n");
  for (const double value : read->points.values) {
    char bytes[sizeof(double)];
    std::memcpy(bytes, &value, sizeof(double));
    text.append(bytes, sizeof(double));
  }
  return text;
}

std::string ReadAll(LineReader& lines, int threads) {
  CsvPointsOptions options;
  options.num_threads = threads;
  options.leave_out_ids = true;
  return AsText(ReadCsvPoints(lines, options));
}

// What a watch is told, it is told as it is read.
std::string ReadTold(LineReader& lines, int threads) {
  ToldRows<double> told;
  CsvPointsOptions options;
  options.num_threads = threads;
  options.leave_out_ids = true;
  options.watch = told.Watch();
  const absl::StatusOr<CsvPoints> read = ReadCsvPoints(lines, options);
  if (read.ok()) {
    told.ExpectParts(read->points.values, read->points.num_points,
                     read->points.num_dimensions);
  }
  return AsText(read);
}

// The first column has names, of which none may occur twice.
std::string ReadNamed(LineReader& lines, int threads) {
  CsvPointsOptions options;
  options.num_threads = threads;
  options.name_column = "1";
  std::set<std::string> names;
  options.check_name = [&](absl::string_view file, int64_t line,
                           absl::string_view name) {
    return names.emplace(name).second
               ? absl::OkStatus()
               : ExpectedInput(file, line, "another name", name);
  };
  return AsText(ReadCsvPoints(lines, options));
}

std::string RandomPoints(int round) {
  std::mt19937_64 random(round);
  const auto chance = [&](int one_in) { return random() % one_in == 0; };
  const absl::string_view separator =
      std::vector<absl::string_view>{",", ";", "\t", " ", ", "}[random() % 5];
  const int columns = 1 + random() % 4;
  std::string content;
  if (chance(4)) content += "\xEF\xBB\xBF";
  if (chance(5)) content += "sep=;\n";
  if (chance(3)) content += "# a comment\n\n";
  if (chance(2)) {
    absl::StrAppend(&content, chance(2) ? "id" : "x");
    for (int c = 1; c < columns; ++c) absl::StrAppend(&content, separator, "c");
    content += "\n";
  }
  const bool counted = chance(2);
  const bool bad = chance(3);
  const int lines = random() % 300;
  for (int i = 0; i < lines; ++i) {
    if (chance(12)) content += " ";
    for (int c = 0; c < columns; ++c) {
      if (c == 0 && counted) {
        absl::StrAppend(&content, i);
        continue;
      }
      if (c > 0) absl::StrAppend(&content, separator);
      const double value =
          (static_cast<double>(random() % 100'000) - 5e4) / 128;
      absl::StrAppend(&content, chance(9) ? "\"" : "");
      const bool quoted = content.back() == '"';
      absl::StrAppend(&content, value, quoted ? "\"" : "");
    }
    content += chance(20) ? " \r\n" : "\n";
    if (chance(50)) content += "# c\n\n";
    if (!bad || !chance(60)) continue;
    static constexpr absl::string_view kBad[] = {
        "1",     "1,2,3,4,5", "x,1",   "nan,2", "1e200", "1,5;2,5",
        "\"1,2", "#1,2",      "1;;2",  "7,8",   "#x",    "\"open\n\"",
        "- 1",   "1 2 3",     "1,,2,", "0"};
    absl::StrAppend(&content, kBad[random() % std::size(kBad)], "\n");
  }
  if (chance(2) && !content.empty()) content.pop_back();
  return content;
}

TEST(ReadingInBlocks, CsvPoints) {
  int good = 0;
  for (int round = 0; round < 80; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", round));
    const std::string content = RandomPoints(round);
    ExpectSameInBlocks(content, ReadAll);
    ExpectSameInBlocks(content, ReadTold);
    ExpectSameInBlocks(content, ReadNamed);
    if (HasFatalFailure()) return;
    for (const auto& read : {ReadAll, ReadNamed}) {
      LineReader lines = LineReader::FromString(content);
      good += absl::StrContains(read(lines, 2), "expected") ? 0 : 1;
    }
  }
  EXPECT_GT(good, 20);
  EXPECT_LT(good, 140);
}

TEST(ReadingInBlocks, TellsPointsOfAllBlocks) {
  std::string content = "x,y\n";
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&content, i + 7, ",", i, "\n");
  // The first column could count, until the second line says otherwise.
  for (const bool may_count : {false, true}) {
    if (may_count) content.replace(4, 1, "1");
    LineReader lines = LineReader::FromString(content);
    lines.SetBlockBytes(1000);
    ToldRows<double> told;
    CsvPointsOptions options;
    options.num_threads = 3;
    options.leave_out_ids = true;
    options.watch = told.Watch();
    const absl::StatusOr<CsvPoints> read = ReadCsvPoints(lines, options);
    ASSERT_TRUE(read.ok()) << read.status();
    const int64_t values = told.ExpectParts(read->points.values, 5000, 2);
    // All but those before the first block.
    EXPECT_EQ(values, may_count ? 0 : 2 * 4999);
  }
}

// Reads `content` in `num_shares` shares of blocks of lines.
absl::StatusOr<CsvPoints> ReadInShares(const std::string& content,
                                       int num_shares, int block_bytes,
                                       int threads) {
  LineReader all = LineReader::FromString(content);
  all.SetBlockBytes(block_bytes);
  std::vector<LineBlock> blocks;
  for (LineBlock block; all.NextBlock(&block);) blocks.push_back(block);
  CsvPointsOptions options;
  options.num_threads = threads;
  options.leave_out_ids = true;
  std::vector<CsvPointShare> shares;
  std::vector<int64_t> begins = {0};
  for (int s = 0; s < num_shares; ++s) {
    LineReader head = LineReader::FromString(content);
    absl::StatusOr<CsvPointShare> share = CsvPointShare::Begin(head, options);
    if (!share.ok()) return share.status();
    const size_t end = blocks.size() * (s + 1) / num_shares;
    for (size_t b = blocks.size() * s / num_shares; b < end; ++b) {
      LineReader lines = LineReader::FromBlock(blocks[b]);
      const absl::Status status = share->Add(lines);
      if (!status.ok()) return status;
    }
    begins.push_back(begins.back() + share->num_points());
    shares.push_back(*std::move(share));
  }
  bool counts = true;
  for (int s = 0; s < num_shares; ++s) {
    counts = counts && shares[s].FirstCounts(begins[s], begins.back());
  }
  CsvPoints joined = shares[0].Finish(counts);
  for (int s = 1; s < num_shares; ++s) {
    const CsvPoints share = shares[s].Finish(counts);
    EXPECT_EQ(share.left_out, joined.left_out);
    EXPECT_EQ(share.points.num_dimensions, joined.points.num_dimensions);
    joined.points.num_points += share.points.num_points;
    joined.points.values.insert(joined.points.values.end(),
                                share.points.values.begin(),
                                share.points.values.end());
  }
  return joined;
}

TEST(ReadingInBlocks, SharesOfCsvPoints) {
  int good = 0;
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", round));
    const std::string content = RandomPoints(round);
    LineReader lines = LineReader::FromString(content);
    CsvPointsOptions options;
    options.leave_out_ids = true;
    absl::StatusOr<CsvPoints> expected = ReadCsvPoints(lines, options);
    if (expected.ok()) {
      ++good;
      expected->header.clear();
    }
    for (int p = 1; p <= 7; ++p) {
      EXPECT_EQ(AsText(ReadInShares(content, p, 1 << (round % 9), 1 + p % 2)),
                AsText(expected))
          << p << " shares";
    }
  }
  EXPECT_GT(good, 20);
  EXPECT_LT(good, 110);
}

TEST(ReadingInBlocks, ManyCsvPoints) {
  // Blocks of the usual size.
  std::mt19937_64 random(3);
  std::string content = "id,x,y\n";
  for (int i = 0; i < 150'000; ++i) {
    absl::StrAppend(&content, i, ",", random() % 100'000, ".5,",
                    static_cast<double>(random() % 1'000'000) / 7, "\n");
  }
  for (const auto& read : {ReadAll, ReadNamed}) {
    LineReader serially = LineReader::FromString(content);
    const std::string expected = read(serially, 1);
    for (const int threads : {2, 7, 16}) {
      LineReader lines = LineReader::FromString(content);
      EXPECT_TRUE(read(lines, threads) == expected) << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace warpclust
