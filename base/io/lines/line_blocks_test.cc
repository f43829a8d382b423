// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/line_blocks.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/testing/gzip.h"
#include "base/io/testing/zstd.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Numbered {
  int64_t line;
  std::string text;

  bool operator==(const Numbered&) const = default;
};

struct Part {
  std::vector<Numbered> lines;
  absl::Status status;
};

constexpr absl::string_view kBad = "bad";

// The oracle: one line after the other, up to the first bad one.
absl::Status ReadSerially(LineReader lines, std::vector<Numbered>* result) {
  absl::string_view line;
  while (lines.Next(&line)) {
    if (line == kBad) return lines.Expected("a good line", line);
    result->push_back({lines.line_number(), std::string(line)});
  }
  return lines.status();
}

absl::Status ReadInBlocks(LineReader lines, int threads,
                          std::vector<Numbered>* result) {
  return ParseLineBlocks<Part>(
      lines, threads,
      [](LineReader& block) {
        Part part;
        absl::string_view line;
        while (block.Next(&line)) {
          if (line == kBad) {
            part.status = block.Expected("a good line", line);
            return part;
          }
          part.lines.push_back({block.line_number(), std::string(line)});
        }
        part.status = block.status();
        return part;
      },
      [&](Part part) {
        for (Numbered& line : part.lines) result->push_back(std::move(line));
        return part.status;
      });
}

std::string WriteFile(absl::string_view content) {
  const std::string path = absl::StrCat(testing::TempDir(), "/lines");
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

// In memory, and with `in_file` also in a file, of which threads read parts.
void ExpectSame(const std::string& content, bool in_file = false) {
  const std::string path = WriteFile(content);
  const auto open = [&](bool file) {
    return file ? *LineReader::Open(path)
                : LineReader::FromString(content, path);
  };
  std::vector<Numbered> expected;
  const absl::Status expected_status = ReadSerially(open(false), &expected);
  for (const bool file : {false, true}) {
    if (file && !in_file) continue;
    for (const int threads : {1, 2, 7}) {
      std::vector<Numbered> found;
      const absl::Status status = ReadInBlocks(open(file), threads, &found);
      EXPECT_EQ(status, expected_status) << threads << " threads";
      EXPECT_TRUE(found == expected)
          << threads << " threads" << (file ? ", a file" : "") << ": expected "
          << expected.size() << " lines, found " << found.size();
    }
  }
}

TEST(LineBlocks, SmallInputs) {
  for (const absl::string_view content :
       {"", "\n", "\n\n", "a", "a\n", "a\r\nb", "\xEF\xBB\xBF",
        "\xEF\xBB\xBF"
        "a\nb\n",
        "\xFF\xFE"
        "a",
        "bad", "a\nbad\nb\nbad"}) {
    ExpectSame(std::string(content), /*in_file=*/true);
  }
}

TEST(LineBlocks, RandomLines) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 12; ++round) {
    // Lines of all lengths, some longer than a block.
    std::string content;
    const size_t size = 1 + random() % 6'000'000;
    while (content.size() < size) {
      const int most = 1 << (random() % (round % 3 == 0 ? 21 : 9));
      content.append(random() % most, static_cast<char>('a' + random() % 26));
      if (random() % 5 == 0) content += '\r';
      content += '\n';
      if (round % 4 == 1 && random() % 20'000 == 0) content += "bad\n";
    }
    if (round % 2 == 0) content += "no end";
    ExpectSame(content, /*in_file=*/true);
    const std::string gzip = Gzip(content);
    ExpectSame(gzip);
    ExpectSame(absl::StrCat(gzip, gzip));
    // Truncated, and damaged: whole lines, then the error.
    ExpectSame(gzip.substr(0, gzip.size() - 1 - random() % gzip.size() / 2));
    std::string damaged = gzip;
    damaged[gzip.size() / 2 + random() % (gzip.size() / 4)] ^= 16;
    ExpectSame(damaged);
    const std::string zstd = Zstd(content);
    ExpectSame(absl::StrCat(zstd, zstd));
    ExpectSame(zstd.substr(0, zstd.size() - 1 - random() % zstd.size() / 2));
  }
}

