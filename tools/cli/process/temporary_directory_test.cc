// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/temporary_directory.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

int NumEntries(const std::string& folder) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(folder)) {
    ++count;
  }
  return count;
}

TEST(TemporaryDirectoryTest, RemovesItselfAndWhatTheDeadLeft) {
  const std::string folder = testing::TempDir() + "/temporary_directory_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/mine");
  setenv("TMPDIR", folder.c_str(), 1);

  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    absl::StatusOr<TemporaryDirectory> made =
        TemporaryDirectory::Create("sample");
    if (!made.ok()) _exit(1);
    std::filesystem::create_directories(made->path() + "/a/b");
    std::ofstream(made->path() + "/a/b/c") << "half";
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(NumEntries(folder), 2);
  {
    absl::StatusOr<TemporaryDirectory> made =
        TemporaryDirectory::Create("sample");
    ASSERT_TRUE(made.ok()) << made.status();
    // The directory of the dead process is gone.
    EXPECT_EQ(NumEntries(folder), 2);
    const TemporaryDirectory moved = *std::move(made);
    std::ofstream(moved.path() + "/file") << "text";
    const absl::StatusOr<TemporaryDirectory> second =
        TemporaryDirectory::Create("sample");
    ASSERT_TRUE(second.ok()) << second.status();
    // The directory of a living one is not.
    EXPECT_TRUE(std::filesystem::exists(moved.path() + "/file"));
    EXPECT_EQ(NumEntries(folder), 3);
  }
  EXPECT_EQ(NumEntries(folder), 1);
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace warpclust
