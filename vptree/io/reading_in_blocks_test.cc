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
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/io/line_reader.h"
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
