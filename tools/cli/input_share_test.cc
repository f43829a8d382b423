// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/input_share.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(InputFileShareTest, FollowsTheReader) {
  const std::string path = absl::StrCat(testing::TempDir(), "/share");
  std::ofstream(path) << std::string(1000, 'x');
  EXPECT_EQ(InputFileShare(path), -1) << "not open";

  const int inherited = open(path.c_str(), O_RDONLY);
  ASSERT_GE(inherited, 0);
  EXPECT_EQ(InputFileShare(path), -1) << "not a file that a tool reads";
  const int writer = open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(writer, 0);
  EXPECT_EQ(InputFileShare(path), -1) << "not open for reading";

  const int reader = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(InputFileShare(path), 0);
  std::string bytes(250, '\0');
  ASSERT_EQ(read(reader, bytes.data(), bytes.size()), 250);
  EXPECT_EQ(InputFileShare(path), 0.25);
  bytes.resize(1000);
  ASSERT_EQ(read(reader, bytes.data(), bytes.size()), 750);
  EXPECT_EQ(InputFileShare(path), 1);
  // By another name.
  const std::string link = absl::StrCat(path, ".link");
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_EQ(InputFileShare(link), 1);

  for (const int descriptor : {inherited, writer, reader}) close(descriptor);
  EXPECT_EQ(InputFileShare(path), -1) << "closed";
  unlink(link.c_str());
}

TEST(InputFileShareTest, OnlyPlainFilesThatAreNotEmpty) {
  const std::string path = absl::StrCat(testing::TempDir(), "/empty");
  std::ofstream(path).flush();
  const int reader = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(InputFileShare(path), -1);
  close(reader);
  EXPECT_EQ(InputFileShare(testing::TempDir()), -1);
  EXPECT_EQ(InputFileShare("/no/such/file"), -1);
  EXPECT_EQ(InputFileShare("/dev/null"), -1);
}

TEST(InputFileShareTest, StandardInput) {
  const std::string path = absl::StrCat(testing::TempDir(), "/standard_input");
  std::ofstream(path) << std::string(1000, 'x');
  const int before = dup(STDIN_FILENO);
  const int reader = open(path.c_str(), O_RDONLY);
  ASSERT_GE(reader, 0);
  ASSERT_EQ(dup2(reader, STDIN_FILENO), STDIN_FILENO);
  ASSERT_EQ(lseek(reader, 400, SEEK_SET), 400);
  EXPECT_EQ(InputFileShare("-"), 0.4);
  close(reader);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  EXPECT_EQ(InputFileShare("-"), -1);
  close(ends[0]);
  close(ends[1]);
  if (before >= 0) {
    dup2(before, STDIN_FILENO);
    close(before);
  }
}

}  // namespace
}  // namespace warpclust
