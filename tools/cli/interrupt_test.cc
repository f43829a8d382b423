// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/interrupt.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/io/text_writer.h"
#include "gtest/gtest.h"

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
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU}) {
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

constexpr int kKilling[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};

// What `body` returns in a process of its own, or 100 + the signal it died of.
int InChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    for (int signal_number : kKilling) signal(signal_number, SIG_DFL);
    // A core of a test is no use.
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    _exit(body());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(InterruptTest, IgnoredSignalsStayIgnored) {
  EXPECT_EQ(InChild([] {
              signal(SIGHUP, SIG_IGN);
              RemoveTemporariesOnSignal(testing::TempDir() + "/ignored");
              raise(SIGHUP);
              return 7;
            }),
            7);
}

TEST(RemoveOnSignalTest, FilesAndTreesGo) {
  const std::string directory = testing::TempDir() + "/remove_on_signal_test";
  std::filesystem::remove_all(directory);
  for (int signal_number : kKilling) {
    std::filesystem::create_directories(directory + "/tree/a/b");
    std::ofstream(directory + "/kept") << "kept";
    EXPECT_EQ(InChild([&] {
                std::ofstream(directory + "/file") << "half";
                for (int i = 0; i < 200; ++i) {
                  std::ofstream(directory + "/tree/a/" + std::to_string(i));
                }
                std::ofstream(directory + "/tree/a/b/c") << "half";
                std::filesystem::create_symlink("../kept",
                                                directory + "/tree/link");
                std::filesystem::create_directory_symlink(
                    "../..", directory + "/tree/a/up");
                const RemoveOnSignal file(directory + "/file");
                RemoveOnSignal moved(directory + "/tree");
                const RemoveOnSignal tree(std::move(moved));
                { const RemoveOnSignal no_more(directory + "/kept"); }
                const RemoveOnSignal never_was(directory + "/never");
                raise(signal_number);
                return 7;
              }),
              100 + signal_number);
    EXPECT_EQ(NumFiles(directory), 1);
    EXPECT_TRUE(std::filesystem::exists(directory + "/kept"));
  }
}

TEST(RemoveOnSignalTest, TooManyDoNothing) {
  const std::string directory = testing::TempDir() + "/too_many_test";
  std::filesystem::create_directories(directory);
  EXPECT_EQ(InChild([&] {
              std::vector<RemoveOnSignal> some;
              for (int i = 0; i < 12; ++i) some.emplace_back(directory);
              some.clear();
              const RemoveOnSignal one(directory);
              raise(SIGTERM);
              return 7;
            }),
            100 + SIGTERM);
  EXPECT_FALSE(std::filesystem::exists(directory));
}

std::atomic<int> requests{0};

void Request(void* argument) { requests += *static_cast<const int*>(argument); }

TEST(StopOnSignalTest, TheFirstSignalAsksTheNextOneKills) {
  for (int signal_number : {SIGINT, SIGTERM}) {
    EXPECT_EQ(InChild([signal_number] {
                int one = 1;
                StopOnSignal stop(Request, &one);
                if (stop.requested()) return 9;
                raise(signal_number);
                return stop.requested() ? requests.load() : 8;
              }),
              1);
    const std::string directory = testing::TempDir() + "/stop_on_signal_test";
    std::filesystem::remove_all(directory);
    std::filesystem::create_directories(directory);
    EXPECT_EQ(InChild([&] {
                RemoveTemporariesOnSignal(directory + "/out");
                int one = 1;
                StopOnSignal stop(Request, &one);
                absl::StatusOr<TextWriter> out =
                    TextWriter::Open(directory + "/out");
                raise(SIGTERM);
                if (!out.ok() || NumFiles(directory) != 1) return 9;
                usleep(600'000);
                raise(signal_number);
                return 7;
              }),
              100 + signal_number);
    EXPECT_EQ(NumFiles(directory), 0);
  }
}

TEST(StopOnSignalTest, TwoAtOnceAreOne) {
  // Several tries: the process may be kept waiting between the two.
  int found = 0;
  for (int i = 0; i < 5 && found != 1; ++i) {
    found = InChild([] {
      int one = 1;
      StopOnSignal stop(Request, &one);
      raise(SIGTERM);
      raise(SIGTERM);
      return requests.load();
    });
  }
  EXPECT_EQ(found, 1);
}

TEST(StopOnSignalTest, HangUpsKillAndSoDoSignalsAfterwards) {
  EXPECT_EQ(InChild([] {
              int one = 1;
              StopOnSignal stop(Request, &one);
              raise(SIGHUP);
              return 7;
            }),
            100 + SIGHUP);
  EXPECT_EQ(InChild([] {
              int one = 1;
              { StopOnSignal stop(Request, &one); }
              raise(SIGINT);
              return 7;
            }),
            100 + SIGINT);
  // The next search can be stopped again.
  EXPECT_EQ(InChild([] {
              int one = 1;
              for (int i = 0; i < 2; ++i) {
                StopOnSignal stop(Request, &one);
                raise(SIGINT);
              }
              return requests.load();
            }),
            2);
}

}  // namespace
}  // namespace warpclust
