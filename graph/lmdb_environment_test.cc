// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/lmdb_environment.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTables[] = {"first", "second"};

class LmdbEnvironmentTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info =
        testing::UnitTest::GetInstance()->current_test_info();
    directory_ =
        absl::StrCat(testing::TempDir(), "/lmdb_", info->name(), "_", getpid());
    std::filesystem::remove_all(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  absl::StatusOr<LmdbEnvironment> Open(bool read_only = false) {
    LmdbEnvironment::Options options;
    options.read_only = read_only;
    options.sync = false;
    return LmdbEnvironment::Open(directory_, kTables, options);
  }

  // Commits one value in a new environment.
  void PutOne(absl::string_view key, absl::string_view value) {
    auto environment = Open();
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(true);
    ASSERT_TRUE(transaction.ok()) << transaction.status();
    ASSERT_TRUE(transaction->Put(0, key, value).ok());
    ASSERT_TRUE(transaction->Commit().ok());
  }

  std::string directory_;
};

// A copy of the value, or "none".
std::string Value(const LmdbTransaction& transaction, int table,
                  absl::string_view key) {
  auto value = transaction.Get(table, key);
  if (!value.ok()) return std::string(value.status().message());
  return value->has_value() ? std::string(**value) : "none";
}

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

TEST_F(LmdbEnvironmentTest, SaysWhatIsDamaged) {
  PutOne("key", "a value that stands once in the file");
  const std::string path = directory_ + "/data.mdb";
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto write_file = [&](absl::string_view content) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  };
  // A flipped byte in the value.
  std::string flipped = bytes;
  for (size_t at = flipped.find("a value that"); at != std::string::npos;
       at = flipped.find("a value that", at + 1)) {
    flipped[at + 3] ^= 4;
  }
  write_file(flipped);
  {
    auto environment = Open(true);
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(false);
    ASSERT_TRUE(transaction.ok());
    auto value = transaction->Get(0, "key");
    EXPECT_EQ(value.status().code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(value.status().message()), HasSubstr(directory_));
    EXPECT_THAT(std::string(value.status().message()), HasSubstr("'first'"));
  }
  // A file cut short.
  write_file(bytes.substr(0, 8192));
  EXPECT_EQ(Open(true).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kDataLoss);
  // Another kind of file.
  write_file(std::string(20000, 'z'));
  const absl::Status other = Open(true).status();
  EXPECT_EQ(other.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(other.message()), HasSubstr(directory_));
}

// The last pages of a file may be such that were never written.
TEST_F(LmdbEnvironmentTest, OpensWhatItCommittedHoweverLongTheFileIs) {
  for (int size = 1; size < 60; ++size) {
    SCOPED_TRACE(size);
    std::filesystem::remove_all(directory_);
    {
      auto environment = Open();
      ASSERT_TRUE(environment.ok()) << environment.status();
      auto transaction = environment->Begin(true);
      ASSERT_TRUE(transaction.ok());
      ASSERT_TRUE(transaction->Put(0, "kept", "value").ok());
      for (int i = 0; i < size; ++i) {
        const std::string key = absl::StrCat("key ", i);
        ASSERT_TRUE(transaction->Put(1, key, std::string(3000, 'x')).ok());
      }
      for (int i = 0; i < size; ++i) {
        ASSERT_TRUE(transaction->Delete(1, absl::StrCat("key ", i)).ok());
      }
      ASSERT_TRUE(transaction->Commit().ok());
    }
    for (bool read_only : {true, false}) {
      auto environment = Open(read_only);
      ASSERT_TRUE(environment.ok()) << environment.status();
      auto transaction = environment->Begin(false);
      ASSERT_TRUE(transaction.ok());
      EXPECT_EQ(**transaction->Get(0, "kept"), "value");
    }
  }
}

