// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/appended_file.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(AppendedFileTest, AppendsAndEnds) {
  const std::string path = absl::StrCat(testing::TempDir(), "/appended");
  unlink(path.c_str());
  {
    absl::StatusOr<AppendedFile> file = AppendedFile::Open(path);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(file->size(), 0);
    ASSERT_TRUE(file->Append("one\n").ok());
    EXPECT_EQ(Read(path), "one\n");  // At once.
    ASSERT_TRUE(file->Append("").ok());
    ASSERT_TRUE(file->Sync().ok());
  }
  absl::StatusOr<AppendedFile> file = AppendedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), 4);
  EXPECT_EQ(file->path()[0], '/');
  // Nothing missing, half a line missing, all missing, too much.
  for (const char* tail :
       {"two\nthree\n", "two\nth", "two\n", "t", "", "two\nthree\nfour\n"}) {
    std::ofstream(path, std::ios::binary) << "one\n" << tail;
    absl::StatusOr<AppendedFile> cut = AppendedFile::Open(path);
    ASSERT_TRUE(cut.ok()) << cut.status();
    const absl::Status status = cut->EndWith(4, "two\nthree\n", true);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(Read(path), "one\ntwo\nthree\n") << tail;
    EXPECT_EQ(cut->size(), 14);
  }
  for (const auto& [begin, text] : {std::pair<int64_t, const char*>{15, ""},
                                    {4, "twenty"},
                                    {0, "x"},
                                    {4, "two\n"},
                                    {4, ""}}) {
    absl::StatusOr<AppendedFile> other = AppendedFile::Open(path);
    ASSERT_TRUE(other.ok()) << other.status();
    const absl::Status status = other->EndWith(begin, text, begin != 4);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << text;
    EXPECT_TRUE(absl::StrContains(status.message(), path)) << status;
    EXPECT_EQ(Read(path), "one\ntwo\nthree\n");
  }
  unlink(path.c_str());
  EXPECT_EQ(AppendedFile::Open(testing::TempDir()).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(AppendedFile::Open("/dev/null").status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(AppendedFile::Open("/no/such/folder/file").status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace warpclust
