// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/slices.h"

#include <atomic>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int kThreads[] = {1, 2, 7, 16};

TEST(SlicesTest, EachElementOnce) {
  for (const int threads : kThreads) {
    for (const int64_t size : {0, 1, 9, 10, 11, 1000}) {
      std::vector<std::atomic<int>> seen(size);
      const absl::Status status =
          ForSlices(size, 10, threads, [&](int64_t begin, int64_t end) {
            EXPECT_LT(begin, end);
            EXPECT_LE(end - begin, 10);
            for (int64_t i = begin; i < end; ++i) ++seen[i];
            return absl::OkStatus();
          });
      EXPECT_TRUE(status.ok());
      for (const std::atomic<int>& count : seen) EXPECT_EQ(count, 1);
    }
  }
}

TEST(SlicesTest, TheFirstErrorWins) {
  for (const int threads : kThreads) {
    for (const int64_t first_bad : {0, 37, 99}) {
      const absl::Status status =
          ForSlices(1000, 10, threads, [&](int64_t begin, int64_t) {
            return begin / 10 < first_bad
                       ? absl::OkStatus()
                       : absl::InvalidArgumentError(absl::StrCat(begin));
          });
      EXPECT_EQ(status,
                absl::InvalidArgumentError(absl::StrCat(first_bad * 10)));
    }
  }
}

std::string Content(int64_t size) {
  std::string content(size, '\0');
  for (int64_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 7 / 3);
  return content;
}

// Before the slices some bytes are read, after them the rest.
TEST(SlicesTest, AFileLikeOneThread) {
  const std::string content = Content(700001);
  const std::string path = absl::StrCat(testing::TempDir(), "/slices");
  std::ofstream(path, std::ios::binary) << content;
  for (const int threads : kThreads) {
    for (const int64_t before : {1, 1000, 400000}) {
      absl::StatusOr<ByteReader> bytes = ByteReader::Open(path);
      ASSERT_TRUE(bytes.ok()) << bytes.status();
      EXPECT_EQ(bytes->PlainBytesLeft(), -1);
      std::string read(content.size(), '\0');
      ASSERT_EQ(*ReadUpTo(*bytes, read.data(), before), before);
      EXPECT_EQ(bytes->PlainBytesLeft(), 700001 - before);
      const int64_t size = 300000;
      const absl::Status status =
          ReadSlices(*bytes, size, 4096, threads,
                     [&](int64_t begin, absl::string_view slice) {
                       slice.copy(&read[before + begin], slice.size());
                       return absl::OkStatus();
                     });
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_EQ(bytes->PlainBytesLeft(), 400001 - before);
      const int64_t rest = 400001 - before;
      EXPECT_EQ(*ReadUpTo(*bytes, &read[before + size], rest + 1), rest);
      EXPECT_TRUE(read == content);
    }
  }
}

TEST(SlicesTest, AFileThatBecomesShorter) {
  const std::string path = absl::StrCat(testing::TempDir(), "/shorter");
  std::ofstream(path, std::ios::binary) << Content(700000);
  absl::StatusOr<ByteReader> bytes = ByteReader::Open(path);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  char first;
  ASSERT_EQ(*bytes->Read(&first, 1), 1);
  std::ofstream(path, std::ios::binary) << Content(500000);
  const absl::Status status =
      ReadSlices(*bytes, 699999, 4096, 4,
                 [](int64_t, absl::string_view) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST(SlicesTest, OtherSourcesHaveNoPlainBytes) {
  ByteReader bytes = ByteReader::FromString("content", "name");
  char first;
  ASSERT_EQ(*bytes.Read(&first, 1), 1);
  EXPECT_EQ(bytes.PlainBytesLeft(), -1);
}

}  // namespace
}  // namespace warpclust
