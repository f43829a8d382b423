// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_store.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

class OnlineStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = absl::StrCat(
        testing::TempDir(), "/store-",
        testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    path_ = folder_ + "/state";
  }

  static OnlineSnapshot Snapshot(int64_t documents) {
    OnlineSnapshot snapshot;
    // One cluster of documents without terms.
    snapshot.clusters.offsets = {0, 0};
    snapshot.clusters.sizes = {documents};
    snapshot.clusters.last_times = {OnlineState::kNoTime};
    snapshot.clusters.num_documents = documents;
    snapshot.input_documents = documents;
    return snapshot;
  }
  static OnlineJournal::Record Record(int64_t before, std::string lines) {
    OnlineJournal::Record record;
    record.format = InputFormat::kLines;
    record.documents_before = before;
    record.documents = 1;
    record.lines = std::move(lines);
    return record;
  }

  // What a start finds: the documents of the snapshot, then the lines of the
  // journal; or an error.
  std::string Found() {
    absl::optional<OnlineSnapshot> snapshot;
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
    if (!store.ok()) return std::string(store.status().message());
    std::string found = snapshot.has_value()
                            ? absl::StrCat("g", snapshot->generation, " n",
                                           snapshot->clusters.num_documents)
                            : "nothing";
    OnlineJournal::Record record;
    for (;;) {
      const absl::StatusOr<bool> more = store->Read(&record);
      if (!more.ok()) return std::string(more.status().message());
      if (!*more) return found;
      absl::StrAppend(&found, " ", record.documents_before, ":", record.lines);
    }
  }

  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  static void Write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  // A snapshot of 2 documents and two records.
  void MakeExample() {
    absl::optional<OnlineSnapshot> snapshot;
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
    ASSERT_TRUE(store.ok()) << store.status();
    OnlineSnapshot first = Snapshot(2);
    ASSERT_TRUE(store->Save(&first).ok());
    ASSERT_TRUE(store->Append(Record(2, "one\n")).ok());
    ASSERT_TRUE(store->Append(Record(3, "two\n")).ok());
  }

  std::string folder_;
  std::string path_;
};

TEST_F(OnlineStoreTest, SaveReplacesWhatStandsInForItsTemporary) {
  Write(folder_ + "/other", "somebody else's");
  std::filesystem::create_symlink("other", path_ + ".tmp");
  MakeExample();
  EXPECT_EQ(Read(folder_ + "/other"), "somebody else's");
  EXPECT_FALSE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(Found(), "g1 n2 2:one\n 3:two\n");
}

TEST_F(OnlineStoreTest, GoesOn) {
  EXPECT_EQ(Found(), "nothing");
  MakeExample();
  EXPECT_EQ(Found(), "g1 n2 2:one\n 3:two\n");
  absl::optional<OnlineSnapshot> snapshot;
  {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
    ASSERT_TRUE(store.ok()) << store.status();
    OnlineJournal::Record record;
    while (*store->Read(&record)) {
    }
    ASSERT_TRUE(store->Append(Record(4, "three\n")).ok());
  }
  EXPECT_EQ(Found(), "g1 n2 2:one\n 3:two\n 4:three\n");
  {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
    ASSERT_TRUE(store.ok()) << store.status();
    OnlineSnapshot second = Snapshot(5);
    ASSERT_TRUE(store->Save(&second).ok());
    EXPECT_EQ(second.generation, 2);
    EXPECT_GT(store->snapshot_bytes(), 100);
    EXPECT_LT(store->journal_bytes(), 100);
  }
  EXPECT_EQ(Found(), "g2 n5");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".tmp"));
}

// Whatever part of a record a killed process wrote, those before it are there.
TEST_F(OnlineStoreTest, HalfARecordIsDropped) {
  MakeExample();
  const std::string journal = Read(path_ + ".journal");
  const size_t record = 40 + 4;
  for (size_t cut = 0; cut <= journal.size(); ++cut) {
    Write(path_ + ".journal", journal.substr(0, cut));
    std::string expected = "g1 n2";
    if (cut >= journal.size() - record) expected += " 2:one\n";
    if (cut == journal.size()) expected += " 3:two\n";
    EXPECT_EQ(Found(), expected) << "cut at " << cut;
    // Who only looks changes nothing.
    EXPECT_EQ(Read(path_ + ".journal"), journal.substr(0, cut));
    if (cut == journal.size()) continue;
    // What is appended follows the last whole record, and is shorter here than
    // what was there.
    absl::optional<OnlineSnapshot> snapshot;
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
    OnlineJournal::Record last;
    while (*store->Read(&last)) {
    }
    EXPECT_EQ(store->dropped_bytes(), cut < 24 ? 0 : (cut - 24) % record);
    ASSERT_TRUE(store->Append(Record(5, "")).ok());
    EXPECT_EQ(store->dropped_bytes(), 0);
    store = absl::UnknownError("closed");
    EXPECT_EQ(Found(), expected + " 5:");
  }
  // A machine that stopped may leave zeros.
  Write(path_ + ".journal", journal + std::string(1000, '\0'));
  EXPECT_EQ(Found(), "g1 n2 2:one\n 3:two\n");
}

