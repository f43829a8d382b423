// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/line_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/testing/gzip.h"
#include "base/io/testing/zstd.h"
#include "base/machine/work_share.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Lines {
  std::vector<std::string> lines;
  absl::Status status;
  int64_t last_number = 0;
};

Lines ReadAll(LineReader reader) {
  Lines result;
  absl::string_view line;
  while (reader.Next(&line)) {
    result.lines.emplace_back(line);
    EXPECT_EQ(reader.line_number(), static_cast<int64_t>(result.lines.size()));
  }
  EXPECT_FALSE(reader.Next(&line));  // And it stays at the end.
  result.status = reader.status();
  result.last_number = reader.line_number();
  return result;
}

Lines ReadString(std::string content) {
  return ReadAll(LineReader::FromString(std::move(content), "f"));
}

using Strings = std::vector<std::string>;

TEST(LineReaderTest, LineEnds) {
  EXPECT_EQ(ReadString("").lines, Strings());
  EXPECT_EQ(ReadString("\n").lines, Strings({""}));
  EXPECT_EQ(ReadString("a").lines, Strings({"a"}));
  EXPECT_EQ(ReadString("a\n").lines, Strings({"a"}));
  EXPECT_EQ(ReadString("a\n\nb").lines, Strings({"a", "", "b"}));
  EXPECT_EQ(ReadString("a\r\nb\r\n").lines, Strings({"a", "b"}));
  EXPECT_EQ(ReadString("\r\n").lines, Strings({""}));
  // A carriage return elsewhere is content.
  EXPECT_EQ(ReadString("a\rb\n").lines, Strings({"a\rb"}));
  EXPECT_EQ(ReadString(std::string("a\0b\n", 4)).lines,
            Strings({std::string("a\0b", 3)}));
  EXPECT_EQ(ReadString("\xEF\xBB\xBFx\n\xEF\xBB\xBFy").lines,
            Strings({"x", "\xEF\xBB\xBFy"}));
  // One byte of the gzip magic is plain text.
  EXPECT_EQ(ReadString("\x1f").lines, Strings({"\x1f"}));
}

TEST(LineReaderTest, FileMarks) {
  EXPECT_TRUE(StartsWithFileMark("\xEF\xBB\xBFx"));
  EXPECT_TRUE(StartsWithFileMark("\x1F\x8B"));
  for (const char* plain : {"", "\xEF\xBB", "\x1F", "x\xEF\xBB\xBF"}) {
    EXPECT_FALSE(StartsWithFileMark(plain)) << plain;
  }
}

TEST(LineReaderTest, Utf16IsRefused) {
  for (const char* mark : {"\xFF\xFE", "\xFE\xFF"}) {
    EXPECT_TRUE(StartsWithFileMark(mark));
    LineReader lines =
        LineReader::FromString(absl::StrCat(mark, "x\ny\n"), "a.txt");
    absl::string_view line;
    EXPECT_FALSE(lines.Next(&line));
    EXPECT_TRUE(lines.ended());
    EXPECT_EQ(lines.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StartsWith(
        lines.status().message(),
        "a.txt:1: expected UTF-8, found the byte order mark of UTF-16"))
        << lines.status();
    // Only a file starts so.
    EXPECT_EQ(ReadString(absl::StrCat("x\n", mark)).lines,
              Strings({"x", mark}));
  }
}

