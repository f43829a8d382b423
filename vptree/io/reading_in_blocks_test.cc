// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CSV and NPY points read by several threads, against one thread, which reads
// CSV line by line.

#include "base/io/testing/reading_in_blocks.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/io/byte_reader.h"
#include "base/io/line_reader.h"
#include "base/io/testing/gzip.h"
#include "gtest/gtest.h"
#include "vptree/io/csv_points.h"
#include "vptree/io/npy_points.h"

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
  for (int round = 0; round < 150; ++round) {
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
  EXPECT_GT(good, 40);
  EXPECT_LT(good, 260);
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

template <typename T>
std::string Npy(absl::string_view descr, int64_t n, const std::vector<T>& v) {
  std::string header =
      absl::StrCat("{'descr': '", descr,
                   "', 'fortran_order': False, 'shape': (", n, ", 2), }");
  header.resize(118 - 1, ' ');
  header += '\n';
  std::string content("\x93NUMPY\x01\x00\x76\x00", 10);
  content += header;
  content.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
  return content;
}

std::string ReadNpy(const std::string& content, int threads) {
  ByteReader bytes = ByteReader::FromString(content, "p.npy");
  const absl::StatusOr<PointMatrix> read = ReadNpyPoints(bytes, threads);
  CsvPoints points;
  if (read.ok()) points.points = *read;
  return read.ok() ? AsText(points) : read.status().ToString();
}

template <typename T>
void CompareNpy(absl::string_view descr) {
  constexpr int64_t kPoints = 90'000;
  std::mt19937_64 random(5);
  std::vector<T> values(2 * kPoints);
  for (T& value : values) value = static_cast<T>(random() % 128);
  std::vector<std::string> contents = {Npy(descr, kPoints, values),
                                       Npy(descr, kPoints + 1, values),
                                       Npy(descr, kPoints - 1, values)};
  if constexpr (!std::is_integral_v<T>) {
    // Two bad values, one of them behind the end that is stated.
    values[150'001] = std::nan("");
    values[40'000] = -INFINITY;
    contents.push_back(Npy(descr, kPoints, values));
    values[40'000] = 0;
    contents.push_back(Npy(descr, kPoints, values));
    contents.push_back(Npy(descr, kPoints + 9, values));
    contents.push_back(Npy(descr, 75'000, values));
  }
  for (size_t i = contents.size(); i-- > 0;) {
    const std::string gzip = Gzip(contents[i], 1);
    contents.push_back(gzip);
    for (int part = 1; part < 8; ++part) {
      contents.push_back(gzip.substr(0, gzip.size() * part / 8));
      contents.push_back(gzip);
      contents.back()[gzip.size() * part / 8] ^= 16;
    }
  }
  for (const std::string& content : contents) {
    const std::string expected = ReadNpy(content, 1);
    for (const int threads : {2, 7, 16}) {
      ASSERT_TRUE(ReadNpy(content, threads) == expected) << threads;
    }
  }
  // The values themselves.
  ByteReader bytes = ByteReader::FromString(contents[0], "p.npy");
  const absl::StatusOr<PointMatrix> read = ReadNpyPoints(bytes, 7);
  ASSERT_TRUE(read.ok()) << read.status();
  std::mt19937_64 again(5);
  for (const double value : read->values) {
    ASSERT_EQ(value, static_cast<double>(again() % 128));
  }
}

TEST(ReadingInBlocks, NpyPoints) {
  CompareNpy<double>("<f8");
  CompareNpy<float>("<f4");
  CompareNpy<uint8_t>("|u1");
  CompareNpy<int64_t>("<i8");
}

}  // namespace
}  // namespace warpclust
