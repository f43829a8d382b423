// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Directories of LmdbEnvironment that are damaged: an error that says what is
// wrong, and never a state without all commits. Where LMDB trusts what is
// damaged it may end the process, so each damage gets a process of its own.

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/testing/damaged_files.h"
#include "graph/testing/lmdb_environment_fixture.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using ::testing::HasSubstr;

class LmdbDamageTest : public LmdbEnvironmentTest {
 protected:
  std::string DataPath() const { return directory_ + "/data.mdb"; }
  std::string CommitPath() const { return directory_ + "/commits"; }

  // Opened for reading, and for writing.
  void ExpectRefused(absl::string_view message) {
    for (const bool read_only : {true, false}) {
      const absl::Status status = Open(read_only).status();
      EXPECT_TRUE(absl::IsDataLoss(status)) << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr(directory_));
      EXPECT_THAT(std::string(status.message()), HasSubstr(message));
    }
  }
  void ExpectValue(absl::string_view value) {
    for (const bool read_only : {true, false}) {
      auto environment = Open(read_only);
      ASSERT_TRUE(environment.ok()) << environment.status();
      auto transaction = environment->Begin(/*write=*/false);
      ASSERT_TRUE(transaction.ok()) << transaction.status();
      EXPECT_EQ(Value(*transaction, 0, "key"), value);
    }
  }
};

TEST_F(LmdbDamageTest, SaysWhatIsDamaged) {
  PutOne("key", "a value that stands once in the file");
  const std::string bytes = ReadFileBytes(DataPath());
  // A flipped byte in the value.
  std::string flipped = bytes;
  for (size_t at = flipped.find("a value that"); at != std::string::npos;
       at = flipped.find("a value that", at + 1)) {
    flipped[at + 3] ^= 4;
  }
  WriteFileBytes(DataPath(), flipped);
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
  // A file cut short, one that is empty, and none.
  WriteFileBytes(DataPath(), bytes.substr(0, 8192));
  ExpectRefused(absl::StrCat("expected at least ", bytes.size(),
                             " bytes and 1 commits, as ", CommitPath(),
                             " says, found 8192 bytes"));
  WriteFileBytes(DataPath(), "");
  ExpectRefused("found 0 bytes");
  std::filesystem::remove(DataPath());
  ExpectRefused("found 0 bytes");
  EXPECT_FALSE(std::filesystem::exists(DataPath()));
  // Another kind of file.
  WriteFileBytes(DataPath(), std::string(20000, 'z'));
  ExpectRefused("");
}

TEST_F(LmdbDamageTest, AnOlderStateIsNotTheStore) {
  PutOne("key", "old");
  const std::string old_data = ReadFileBytes(DataPath());
  PutOne("key", "new");
  const std::string data = ReadFileBytes(DataPath());
  WriteFileBytes(DataPath(), old_data + std::string(data.size(), '\0'));
  ExpectRefused("expected 2 commits");
  ExpectRefused("found 1");
  // Who wants to use it takes the file away.
  std::filesystem::remove(CommitPath());
  ExpectValue("old");
}

TEST_F(LmdbDamageTest, TheCommitFileMayBeBehindOrAbsent) {
  PutOne("key", "old");
  const std::string old_commits = ReadFileBytes(CommitPath());
  PutOne("key", "new");
  const std::string commits = ReadFileBytes(CommitPath());
  // As a process leaves it that dies between a commit and the file.
  WriteFileBytes(CommitPath(), old_commits);
  ExpectValue("new");
  EXPECT_EQ(ReadFileBytes(CommitPath()), commits);
  std::filesystem::remove(CommitPath());
  ExpectValue("new");
  EXPECT_EQ(ReadFileBytes(CommitPath()), commits);
  // Reading does not write.
  std::filesystem::remove(CommitPath());
  EXPECT_TRUE(Open(/*read_only=*/true).ok());
  EXPECT_FALSE(std::filesystem::exists(CommitPath()));
}

TEST_F(LmdbDamageTest, TheCommitFileMayBeDamaged) {
  PutOne("key", "value");
  const std::string commits = ReadFileBytes(CommitPath());
  for (size_t at = 0; at < commits.size(); ++at) {
    std::string damaged = commits;
    damaged[at] ^= 1;
    WriteFileBytes(CommitPath(), damaged);
    ExpectRefused("commits: expected a number of commits with its checksum");
  }
  for (const std::string& other : {std::string(), commits + "x"}) {
    WriteFileBytes(CommitPath(), other);
    ExpectRefused("remove this file");
  }
}

// Every byte that LMDB uses of the two pages that describe the file, the
// numbers of the last two transactions among them.
TEST_F(LmdbDamageTest, AnyByteOfTheMetaPagesMayBeDamaged) {
  constexpr int kCommits = 5;
  for (int i = 1; i <= kCommits; ++i) PutOne("key", absl::StrCat(i));
  const std::string data = ReadFileBytes(DataPath());
  const std::string commits = ReadFileBytes(CommitPath());
  constexpr size_t kMetaBytes = 152;
  constexpr size_t kTransactionNumber = 144;
  Outcomes outcomes;
  int numbers_refused = 0;
  for (const size_t page : {0, 4096}) {
    for (size_t at = 0; at < kMetaBytes; ++at) {
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        for (const bool read_only : {true, false}) {
          std::string damaged = data;
          damaged[page + at] ^= flip;
          WriteFileBytes(DataPath(), damaged);
          WriteFileBytes(CommitPath(), commits);
          const Outcome outcome = OutcomeInChild([&] {
            auto environment = Open(read_only);
            if (!environment.ok()) return Outcome::kRefused;
            auto transaction = environment->Begin(/*write=*/false);
            if (!transaction.ok()) return Outcome::kRefused;
            const auto value = transaction->Get(0, "key");
            if (!value.ok()) return Outcome::kRefused;
            return *value == absl::StrCat(kCommits) ? Outcome::kWhole
                                                    : Outcome::kLess;
          });
          ++outcomes[outcome];
          EXPECT_NE(outcome, Outcome::kLess)
              << "page at " << page << ", byte " << at;
          if (at >= kTransactionNumber) {
            EXPECT_NE(outcome, Outcome::kCrashed);
            numbers_refused += outcome == Outcome::kRefused ? 1 : 0;
          }
        }
      }
    }
  }
  std::cout << "meta pages: " << outcomes << std::endl;
  // The older page with a larger number, and the newer one with a smaller.
  EXPECT_GT(numbers_refused, 40);
  EXPECT_GT(outcomes[Outcome::kWhole], 0);
}

// The last pages of a file may never have been written.
TEST_F(LmdbDamageTest, OpensWhatItCommittedHoweverLongTheFileIs) {
  for (int size = 1; size < 60; ++size) {
    SCOPED_TRACE(size);
    std::filesystem::remove_all(directory_);
    {
      auto environment = Open();
      ASSERT_TRUE(environment.ok()) << environment.status();
      auto transaction = environment->Begin(true);
      ASSERT_TRUE(transaction.ok());
      ASSERT_TRUE(transaction->Put(0, "key", "value").ok());
      for (int i = 0; i < size; ++i) {
        const std::string key = absl::StrCat("key ", i);
        ASSERT_TRUE(transaction->Put(1, key, std::string(3000, 'x')).ok());
      }
      for (int i = 0; i < size; ++i) {
        ASSERT_TRUE(transaction->Delete(1, absl::StrCat("key ", i)).ok());
      }
      ASSERT_TRUE(transaction->Commit().ok());
    }
    ExpectValue("value");
  }
}

}  // namespace
}  // namespace warpclust