TEST(LineReaderTest, RandomLinesPlainAndCompressed) {
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 12; ++round) {
    Strings lines;
    std::string content;
    const int count = random() % 50;
    for (int i = 0; i < count; ++i) {
      // Around the sizes of the buffers, and small.
      const size_t length =
          random() % 4 == 0 ? random() % (1 << 18) : random() % 20;
      std::string line(length, ' ');
      for (char& byte : line) byte = static_cast<char>('!' + random() % 64);
      content += line;
      content += random() % 2 == 0 ? "\n" : "\r\n";
      lines.push_back(std::move(line));
    }
    Lines plain = ReadString(content);
    ASSERT_TRUE(plain.status.ok()) << plain.status;
    ASSERT_EQ(plain.lines, lines) << "seed " << kSeed << " round " << round;
    const size_t half = content.size() / 2;
    Lines zipped = ReadString(Gzip(content));
    ASSERT_TRUE(zipped.status.ok()) << zipped.status;
    ASSERT_EQ(zipped.lines, lines);
    // Members may end anywhere, and zeros may follow the last.
    Lines members = ReadString(
        absl::StrCat(Gzip(content.substr(0, half)), Gzip(""),
                     Gzip(content.substr(half)), std::string(700, '\0')));
    ASSERT_TRUE(members.status.ok()) << members.status;
    ASSERT_EQ(members.lines, lines);
    Lines frames = ReadString(absl::StrCat(
        Zstd(content.substr(0, half)), Zstd(""), Zstd(content.substr(half))));
    ASSERT_TRUE(frames.status.ok()) << frames.status;
    ASSERT_EQ(frames.lines, lines);
  }
}

TEST(LineReaderTest, LinesOfManyMegabytes) {
  const std::string a(5'000'001, 'a'), b(9'999'999, 'b');
  EXPECT_EQ(ReadString(Gzip(absl::StrCat(a, "\n", b))).lines, Strings({a, b}));
}

TEST(LineReaderTest, TruncatedAtEveryByte) {
  std::string content;
  for (int i = 0; i < 40; ++i) absl::StrAppend(&content, i * 7919, " x\n");
  const std::string gzip = Gzip(content);
  const std::string zstd = Zstd(content);
  for (const auto& [zipped, mark] : {std::pair(gzip, 2), std::pair(zstd, 4)}) {
    for (size_t size = mark; size < zipped.size(); ++size) {
      const Lines result = ReadString(zipped.substr(0, size));
      ASSERT_EQ(result.status.code(), absl::StatusCode::kDataLoss) << size;
      EXPECT_TRUE(absl::StrContains(result.status.message(), "truncated"));
      // Only whole lines come before the error, which is on the next one.
      for (size_t i = 0; i < result.lines.size(); ++i) {
        ASSERT_EQ(result.lines[i], absl::StrCat(i * 7919, " x"));
      }
      const std::string place =
          absl::StrCat("f:", result.lines.size() + 1, ": expected");
      ASSERT_TRUE(absl::StartsWith(result.status.message(), place))
          << result.status;
    }
    EXPECT_TRUE(ReadString(zipped).status.ok());
  }
}

TEST(LineReaderTest, CorruptZstd) {
  std::string content;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&content, i * 7919, "\n");
  const std::string zstd = Zstd(content);
  for (size_t i = 4; i < zstd.size(); ++i) {
    std::string flipped = zstd;
    flipped[i] ^= 1;
    const Lines result = ReadString(flipped);
    // A few bits say nothing.
    if (result.status.ok()) {
      EXPECT_EQ(result.lines, ReadString(content).lines) << i;
    } else {
      EXPECT_EQ(result.status.code(), absl::StatusCode::kDataLoss) << i;
    }
  }
  std::string flipped = zstd;
  flipped.back() ^= 1;
  Lines result = ReadString(flipped);
  EXPECT_TRUE(absl::StrContains(result.status.message(),
                                "expected an intact zstd stream, found damage "
                                "(Restored data doesn't match checksum)"))
      << result.status;
  result = ReadString(absl::StrCat(Zstd("a\nb\n"), "rest"));
  EXPECT_EQ(result.lines, Strings({"a", "b"}));
  EXPECT_TRUE(absl::StrContains(result.status.message(),
                                "f:3: expected another zstd frame or the end"))
      << result.status;
}

TEST(LineReaderTest, ZstdFramesToSkip) {
  const std::string skipped("\x5A\x2A\x4D\x18\x03\0\0\0abc", 11);
  for (const std::string& content :
       {skipped + Zstd("a\nb") + skipped + Zstd("\nc\n"),
        Zstd("a\nb\n") + skipped + skipped + Zstd("c")}) {
    const Lines result = ReadString(content);
    EXPECT_TRUE(result.status.ok()) << result.status;
    EXPECT_EQ(result.lines, Strings({"a", "b", "c"}));
  }
  // Beginnings of marks are text.
  for (const char* text : {"(", "(\xB5", "(\xB5/", "P", "Z*", "Z*M", "(a"}) {
    EXPECT_EQ(ReadString(text).lines, Strings({text}));
  }
}

