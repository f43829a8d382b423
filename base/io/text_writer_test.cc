// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/text_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/byte_reader.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// An empty directory of the test's own.
std::string FreshDirectory(const char* name) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

int FilesIn(const std::string& directory) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    (void)entry;
    ++count;
  }
  return count;
}

std::string RawBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class TextWriterTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { internal::only_named_files = GetParam(); }
  void TearDown() override { internal::only_named_files = false; }
};

INSTANTIATE_TEST_SUITE_P(, TextWriterTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                           return info.param ? "NamedFiles" : "UnnamedFiles";
                         });

TEST_P(TextWriterTest, PlainAndGzip) {
  const std::string directory = FreshDirectory("text_writer");
  std::string content;
  for (int i = 0; i < 100000; ++i) absl::StrAppend(&content, i, " word\n");
  for (const char* name : {"a.txt", "a.txt.gz", "again.gz"}) {
    const std::string path = absl::StrCat(directory, "/", name);
    absl::StatusOr<TextWriter> writer = TextWriter::Open(path);
    ASSERT_TRUE(writer.ok()) << writer.status();
    // Pieces of growing size, through a moved writer.
    TextWriter moved = *std::move(writer);
    for (size_t at = 0, size = 1; at < content.size(); at += size, size *= 2) {
      size = std::min(size, content.size() - at);
      moved.Write(absl::string_view(content).substr(at, size));
      if (size == 1024) moved.Flush();
    }
    ASSERT_TRUE(moved.Close().ok());
  }
  EXPECT_EQ(FilesIn(directory), 3);
  EXPECT_EQ(RawBytes(absl::StrCat(directory, "/a.txt")),
            *ReadWholeFile(absl::StrCat(directory, "/a.txt.gz")));
  EXPECT_LT(RawBytes(absl::StrCat(directory, "/a.txt.gz")).size(),
            content.size() / 3);
  EXPECT_EQ(RawBytes(absl::StrCat(directory, "/a.txt.gz")),
            RawBytes(absl::StrCat(directory, "/again.gz")));
}

// Writes to `path` in another process, which ends by SIGKILL before it is done.
void WriteAndBeKilled(const std::string& path) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    absl::StatusOr<TextWriter> writer = TextWriter::Open(path);
    if (!writer.ok()) _exit(1);
    writer->Write(std::string(1 << 20, 'x'));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
}

TEST_P(TextWriterTest, AKilledProcessLeavesNothingForLong) {
  const std::string directory = FreshDirectory("text_writer_killed");
  const std::string path = absl::StrCat(directory, "/out");
  for (const bool is_new : {true, false}) {
    WriteAndBeKilled(path);
    EXPECT_EQ(std::filesystem::exists(path), !is_new);
    // What is not a dead writer's stays.
    const std::string mine = absl::StrCat(path, ".warpclust-tmp-mine");
    std::ofstream(mine) << "mine";
    absl::StatusOr<TextWriter> writer = TextWriter::Open(path);
    ASSERT_TRUE(writer.ok());
    writer->Write("new");
    ASSERT_TRUE(writer->Close().ok());
    EXPECT_EQ(RawBytes(path), "new");
    EXPECT_EQ(FilesIn(directory), 2);
    EXPECT_EQ(RawBytes(mine), "mine");
  }
}

TEST_P(TextWriterTest, NeverHalfAFile) {
  const std::string directory = FreshDirectory("text_writer_half");
  const std::string path = absl::StrCat(directory, "/out");
  std::ofstream(path) << "old";
  {
    absl::StatusOr<TextWriter> writer = TextWriter::Open(path);
    ASSERT_TRUE(writer.ok());
    writer->Write(std::string(1 << 20, 'x'));
    EXPECT_EQ(RawBytes(path), "old");
    EXPECT_EQ(FilesIn(directory), internal::only_named_files ? 2 : 1);
  }
  EXPECT_EQ(RawBytes(path), "old");
  EXPECT_EQ(FilesIn(directory), 1);
  absl::StatusOr<TextWriter> writer = TextWriter::Open(path);
  ASSERT_TRUE(writer.ok());
  writer->Write("new");
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(RawBytes(path), "new");
  EXPECT_EQ(FilesIn(directory), 1);
}

// A non-blocking descriptor, as parents that poll leave behind.
TEST_P(TextWriterTest, WaitsWhereTheDescriptorDoesNot) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');
  std::string read_back;
  std::thread reader([&] {
    char bytes[4096];
    usleep(20000);
    for (ssize_t n; (n = read(ends[0], bytes, sizeof(bytes))) > 0;) {
      read_back.append(bytes, n);
    }
  });
  const int standard_output = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  absl::StatusOr<TextWriter> writer = TextWriter::Open("-");
  writer->Write(text);
  const absl::Status status = writer->Close();
  dup2(standard_output, STDOUT_FILENO);
  close(standard_output);
  reader.join();
  close(ends[0]);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(read_back == text) << read_back.size();
}

TEST_P(TextWriterTest, SymbolicLinkKeepsPointing) {
  const std::string directory = FreshDirectory("text_writer_link");
  const std::string file = absl::StrCat(directory, "/file");
  const std::string link = absl::StrCat(directory, "/link");
  std::ofstream(file) << "old";
  std::filesystem::create_symlink(file, link);
  absl::StatusOr<TextWriter> writer = TextWriter::Open(link);
  ASSERT_TRUE(writer.ok());
  writer->Write("new");
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(RawBytes(file), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

// As /dev/stdout does where standard output has been unlinked.
TEST_P(TextWriterTest, LinkToAFileWithoutAName) {
  const std::string directory = FreshDirectory("text_writer_unlinked");
  const std::string file = absl::StrCat(directory, "/file");
  const std::string link = absl::StrCat(directory, "/link");
  const int fd = open(file.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(unlink(file.c_str()), 0);
  std::filesystem::create_symlink(absl::StrCat("/proc/self/fd/", fd), link);
  absl::StatusOr<TextWriter> writer = TextWriter::Open(link);
  ASSERT_TRUE(writer.ok());
  writer->Write("text");
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  char bytes[8];
  EXPECT_EQ(pread(fd, bytes, sizeof(bytes), 0), 4);
  EXPECT_EQ(std::string(bytes, 4), "text");
  close(fd);
}

TEST_P(TextWriterTest, Errors) {
  const std::string directory = FreshDirectory("text_writer_errors");
  EXPECT_EQ(TextWriter::Open(directory).status().code(),
            absl::StatusCode::kInvalidArgument);
  const absl::Status missing =
      TextWriter::Open(absl::StrCat(directory, "/no/such")).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(missing.message(), "/no/such: expected"));
  if (access("/dev/full", W_OK) == 0) {
    absl::StatusOr<TextWriter> full = TextWriter::Open("/dev/full");
    ASSERT_TRUE(full.ok());
    full->Write("x");
    const absl::Status status = full->Close();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_TRUE(absl::StrContains(status.message(), "/dev/full")) << status;
  }
}

}  // namespace
}  // namespace warpclust
