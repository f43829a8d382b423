// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/interrupt.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "sparse/text_writer.h"

namespace warpclust {
namespace {

int NumFiles(const std::string& directory) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(directory)) {
    ++count;
  }
  return count;
}

// Also pins the naming of TextWriter's temporaries, which the handler relies
// on.
TEST(InterruptTest, SignalRemovesTemporariesAndKeepsTheOldFile) {
  const std::string directory = testing::TempDir() + "/interrupt_test";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  const std::string real = directory + "/real";
  const std::string link = directory + "/link";
  const std::string fresh = directory + "/fresh";
  std::ofstream(real) << "old";
  std::filesystem::create_symlink("real", link);
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      signal(signal_number, SIG_DFL);
      RemoveTemporariesOnSignal(link);
      RemoveTemporariesOnSignal(fresh);
      RemoveTemporariesOnSignal("-");
      absl::StatusOr<TextWriter> a = TextWriter::Open(link);
      absl::StatusOr<TextWriter> b = TextWriter::Open(fresh);
      if (!a.ok() || !b.ok()) _exit(9);
      a->Write(std::string(1 << 20, 'x'));
      b->Write("half");
      // Tells the parent that both temporaries are there.
      const char count = static_cast<char>(NumFiles(directory));
      if (write(ready[1], &count, 1) != 1) _exit(8);
      for (;;) pause();
    }
    char count = 0;
    ASSERT_EQ(read(ready[0], &count, 1), 1);
    EXPECT_EQ(count, 4);
    ASSERT_EQ(kill(child, signal_number), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal_number);
    EXPECT_EQ(NumFiles(directory), 2);
    std::string text;
    std::ifstream(real) >> text;
    EXPECT_EQ(text, "old");
    close(ready[0]);
    close(ready[1]);
  }
}

TEST(InterruptTest, IgnoredSignalsStayIgnored) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGHUP, SIG_IGN);
    RemoveTemporariesOnSignal(testing::TempDir() + "/ignored");
    raise(SIGHUP);
    _exit(7);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace warpclust