TEST(LineReaderTest, MostBlocksLeft) {
  EXPECT_GT(LineReader::FromString("a\n").MostBlocksLeft(), 1000);
  std::string content;
  for (int i = 0; i < 400000; ++i) absl::StrAppend(&content, i * 7919LL, "\n");
  const std::string path = testing::TempDir() + "/blocks_left.txt";
  for (const std::string& stored : {content, Gzip(content)}) {
    std::ofstream(path, std::ios::binary) << stored;
    absl::StatusOr<LineReader> lines = LineReader::Open(path);
    ASSERT_TRUE(lines.ok()) << lines.status();
    const int64_t most = lines->MostBlocksLeft();
    int64_t blocks = 0;
    LineBlock block;
    while (lines->NextBlock(&block)) ++blocks;
    EXPECT_GT(blocks, 5);
    EXPECT_GE(most, blocks);
    EXPECT_LE(most, 16 * blocks);
    EXPECT_EQ(lines->MostBlocksLeft(), 1);
  }
}

// With many threads, small files have small blocks, compressed or not.
TEST(LineReaderTest, FitBlocks) {
  std::string content;
  for (int i = 0; i < 400000; ++i) absl::StrAppend(&content, i * 7919LL, "\n");
  const std::string path = testing::TempDir() + "/fit_blocks.txt";
  for (const std::string& stored : {content, Gzip(content)}) {
    std::ofstream(path, std::ios::binary) << stored;
    std::vector<int64_t> blocks;
    for (const int threads : {1, 16}) {
      absl::StatusOr<LineReader> lines = LineReader::Open(path);
      ASSERT_TRUE(lines.ok()) << lines.status();
      lines->FitBlocks(threads);
      std::string read;
      LineBlock block;
      blocks.push_back(0);
      for (; lines->NextBlock(&block); ++blocks.back()) {
        absl::StrAppend(&read, block.bytes);
      }
      EXPECT_EQ(read, content);
    }
    EXPECT_GE(blocks[1], 3 * blocks[0]);
  }
}

TEST(LineReaderTest, CorruptGzip) {
  std::string content;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&content, i * 7919, "\n");
  std::string flipped = Gzip(content);
  flipped[flipped.size() - 6] ^= 1;  // The checksum.
  Lines result = ReadString(flipped);
  EXPECT_EQ(result.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(absl::StrContains(result.status.message(), "incorrect checksum"))
      << result.status;
  result = ReadString(absl::StrCat(Gzip("a\nb\n"), "rest"));
  EXPECT_EQ(result.lines, Strings({"a", "b"}));
  EXPECT_TRUE(absl::StrContains(result.status.message(), "f:3: expected"))
      << result.status;
}

TEST(LineReaderTest, FilesAndPathErrors) {
  const std::string path = absl::StrCat(testing::TempDir(), "/lines.gz");
  std::ofstream(path, std::ios::binary) << Gzip("one\ntwo");
  absl::StatusOr<LineReader> reader = LineReader::Open(path);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(reader->name(), path);
  EXPECT_EQ(ReadAll(*std::move(reader)).lines, Strings({"one", "two"}));
  EXPECT_EQ(*ReadWholeFile(path), "one\ntwo");
  EXPECT_EQ(ReadWholeFile(path, 3).status().code(),
            absl::StatusCode::kResourceExhausted);
  std::remove(path.c_str());

  const absl::Status missing = LineReader::Open(path).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(missing.message(), path)) << missing;
  const absl::Status directory = LineReader::Open(testing::TempDir()).status();
  EXPECT_EQ(directory.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(directory.message(), "found a directory"));
}

