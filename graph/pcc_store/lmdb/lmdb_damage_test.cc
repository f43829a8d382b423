// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of LmdbEnvironment that are damaged, and those that only look so: an
// error that says what is wrong, never the end of the process.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/testing/lmdb_environment_fixture.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using ::testing::HasSubstr;

using LmdbDamageTest = LmdbEnvironmentTest;

TEST_F(LmdbDamageTest, SaysWhatIsDamaged) {
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
TEST_F(LmdbDamageTest, OpensWhatItCommittedHoweverLongTheFileIs) {
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
TEST_F(LmdbDamageTest, AnyPageMayBeDamaged) {
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

// LMDB moves what lies before an entry that goes, and writes on free pages:
// entries that share bytes, and a free page that a tree has, would have it
// write over its own records.
TEST_F(LmdbDamageTest, TreesMayBeDamaged) {
  for (int commit = 0; commit < 4; ++commit) {
    auto environment = Open();
    ASSERT_TRUE(environment.ok());
    auto transaction = environment->Begin(true);
    ASSERT_TRUE(transaction->Put(0, absl::StrCat(commit), "value").ok());
    ASSERT_TRUE(transaction->Put(1, absl::StrCat(commit), "value").ok());
    ASSERT_TRUE(transaction->Commit().ok());
  }
  const std::string path = directory_ + "/data.mdb";
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const auto number = [&](size_t at, size_t size) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, size);
    return value;
  };
  const auto message_of = [&](const std::string& damaged) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    const absl::Status status = Open().status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    return std::string(status.message());
  };
  // The head with the last transaction has the roots of the tree of free pages
  // and of that of tables.
  const size_t head = number(4096 + 144, 8) > number(144, 8) ? 4096 : 0;
  const size_t free_pages = 4096 * number(head + 80, 8);
  const size_t tables = 4096 * number(head + 128, 8);
  ASSERT_LT(tables, bytes.size());
  ASSERT_LT(free_pages, bytes.size());

  std::string damaged = bytes;
  damaged.replace(tables + 18, 2, bytes, tables + 16, 2);
  EXPECT_THAT(message_of(damaged), HasSubstr("lie in one another"));

  // A table whose keys would have several values.
  const size_t name = tables + number(tables + 16, 2);
  damaged = bytes;
  damaged[name + 8 + number(name + 6, 2) + 4] |= 4;
  EXPECT_THAT(message_of(damaged), HasSubstr("found flags 4"));

  // Behind its first entry's head and key: how many there are, and the first.
  const size_t list = free_pages + number(free_pages + 16, 2) + 16;
  ASSERT_GT(number(list, 8), 1);
  damaged = bytes;
  damaged.replace(list + 8, 8, bytes, head + 128, 8);
  EXPECT_THAT(message_of(damaged), HasSubstr("it is in use and free"));
  damaged = bytes;
  damaged.replace(list + 8, 8, bytes, list + 16, 8);
  EXPECT_THAT(message_of(damaged), HasSubstr("it is free twice"));
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  EXPECT_TRUE(Open().ok());
}

// LMDB divides by the size of its pages, and asks for as much address space as
// its last page is large.
TEST_F(LmdbDamageTest, TheFirstPagesMayBeDamaged) {
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

}  // namespace
}  // namespace warpclust