// What was written opens; what was damaged is an error or goes on to work, and
// never ends the process.
TEST_F(LmdbEnvironmentTest, AnyPageMayBeDamaged) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::filesystem::remove_all(directory_);
    std::mt19937 random(seed);
    std::string value;
    const uint32_t longest = random() % 2 == 0 ? 200 : 20000;
    for (int commit = 0; commit < 12; ++commit) {
      auto environment = Open();
      ASSERT_TRUE(environment.ok()) << environment.status();
      auto transaction = environment->Begin(true);
      ASSERT_TRUE(transaction.ok());
      for (int i = 0; i < 150; ++i) {
        std::string key = absl::StrCat(random() % 1000);
        if (random() % 10 == 0) key.append(400, 'k');
        const int table = static_cast<int>(random() % 2);
        if (random() % 3 == 0) {
          ASSERT_TRUE(transaction->Delete(table, key).ok());
          continue;
        }
        value.assign(random() % longest, 'v');
        ASSERT_TRUE(transaction->Put(table, key, value).ok());
      }
      ASSERT_TRUE(transaction->Commit().ok());
    }
    const std::string path = directory_ + "/data.mdb";
    std::string bytes;
    {
      std::ifstream in(path, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (int trial = 0; trial < 40; ++trial) {
      SCOPED_TRACE(absl::StrCat("trial ", trial));
      std::string damaged = bytes;
      // Heads of pages oftener than what is in them.
      const size_t at = random() % (bytes.size() / 4096) * 4096 +
                        (trial % 2 == 0 ? random() % 40 : random() % 4080);
      for (size_t i = 0; i < 1 + random() % 16; ++i) {
        damaged[at + i] = static_cast<char>(random());
      }
      std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
      auto environment = Open();
      if (!environment.ok()) continue;
      auto transaction = environment->Begin(true);
      if (!transaction.ok()) continue;
      for (int table = 0; table < 2; ++table) {
        transaction
            ->ForEach(
                table, "",
                [](absl::string_view,
                   absl::string_view) -> absl::StatusOr<bool> { return true; })
            .IgnoreError();
      }
      for (int i = 0; i < 100; ++i) {
        const std::string key = absl::StrCat(random() % 1000);
        if (!transaction->Put(i % 2, key, value).ok()) break;
        if (!transaction->Delete(i % 2, absl::StrCat(i * 7)).ok()) break;
      }
      transaction->Commit().IgnoreError();
    }
  }
}

// LMDB divides by the size of its pages, and asks for as much address space as
// its last page is large.
TEST_F(LmdbEnvironmentTest, TheFirstPagesMayBeDamaged) {
  {
    auto environment = Open();
    ASSERT_TRUE(environment.ok());
    auto transaction = environment->Begin(true);
    ASSERT_TRUE(transaction->Put(0, "a", "b").ok());
    ASSERT_TRUE(transaction->Commit().ok());
  }
  const std::string path = directory_ + "/data.mdb";
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  for (const size_t page : {0, 4096}) {
    for (const size_t at : {40, 41, 43, 140, 143}) {
      SCOPED_TRACE(absl::StrCat("page ", page, " byte ", at));
      std::string damaged = bytes;
      damaged[page + at] = static_cast<char>(damaged[page + at] ^ 0x31);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
      for (const bool read_only : {false, true}) {
        const absl::Status status = Open(read_only).status();
        EXPECT_TRUE(absl::IsDataLoss(status)) << status;
      }
    }
  }
}

TEST_F(LmdbEnvironmentTest, ADirectoryThatCannotBe) {
  std::ofstream(directory_).close();
  EXPECT_FALSE(Open().ok());
  EXPECT_FALSE(Open(true).ok());
}

TEST_F(LmdbEnvironmentTest, CopiesWithoutFreePages) {
  auto environment = Open();
  ASSERT_TRUE(environment.ok());
  for (const size_t size : {1000000, 10}) {
    auto transaction = environment->Begin(true);
    ASSERT_TRUE(transaction.ok());
    ASSERT_TRUE(transaction->Put(0, "a", std::string(size, 'x')).ok());
    ASSERT_TRUE(transaction->Commit().ok());
  }
  const std::string copy = directory_ + "/copy";
  ASSERT_TRUE(environment->CopyCompacted(copy).ok());
  EXPECT_FALSE(environment->CopyCompacted(copy).ok());
  auto copied = LmdbEnvironment::Open(copy, kTables, {});
  ASSERT_TRUE(copied.ok()) << copied.status();
  EXPECT_GT(*environment->FileBytes(), 1000000);
  EXPECT_LT(*copied->FileBytes(), 100000);
  auto transaction = copied->Begin(false);
  ASSERT_TRUE(transaction.ok());
  EXPECT_EQ(Value(*transaction, 0, "a"), std::string(10, 'x'));
}

}  // namespace
}  // namespace warpclust