// A pipe to write to, and a reader of its other end.
struct Pipe {
  Pipe() {
    EXPECT_EQ(pipe(ends), 0);
    reader = LineReader::Open(absl::StrCat("/dev/fd/", ends[0]));
    EXPECT_TRUE(reader.ok()) << reader.status();
  }
  ~Pipe() {
    close(ends[0]);
    Close();
  }
  void Write(absl::string_view bytes) {
    EXPECT_EQ(write(ends[1], bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  void Close() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
  // The result of NextNow: the line, "-" if none has arrived, "." at the end.
  std::string Now() {
    absl::string_view line;
    if (reader->NextNow(&line)) return std::string(line);
    return reader->ended() ? "." : "-";
  }

  int ends[2] = {-1, -1};
  absl::StatusOr<LineReader> reader = absl::UnknownError("");
};

TEST(LineReaderTest, NextNowDoesNotWait) {
  Pipe pipe;
  EXPECT_EQ(pipe.Now(), "-");
  pipe.Write("o");
  EXPECT_EQ(pipe.Now(), "-");
  pipe.Write("ne\ntwo\nthr");
  EXPECT_EQ(pipe.Now(), "one");
  EXPECT_EQ(pipe.Now(), "two");
  EXPECT_EQ(pipe.Now(), "-");
  EXPECT_EQ(pipe.Now(), "-");
  pipe.reader->Wait(1);
  pipe.Write("ee\nfour\nfive");
  pipe.reader->Wait(60000);
  // Next and NextNow may be mixed.
  absl::string_view line;
  ASSERT_TRUE(pipe.reader->Next(&line));
  EXPECT_EQ(line, "three");
  EXPECT_EQ(pipe.Now(), "four");
  EXPECT_EQ(pipe.Now(), "-");
  pipe.Close();
  pipe.reader->Wait(60000);
  EXPECT_EQ(pipe.Now(), "five");
  EXPECT_EQ(pipe.Now(), ".");
  EXPECT_EQ(pipe.Now(), ".");
  EXPECT_EQ(pipe.reader->line_number(), 5);
  EXPECT_TRUE(pipe.reader->status().ok());
}

// A non-blocking descriptor, as parents that poll leave behind.
TEST(LineReaderTest, WaitsWhereTheDescriptorDoesNot) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  const int standard_input = dup(STDIN_FILENO);
  ASSERT_EQ(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  std::thread writer([&] {
    for (const char* bytes : {"on", "e\ntwo\n"}) {
      usleep(20000);
      EXPECT_GT(write(ends[1], bytes, strlen(bytes)), 0);
    }
    close(ends[1]);
  });
  absl::StatusOr<LineReader> lines = LineReader::Open("-");
  absl::string_view line;
  EXPECT_TRUE(lines->Next(&line));
  EXPECT_EQ(line, "one");
  EXPECT_TRUE(lines->Next(&line));
  EXPECT_FALSE(lines->Next(&line));
  EXPECT_TRUE(lines->status().ok()) << lines->status();
  writer.join();
  dup2(standard_input, STDIN_FILENO);
  close(standard_input);
  close(ends[0]);
}

TEST(LineReaderTest, NextNowInflates) {
  const std::string zipped = absl::StrCat(Gzip("one\ntwo\n"), Gzip("three\n"));
  // Byte by byte, the marks and borders of members included.
  Pipe pipe;
  Strings lines;
  for (const char byte : zipped) {
    pipe.Write(absl::string_view(&byte, 1));
    for (std::string now = pipe.Now(); now != "-"; now = pipe.Now()) {
      lines.push_back(now);
    }
  }
  EXPECT_EQ(lines, Strings({"one", "two", "three"}));
  pipe.Close();
  EXPECT_EQ(pipe.Now(), ".");
  EXPECT_TRUE(pipe.reader->status().ok()) << pipe.reader->status();

  Pipe cut;
  cut.Write(absl::string_view(zipped).substr(0, zipped.size() - 3));
  cut.Close();
  lines.clear();
  for (std::string now = cut.Now(); now != "."; now = cut.Now()) {
    lines.push_back(now);
  }
  EXPECT_EQ(lines, Strings({"one", "two", "three"}));
  EXPECT_EQ(cut.reader->status().code(), absl::StatusCode::kDataLoss);
}

TEST(LineReaderTest, Messages) {
  LineReader reader = LineReader::FromString("x\ny\n", "edges.txt");
  absl::string_view line;
  ASSERT_TRUE(reader.Next(&line));
  ASSERT_TRUE(reader.Next(&line));
  EXPECT_EQ(reader.Expected("two columns", line).message(),
            "edges.txt:2: expected two columns, found 'y'");
  EXPECT_TRUE(reader.Annotate(absl::OkStatus()).ok());
  EXPECT_EQ(QuoteInput(""), "nothing");
  EXPECT_EQ(QuoteInput(absl::string_view("a\0\t", 3)), "'a\\x00\\t'");
  EXPECT_EQ(QuoteInput("caf\xC3\xA9"), "'caf\xC3\xA9'");
  EXPECT_EQ(QuoteInput("\xFF"), "'\\xff'");
  EXPECT_EQ(QuoteInput(R"({"a": "it's \"\\"})"), R"('{"a": "it\'s \\"\\\\"}')");
  EXPECT_EQ(QuoteInput(std::string(50, 'a')),
            absl::StrCat("'", std::string(40, 'a'), "...'"));
  // The cut does not split a code point.
  std::string accents(39, 'a');
  absl::StrAppend(&accents, "\xC3\xA9", std::string(20, 'b'));
  EXPECT_EQ(QuoteInput(accents),
            absl::StrCat("'", std::string(39, 'a'), "...'"));
}

TEST(LineReaderTest, CountsTheBytesOfAFile) {
  const std::string path = absl::StrCat(testing::TempDir(), "/counted");
  const std::string text(size_t{1} << 21, '\n');
  for (const std::string& content : {text, Gzip(text), std::string()}) {
    std::ofstream(path, std::ios::binary) << content;
    WorkShare work;
    {
      absl::StatusOr<LineReader> lines = LineReader::Open(path, &work);
      ASSERT_TRUE(lines.ok()) << lines.status();
      EXPECT_EQ(work.total(), static_cast<int64_t>(content.size()));
      EXPECT_EQ(work.Share(), content.empty() ? -1 : 0);
      absl::string_view line;
      ASSERT_EQ(lines->Next(&line), !content.empty());
      if (content == text) {
        EXPECT_GT(work.Share(), 0);
        EXPECT_LT(work.Share(), 1);
      }
      while (lines->Next(&line)) {
      }
      EXPECT_EQ(work.done(), work.total());
    }
    EXPECT_EQ(work.Share(), -1);
  }
}

// Standard input: from where it stands; the size of a pipe is unknown.
TEST(LineReaderTest, CountsStandardInputIfItIsAFile) {
  const std::string path = absl::StrCat(testing::TempDir(), "/standard_input");
  std::ofstream(path) << std::string(1000, 'x');
  const int before = dup(STDIN_FILENO);
  const int file = open(path.c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  ASSERT_EQ(dup2(file, STDIN_FILENO), STDIN_FILENO);
  ASSERT_EQ(lseek(file, 400, SEEK_SET), 400);
  WorkShare work;
  {
    const auto lines = LineReader::Open("-", &work);
    ASSERT_TRUE(lines.ok()) << lines.status();
    EXPECT_EQ(work.Share(), 0.4);
  }
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  ASSERT_EQ(write(ends[1], "x\n", 2), 2);
  {
    absl::StatusOr<LineReader> lines = LineReader::Open("-", &work);
    ASSERT_TRUE(lines.ok()) << lines.status();
    absl::string_view line;
    ASSERT_TRUE(lines->Next(&line));
    EXPECT_EQ(work.Share(), -1);
    EXPECT_EQ(work.done(), 2);
  }
  for (const int descriptor : {file, ends[0], ends[1]}) close(descriptor);
  if (before >= 0) {
    dup2(before, STDIN_FILENO);
    close(before);
  }
}

}  // namespace
}  // namespace warpclust