// All lines, whatever the parts of the file are: ends of lines at, before and
// behind ends of parts, parts without one, a last line without an end.
TEST(LineBlocks, PartsOfAnySize) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string content;
    const uint64_t lines = random() % 60;
    for (uint64_t i = 0; i < lines; ++i) {
      const uint64_t most = random() % 8 == 0 ? 300 : 5;
      content.append(random() % most, 'x');
      if (i + 1 < lines || round % 2 == 0) content += '\n';
    }
    const std::string path = WriteFile(content);
    std::vector<Numbered> expected;
    ASSERT_TRUE(ReadSerially(*LineReader::Open(path), &expected).ok());
    for (const int threads : {2, 7}) {
      LineReader reader = *LineReader::Open(path);
      reader.SetBlockBytes(1 + static_cast<int64_t>(random() % 40));
      std::vector<Numbered> found;
      const absl::Status status =
          ReadInBlocks(std::move(reader), threads, &found);
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_TRUE(found == expected) << "round " << round;
    }
  }
}

// Counts the lines of a file that `change` changes while the first block is
// parsed: that one holds up all others after a few.
absl::StatusOr<int64_t> CountLinesWhile(const std::string& path,
                                        const std::function<void()>& change) {
  LineReader lines = *LineReader::Open(path);
  int64_t count = 0;
  RETURN_IF_ERROR(ParseLineBlocks<int64_t>(
      lines, 2,
      [&](LineReader& block) {
        int64_t in_block = 0;
        absl::string_view line;
        if (block.line_number() == 0) change();
        while (block.Next(&line)) ++in_block;
        return in_block;
      },
      [&](int64_t in_block) {
        count += in_block;
        return absl::OkStatus();
      }));
  return count;
}

TEST(LineBlocks, FileThatChanges) {
  std::string content;
  for (int i = 0; i < 1'000'000; ++i) content += "some line\n";
  const std::string path = WriteFile(content);
  const absl::StatusOr<int64_t> grown = CountLinesWhile(path, [&] {
    std::ofstream(path, std::ios::app) << "one\n" << content;
  });
  ASSERT_TRUE(grown.ok()) << grown.status();
  EXPECT_EQ(*grown, 2'000'001);
  const absl::StatusOr<int64_t> shrunk = CountLinesWhile(
      path, [&] { std::filesystem::resize_file(path, 3'000'000); });
  EXPECT_EQ(shrunk.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::StartsWith(shrunk.status().message(), path + ":"));
}

TEST(LineBlocks, CountsTheWork) {
  std::string content;
  for (int i = 0; i < 500'000; ++i) content += "some line\n";
  const std::string path = WriteFile(content);
  WorkShare work;
  LineReader lines = *LineReader::Open(path, &work);
  bool has_half = false;
  ASSERT_TRUE(ParseLineBlocks<int>(
                  lines, 3, [](LineReader&) { return 1; },
                  [&](int) {
                    has_half |= work.Share() > 0.3 && work.Share() < 0.7;
                    return absl::OkStatus();
                  })
                  .ok());
  EXPECT_TRUE(has_half);
  EXPECT_EQ(work.Share(), 1);
  EXPECT_LT(work.done(), work.total() * 1.1);
}

TEST(LineBlocks, StopsAtAnErrorOfMerge) {
  std::string content;
  for (int i = 0; i < 1'000'000; ++i) absl::StrAppend(&content, i, "\n");
  LineReader lines = LineReader::FromString(content);
  int merged = 0;
  EXPECT_EQ(ParseLineBlocks<int>(
                lines, 4, [](LineReader&) { return 1; },
                [&](int) {
                  return ++merged == 3 ? absl::AbortedError("enough")
                                       : absl::OkStatus();
                }),
            absl::AbortedError("enough"));
  EXPECT_EQ(merged, 3);
}

// Side by side with the merging of later blocks, once each, also at an error.
TEST(LineBlocks, RestOfMerging) {
  std::string content;
  for (int i = 0; i < 2'000'000; ++i) absl::StrAppend(&content, i, "\n");
  for (const int threads : {1, 2, 7}) {
    for (const int last : {5, 1000}) {
      LineReader lines = LineReader::FromString(content);
      std::vector<int> merged;
      std::vector<std::atomic<int>> done(1000);
      const absl::Status status = ParseLineBlocks<int64_t>(
          lines, threads, [](LineReader& block) { return block.line_number(); },
          [&](int64_t, std::function<void()>* rest) {
            const int number = static_cast<int>(merged.size());
            merged.push_back(number);
            if (number % 3 != 1) *rest = [&done, number] { ++done[number]; };
            return number == last ? absl::AbortedError("enough")
                                  : absl::OkStatus();
          });
      EXPECT_EQ(status.ok(), last == 1000);
      EXPECT_EQ(merged.size() == 6, last == 5);
      for (int number = 0; number < static_cast<int>(merged.size()); ++number) {
        EXPECT_EQ(done[number], number % 3 != 1) << number;
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
