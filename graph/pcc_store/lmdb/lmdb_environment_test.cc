// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/lmdb/lmdb_environment.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "graph/testing/lmdb_environment_fixture.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(LmdbKeyTest, OrderOfBytesIsOrderOfNumbers) {
  EXPECT_EQ(LmdbKey(0x01020304), "\x01\x02\x03\x04");
  EXPECT_LT(LmdbKey(255), LmdbKey(256));
  EXPECT_LT(LmdbKey(0x7fffffff), LmdbKey(0x80000000));
  EXPECT_LT(LmdbKey(1, 0xffffffff), LmdbKey(2, 0));
}

TEST_F(LmdbEnvironmentTest, KeepsWhatWasCommittedOnly) {
  {
    auto environment = Open();
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(true);
    ASSERT_TRUE(transaction.ok());
    EXPECT_EQ(Value(*transaction, 0, "a"), "none");
    ASSERT_TRUE(transaction->Put(0, "a", "one").ok());
    ASSERT_TRUE(transaction->Put(1, "a", "").ok());
    EXPECT_EQ(Value(*transaction, 0, "a"), "one");
    ASSERT_TRUE(transaction->Commit().ok());
    EXPECT_EQ(transaction->Commit().code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_FALSE(transaction->Get(0, "a").ok());

    auto lost = environment->Begin(true);
    ASSERT_TRUE(lost.ok());
    ASSERT_TRUE(lost->Put(0, "a", "two").ok());
    ASSERT_TRUE(lost->Delete(1, "a").ok());
    EXPECT_TRUE(lost->Delete(1, "never there").ok());
  }
  auto environment = Open(/*read_only=*/true);
  ASSERT_TRUE(environment.ok()) << environment.status();
  EXPECT_EQ(environment->Begin(true).status().code(),
            absl::StatusCode::kFailedPrecondition);
  auto transaction = environment->Begin(false);
  ASSERT_TRUE(transaction.ok());
  EXPECT_EQ(Value(*transaction, 0, "a"), "one");
  EXPECT_EQ(Value(*transaction, 1, "a"), "");
}

TEST_F(LmdbEnvironmentTest, EqualsAMapOverManyRandomChanges) {
  const uint32_t seed = 20261122;
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  std::map<std::string, std::string> expected;
  for (int round = 0; round < 20; ++round) {
    auto environment = Open();
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(true);
    ASSERT_TRUE(transaction.ok());
    for (int i = 0; i < 50; ++i) {
      const std::string key = LmdbKey(random() % 100, random() % 3);
      if (random() % 3 == 0) {
        ASSERT_TRUE(transaction->Delete(0, key).ok());
        expected.erase(key);
      } else {
        std::string value(random() % (i % 10 == 0 ? 20000 : 50), 'x');
        for (char& byte : value) byte = static_cast<char>(random());
        ASSERT_TRUE(transaction->Put(0, key, value).ok());
        expected[key] = value;
      }
    }
    ASSERT_TRUE(transaction->Commit().ok());
    auto reader = environment->Begin(false);
    ASSERT_TRUE(reader.ok());
    std::map<std::string, std::string> found;
    const std::string from = LmdbKey(random() % 100);
    ASSERT_TRUE(
        reader
            ->ForEach(0, from,
                      [&](absl::string_view key,
                          absl::string_view value) -> absl::StatusOr<bool> {
                        found[std::string(key)] = std::string(value);
                        return true;
                      })
            .ok());
    EXPECT_EQ(found, (std::map<std::string, std::string>(
                         expected.lower_bound(from), expected.end())));
  }
}

TEST_F(LmdbEnvironmentTest, VisitsStopAndPassErrorsOn) {
  PutOne("a", "1");
  PutOne("b", "2");
  auto environment = Open();
  ASSERT_TRUE(environment.ok());
  auto transaction = environment->Begin(false);
  ASSERT_TRUE(transaction.ok());
  int visits = 0;
  EXPECT_TRUE(transaction
                  ->ForEach(0, "",
                            [&](absl::string_view,
                                absl::string_view) -> absl::StatusOr<bool> {
                              ++visits;
                              return false;
                            })
                  .ok());
  EXPECT_EQ(visits, 1);
  EXPECT_EQ(transaction
                ->ForEach(0, "a",
                          [&](absl::string_view,
                              absl::string_view) -> absl::StatusOr<bool> {
                            return absl::CancelledError("enough");
                          })
                .code(),
            absl::StatusCode::kCancelled);
}

TEST_F(LmdbEnvironmentTest, RefusesBadKeysAndTables) {
  auto environment = Open();
  ASSERT_TRUE(environment.ok());
  auto transaction = environment->Begin(true);
  ASSERT_TRUE(transaction.ok());
  EXPECT_EQ(transaction->Put(0, "", "x").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(transaction->Put(0, std::string(512, 'k'), "x").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(transaction->Put(0, std::string(511, 'k'), "x").ok());
  EXPECT_EQ(transaction->Get(2, "a").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(transaction->Delete(-1, "a").code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(LmdbEnvironmentTest, APutMayReadWhatItReplaces) {
  PutOne("a", std::string(10000, 'q'));
  auto environment = Open();
  ASSERT_TRUE(environment.ok());
  auto transaction = environment->Begin(true);
  ASSERT_TRUE(transaction.ok());
  auto value = transaction->Get(0, "a");
  ASSERT_TRUE(value.ok() && value->has_value());
  ASSERT_TRUE(transaction->Put(0, "a", (*value)->substr(1)).ok());
  EXPECT_EQ(Value(*transaction, 0, "a"), std::string(9999, 'q'));
}

TEST_F(LmdbEnvironmentTest, RawValuesAreTheirParts) {
  auto environment = Open();
  ASSERT_TRUE(environment.ok());
  auto transaction = environment->Begin(true);
  ASSERT_TRUE(transaction.ok());
  const std::string large(50000, 'r');
  ASSERT_TRUE(transaction->PutRaw(0, "k", {"ab", "", "c", large}).ok());
  auto value = transaction->GetRaw(0, "k");
  ASSERT_TRUE(value.ok() && value->has_value());
  EXPECT_EQ(**value, "abc" + large);
  EXPECT_EQ(reinterpret_cast<uintptr_t>((*value)->data()) % 16, 0u);
  EXPECT_EQ(transaction->Get(0, "k").status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(LmdbEnvironmentTest, ReadingWhereNothingIsFindsNothing) {
  EXPECT_EQ(Open(true).status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(directory_));
  std::filesystem::create_directory(directory_);
  EXPECT_EQ(Open(true).status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
  // What a process leaves that is killed while it makes a store.
  std::ofstream(directory_ + "/data.mdb").close();
  EXPECT_EQ(Open(true).status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(Open().ok());
}

TEST_F(LmdbEnvironmentTest, OneWriterAtATime) {
  auto environment = Open();
  ASSERT_TRUE(environment.ok());
  const absl::Status second = Open().status();
  EXPECT_EQ(second.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(second.message(),
            absl::StrCat("another process is updating ", directory_));
}

TEST_F(LmdbEnvironmentTest, ReadersGoOnWhileAnotherProcessWrites) {
  PutOne("a", "old");
  int to_child[2];
  int to_parent[2];
  ASSERT_EQ(pipe(to_child), 0);
  ASSERT_EQ(pipe(to_parent), 0);
  char byte = 0;
  const pid_t child = fork();
  if (child == 0) {
    // Reads before and after the parent's commit.
    auto environment = Open(true);
    if (!environment.ok()) _exit(1);
    auto before = environment->Begin(false);
    if (!before.ok() || Value(*before, 0, "a") != "old") _exit(2);
    if (write(to_parent[1], "r", 1) != 1) _exit(3);
    if (read(to_child[0], &byte, 1) != 1) _exit(4);
    if (Value(*before, 0, "a") != "old") _exit(5);
    auto after = environment->Begin(false);
    if (!after.ok() || Value(*after, 0, "a") != "new") _exit(6);
    _exit(0);
  }
  ASSERT_EQ(read(to_parent[0], &byte, 1), 1);
  PutOne("a", "new");
  ASSERT_EQ(write(to_child[1], "w", 1), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
  for (const int fd : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) {
    close(fd);
  }
}

TEST_F(LmdbEnvironmentTest, AKilledWriterLeavesTheLastCommit) {
  PutOne("a", "kept");
  for (int round = 0; round < 5; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      auto environment = Open();
      if (!environment.ok()) _exit(1);
      auto transaction = environment->Begin(true);
      if (!transaction.ok()) _exit(2);
      for (int i = 0; i < 100; ++i) {
        if (!transaction->Put(0, LmdbKey(i), std::string(9000, 'x')).ok()) {
          _exit(3);
        }
      }
      if (!transaction->Put(0, "a", "half").ok()) _exit(4);
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    auto environment = Open();
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(true);
    ASSERT_TRUE(transaction.ok());
    EXPECT_EQ(Value(*transaction, 0, "a"), "kept");
    EXPECT_EQ(Value(*transaction, 0, LmdbKey(7)), "none");
  }
}

TEST_F(LmdbEnvironmentTest, ADiskThatIsFullLosesTheUpdateOnly) {
  PutOne("a", "kept");
  const pid_t child = fork();
  if (child == 0) {
    // Files end at 1 MB: what a full disk looks like to a process.
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000000, 1000000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    auto environment = Open();
    if (!environment.ok()) _exit(2);
    auto transaction = environment->Begin(true);
    if (!transaction.ok()) _exit(3);
    if (!transaction->Put(0, "a", std::string(5000000, 'x')).ok()) _exit(4);
    const absl::Status status = transaction->Commit();
    _exit(status.code() == absl::StatusCode::kResourceExhausted ? 0 : 5);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
  auto environment = Open();
  ASSERT_TRUE(environment.ok()) << environment.status();
  auto transaction = environment->Begin(true);
  ASSERT_TRUE(transaction.ok());
  EXPECT_EQ(Value(*transaction, 0, "a"), "kept");
}

TEST_F(LmdbEnvironmentTest, ADirectoryThatCannotBe) {
  std::ofstream(directory_).close();
  EXPECT_FALSE(Open().ok());
  EXPECT_FALSE(Open(true).ok());
}

// A writer that commits 1, 2, 3, ... as "a" until it is killed, and says so
// after each commit.
class CountingWriter {
 public:
  explicit CountingWriter(
      absl::FunctionRef<absl::StatusOr<LmdbEnvironment>()> open) {
    if (pipe(said_) != 0) std::abort();
    child_ = fork();
    if (child_ != 0) return;
    auto environment = open();
    if (!environment.ok()) _exit(1);
    for (uint8_t i = 1;; ++i) {
      auto transaction = environment->Begin(/*write=*/true);
      if (!transaction.ok() ||
          !transaction->Put(0, "a", absl::StrCat(i)).ok() ||
          !transaction->Commit().ok() || write(said_[1], &i, 1) != 1) {
        _exit(2);
      }
    }
  }
  // The number of the last commit that it has told of, after at least one.
  int WaitForOne() {
    uint8_t last = 0;
    EXPECT_EQ(read(said_[0], &last, 1), 1);
    return last;
  }
  int KillAndCount() {
    kill(child_, SIGKILL);
    int status = 0;
    EXPECT_EQ(waitpid(child_, &status, 0), child_);
    EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    close(said_[1]);
    uint8_t last = 0;
    while (read(said_[0], &last, 1) == 1) {
    }
    close(said_[0]);
    return last;
  }

 private:
  pid_t child_;
  int said_[2];
};

TEST_F(LmdbEnvironmentTest, AWriterMayBeKilledAtAnyMoment) {
  const uint32_t seed = 20261123;
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    std::filesystem::remove_all(directory_);
    CountingWriter writer([&] { return Open(); });
    writer.WaitForOne();
    usleep(random() % 3000);
    const int said = writer.KillAndCount();
    for (const bool read_only : {true, false}) {
      auto environment = Open(read_only);
      ASSERT_TRUE(environment.ok()) << environment.status();
      auto transaction = environment->Begin(false);
      ASSERT_TRUE(transaction.ok());
      const int found = std::stoi(Value(*transaction, 0, "a"));
      // One commit may not have been told of; bytes wrap around.
      EXPECT_TRUE(said == 0 || found == said || found == said + 1)
          << found << " of " << said;
    }
    PutOne("a", "more");
    EXPECT_TRUE(Open(/*read_only=*/true).ok());
  }
}

TEST_F(LmdbEnvironmentTest, ReadersOpenWhileAWriterCommits) {
  CountingWriter writer([&] { return Open(); });
  writer.WaitForOne();
  for (int i = 0; i < 300; ++i) {
    auto environment = Open(/*read_only=*/true);
    ASSERT_TRUE(environment.ok()) << environment.status();
  }
  writer.KillAndCount();
}

// LMDB's state of the two files must fit each other: a process that has the old
// file open keeps the lock file in use.
TEST_F(LmdbEnvironmentTest, CompactsWhileAnotherProcessReads) {
  for (int commits = 1; commits <= 4; ++commits) {
    SCOPED_TRACE(commits);
    std::filesystem::remove_all(directory_);
    int go[2];
    int ready[2];
    ASSERT_EQ(pipe(go), 0);
    ASSERT_EQ(pipe(ready), 0);
    char byte = 0;
    // Forked first: it must not inherit the writer's lock.
    const pid_t child = fork();
    if (child == 0) {
      if (read(go[0], &byte, 1) != 1) _exit(1);
      auto reader = Open(/*read_only=*/true);
      if (!reader.ok() || write(ready[1], "r", 1) != 1) _exit(2);
      pause();
    }
    auto environment = Open();
    ASSERT_TRUE(environment.ok());
    for (int i = 0; i < commits; ++i) {
      auto transaction = environment->Begin(true);
      ASSERT_TRUE(transaction.ok());
      ASSERT_TRUE(
          transaction->Put(0, "a", std::string(i == 0 ? 1000000 : 10, 'x'))
              .ok());
      ASSERT_TRUE(transaction->Commit().ok());
    }
    ASSERT_EQ(write(go[1], "g", 1), 1);
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    const absl::Status status = environment->Compact();
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(*environment->FileBytes() < 100000, commits > 1);
    {
      auto transaction = environment->Begin(true);
      ASSERT_TRUE(transaction.ok()) << transaction.status();
      EXPECT_EQ(Value(*transaction, 0, "a"),
                std::string(commits == 1 ? 1000000 : 10, 'x'));
      ASSERT_TRUE(transaction->Put(0, "b", "more").ok());
      ASSERT_TRUE(transaction->Commit().ok());
    }
    environment = absl::UnavailableError("closed");
    for (const bool read_only : {true, false}) {
      auto again = Open(read_only);
      ASSERT_TRUE(again.ok()) << again.status();
      auto transaction = again->Begin(false);
      ASSERT_TRUE(transaction.ok());
      EXPECT_EQ(Value(*transaction, 0, "a").size(),
                commits == 1 ? 1000000u : 10u);
      EXPECT_EQ(Value(*transaction, 0, "b"), "more");
    }
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    for (const int fd : {go[0], go[1], ready[0], ready[1]}) close(fd);
  }
}

TEST_F(LmdbEnvironmentTest, ADiskThatIsFullWhenCompactingLosesNothing) {
  PutOne("a", std::string(500000, 'x'));
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {100000, 100000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    auto environment = Open();
    if (!environment.ok()) _exit(2);
    _exit(environment->Compact().ok() ? 3 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/compact.tmp"));
  auto environment = Open();
  ASSERT_TRUE(environment.ok()) << environment.status();
  auto transaction = environment->Begin(true);
  EXPECT_EQ(Value(*transaction, 0, "a").size(), 500000u);
}

TEST_F(LmdbEnvironmentTest, CreatesOnlyIfAsked) {
  LmdbEnvironment::Options options;
  options.create = false;
  EXPECT_TRUE(absl::IsNotFound(
      LmdbEnvironment::Open(directory_, kTables, options).status()));
  EXPECT_FALSE(std::filesystem::exists(directory_));
  PutOne("a", "b");
  EXPECT_TRUE(LmdbEnvironment::Open(directory_, kTables, options).ok());
}

TEST_F(LmdbEnvironmentTest, DoesNotJoinFilesOfSomebodyElse) {
  std::filesystem::create_directory(directory_);
  std::ofstream(directory_ + "/letters") << "somebody's";
  for (const bool create : {false, true}) {
    LmdbEnvironment::Options options;
    options.create = create;
    const absl::Status status =
        LmdbEnvironment::Open(directory_, kTables, options).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_EQ(std::string(status.message()),
              directory_ +
                  ": expected a store or an empty directory, found the file "
                  "letters; give the store a directory of its own");
  }
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/data.mdb"));
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/writer.lock"));

  // Another database, whether it has commits or not.
  std::filesystem::remove(directory_ + "/letters");
  const char* const others[] = {"letters"};
  for (int commits = 0; commits < 2; ++commits) {
    {
      auto other = LmdbEnvironment::Open(directory_, others, {});
      ASSERT_TRUE(other.ok()) << other.status();
      if (commits > 0) {
        auto transaction = other->Begin(true);
        ASSERT_TRUE(transaction.ok());
        ASSERT_TRUE(transaction->Put(0, "a", "b").ok());
        ASSERT_TRUE(transaction->Commit().ok());
      }
    }
    // As they are written without our lock files, and copied without any.
    for (const char* file : {"/writer.lock", "/lock.mdb"}) {
      std::filesystem::remove(directory_ + file);
      EXPECT_TRUE(absl::IsInvalidArgument(Open().status())) << Open().status();
      EXPECT_TRUE(absl::IsNotFound(Open(/*read_only=*/true).status()));
      EXPECT_FALSE(std::filesystem::exists(directory_ + file)) << file;
    }
    EXPECT_TRUE(LmdbEnvironment::Open(directory_, others, {}).ok());
    EXPECT_TRUE(absl::IsInvalidArgument(Open().status())) << Open().status();
    EXPECT_TRUE(absl::IsNotFound(Open(/*read_only=*/true).status()));
    EXPECT_TRUE(LmdbEnvironment::Open(directory_, others, {}).ok());
  }

  // A database without tables becomes a store, also without lock files.
  std::filesystem::remove_all(directory_);
  ASSERT_TRUE(LmdbEnvironment::Open(directory_, {}, {}).ok());
  std::filesystem::remove(directory_ + "/writer.lock");
  EXPECT_TRUE(Open().ok());

  // A store may have other files beside it, and come without lock files.
  std::filesystem::remove_all(directory_);
  PutOne("a", "b");
  std::ofstream(directory_ + "/letters") << "somebody's";
  EXPECT_TRUE(Open().ok());
  std::filesystem::remove(directory_ + "/writer.lock");
  EXPECT_TRUE(Open().ok());
}

}  // namespace
}  // namespace warpclust