TEST_F(OnlineStoreTest, DamageWithinTheJournalIsFound) {
  MakeExample();
  const std::string journal = Read(path_ + ".journal");
  for (size_t at = 0; at < journal.size() - 44; ++at) {
    std::string damaged = journal;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    Write(path_ + ".journal", damaged);
    EXPECT_TRUE(absl::StrContains(Found(), "journal")) << at << ": " << Found();
    EXPECT_EQ(Read(path_ + ".journal"), damaged) << at;
  }
}

// The moment between the two writes of Save: the journal of the generation
// before is forgotten.
TEST_F(OnlineStoreTest, OldJournalIsForgotten) {
  MakeExample();
  const std::string old_journal = Read(path_ + ".journal");
  const std::string old_state = Read(path_);
  absl::optional<OnlineSnapshot> snapshot;
  {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
    ASSERT_TRUE(store.ok()) << store.status();
    OnlineSnapshot second = Snapshot(4);
    ASSERT_TRUE(store->Save(&second).ok());
  }
  const std::string new_journal = Read(path_ + ".journal");
  Write(path_ + ".journal", old_journal);
  EXPECT_EQ(Found(), "g2 n4");
  {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
    ASSERT_TRUE(store.ok()) << store.status();
    OnlineJournal::Record record;
    EXPECT_FALSE(*store->Read(&record));
    ASSERT_TRUE(store->Append(Record(4, "three\n")).ok());
  }
  EXPECT_EQ(Found(), "g2 n4 4:three\n");
  // The other way round, somebody took the state away.
  Write(path_ + ".journal", new_journal);
  Write(path_, old_state);
  EXPECT_TRUE(absl::StrContains(Found(), "found an older one")) << Found();
  unlink(path_.c_str());
  EXPECT_TRUE(absl::StrContains(Found(), "found none")) << Found();
  EXPECT_EQ(Read(path_ + ".journal"), new_journal);
}

TEST_F(OnlineStoreTest, OtherFilesStayAsTheyAre) {
  Write(path_, "somebody's letters");
  EXPECT_TRUE(absl::StrContains(Found(), "found another file")) << Found();
  EXPECT_TRUE(absl::StrContains(Found(), path_)) << Found();
  EXPECT_FALSE(std::filesystem::exists(path_ + ".journal"));
  EXPECT_EQ(Read(path_), "somebody's letters");
  unlink(path_.c_str());
  Write(path_ + ".journal", "somebody's diary, of more than a few bytes");
  EXPECT_TRUE(absl::StrContains(Found(), "found another file")) << Found();
  EXPECT_EQ(Read(path_ + ".journal"),
            "somebody's diary, of more than a few bytes");
  path_ = folder_;
  EXPECT_TRUE(absl::StrContains(Found(), "no plain file")) << Found();
  path_ = folder_ + "/no/such/folder";
  absl::optional<OnlineSnapshot> snapshot;
  EXPECT_EQ(OnlineStore::Open(path_, &snapshot).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST_F(OnlineStoreTest, OneProcessAtATime) {
  absl::optional<OnlineSnapshot> snapshot;
  const absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_, &snapshot);
  ASSERT_TRUE(store.ok()) << store.status();
  // A lock belongs to the opened file: one more in this process is as good.
  const absl::Status second = OnlineStore::Open(path_, &snapshot).status();
  EXPECT_EQ(second.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::StrContains(second.message(), "another process")) << second;
}

TEST_F(OnlineStoreTest, LinksAndModesStay) {
  MakeExample();
  chmod(path_.c_str(), 0600);
  const std::string link = folder_ + "/link";
  ASSERT_EQ(symlink(path_.c_str(), link.c_str()), 0);
  const std::string target = path_;
  path_ = link;
  EXPECT_EQ(Found(), "g1 n2 2:one\n 3:two\n");
  {
    absl::optional<OnlineSnapshot> snapshot;
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(link, &snapshot);
    ASSERT_TRUE(store.ok()) << store.status();
    OnlineSnapshot second = Snapshot(4);
    ASSERT_TRUE(store->Save(&second).ok());
  }
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  struct stat info;
  ASSERT_EQ(stat(target.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace warpclust
