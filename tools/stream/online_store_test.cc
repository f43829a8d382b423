// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_store.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
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
  static OnlineBlock Block(int64_t before, absl::string_view lines) {
    return {InputFormat::kLines, before, 1, lines};
  }

  // What a start finds: the documents of the snapshot, then the blocks; or an
  // error.
  std::string Found() {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
    if (!store.ok()) return std::string(store.status().message());
    return Found(*store);
  }
  static std::string Found(OnlineStore& store) {
    const absl::StatusOr<absl::optional<OnlineSnapshot>> snapshot =
        store.Load();
    if (!snapshot.ok()) return std::string(snapshot.status().message());
    std::string found =
        snapshot->has_value()
            ? absl::StrCat("n", (*snapshot)->clusters.num_documents)
            : "nothing";
    const absl::Status status =
        store.ForEachBlock([&found](const OnlineBlock& block) {
          absl::StrAppend(&found, " ", block.documents_before, ":",
                          block.lines);
          return absl::OkStatus();
        });
    return status.ok() ? found : std::string(status.message());
  }

  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  static void Write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  // A snapshot of 2 documents and two blocks.
  void MakeExample() {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_TRUE(store->Save(Snapshot(2)).ok());
    ASSERT_TRUE(store->Append(Block(2, "one\n")).ok());
    ASSERT_TRUE(store->Append(Block(3, "two\n")).ok());
  }

  std::string folder_;
  std::string path_;
};

TEST_F(OnlineStoreTest, ContinuesWhereItWas) {
  EXPECT_EQ(Found(), "nothing");
  EXPECT_EQ(Found(), "nothing");
  MakeExample();
  EXPECT_EQ(Found(), "n2 2:one\n 3:two\n");
  {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_TRUE(store->Append(Block(4, "three\n")).ok());
  }
  EXPECT_EQ(Found(), "n2 2:one\n 3:two\n 4:three\n");
  {
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_TRUE(store->Save(Snapshot(5)).ok());
    EXPECT_GT(store->snapshot_bytes(), 100);
    EXPECT_EQ(store->block_bytes(), 0);
    ASSERT_TRUE(store->Append(Block(5, "four\n")).ok());
    EXPECT_GT(store->block_bytes(), 5);
  }
  EXPECT_EQ(Found(), "n5 5:four\n");
}

// Blocks come in the order of the stream, beyond 2^32 documents too.
TEST_F(OnlineStoreTest, OrderOfBlocks) {
  absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
  ASSERT_TRUE(store.ok()) << store.status();
  ASSERT_TRUE(store->Save(Snapshot(0)).ok());
  std::string expected = "n0";
  for (const int64_t before :
       {int64_t{0}, int64_t{255}, int64_t{256}, int64_t{1} << 31,
        (int64_t{1} << 32) - 1, int64_t{1} << 32}) {
    ASSERT_TRUE(store->Append(Block(before, "a\n")).ok());
    absl::StrAppend(&expected, " ", before, ":a\n");
  }
  EXPECT_EQ(Found(*store), expected);
}

// A snapshot of several pieces, then a shorter and a longer one.
TEST_F(OnlineStoreTest, PiecesOfASnapshot) {
  for (const size_t bytes : {size_t{5} << 20, size_t{100}, size_t{3} << 20}) {
    OnlineSnapshot large = Snapshot(1);
    large.output_path.resize(bytes);
    for (size_t i = 0; i < bytes; ++i) {
      large.output_path[i] = static_cast<char>(i % 251);
    }
    {
      absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
      ASSERT_TRUE(store.ok()) << store.status();
      ASSERT_TRUE(store->Save(large).ok());
    }
    absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
    ASSERT_TRUE(store.ok()) << store.status();
    const auto found = store->Load();
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_TRUE(found->has_value());
    EXPECT_TRUE((*found)->output_path == large.output_path) << bytes;
  }
}

// The file holds at most two snapshots and the blocks between them.
TEST_F(OnlineStoreTest, TheFileDoesNotGrowWithTheStream) {
  absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
  ASSERT_TRUE(store.ok()) << store.status();
  OnlineSnapshot snapshot = Snapshot(0);
  snapshot.output_path = std::string(size_t{4} << 20, 'x');
  const std::string lines(size_t{1} << 19, 'y');
  const auto size = [this] {
    return std::filesystem::file_size(path_ + "/data.mdb");
  };
  int64_t documents = 0;
  for (int save = 0; save < 20; ++save) {
    ASSERT_TRUE(store->Save(snapshot).ok());
    for (int block = 0; block < 8; ++block) {
      ASSERT_TRUE(store->Append(Block(documents++, lines)).ok());
    }
  }
  EXPECT_LT(size(), size_t{24} << 20);
}

// The checksum of a value finds a changed byte.
TEST_F(OnlineStoreTest, DamageIsFound) {
  MakeExample();
  const std::string data = Read(path_ + "/data.mdb");
  int damaged = 0;
  for (size_t at = data.find("one\n"); at != std::string::npos;
       at = data.find("one\n", at + 1)) {
    std::string changed = data;
    changed[at] = 'O';
    Write(path_ + "/data.mdb", changed);
    const std::string found = Found();
    // LMDB keeps pages of earlier transactions, which nobody reads.
    if (found == "n2 2:one\n 3:two\n") continue;
    ++damaged;
    EXPECT_TRUE(absl::StrContains(found, path_)) << found;
    EXPECT_TRUE(absl::StrContains(found, "checksum")) << found;
  }
  EXPECT_EQ(damaged, 1);
}

TEST_F(OnlineStoreTest, OtherFilesStayAsTheyAre) {
  Write(path_, "somebody's letters");
  EXPECT_TRUE(absl::StrContains(Found(), "expected a directory for the state"))
      << Found();
  EXPECT_TRUE(absl::StrContains(Found(), path_)) << Found();
  EXPECT_EQ(Read(path_), "somebody's letters");
  unlink(path_.c_str());

  std::filesystem::create_directory(path_);
  EXPECT_EQ(Found(), "nothing");
  // A file beside a state is no harm.
  Write(path_ + "/diary.txt", "somebody's diary");
  EXPECT_EQ(Found(), "nothing");
  std::filesystem::remove_all(path_);
  std::filesystem::create_directory(path_);
  Write(path_ + "/diary.txt", "somebody's diary");
  EXPECT_TRUE(absl::StrContains(Found(), "found the file diary.txt"))
      << Found();
  EXPECT_FALSE(std::filesystem::exists(path_ + "/data.mdb"));
}

// Their two files, a snapshot and a journal.
TEST_F(OnlineStoreTest, StatesOfEarlierVersionsAreRefusedAndKept) {
  for (const std::string mark : {"WCONLINE", "WCJOURNL"}) {
    const std::string bytes = mark + "\1 and more of it";
    Write(path_, bytes);
    const absl::Status status = OnlineStore::Open(path_).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    for (const absl::string_view part :
         {absl::string_view(path_), absl::string_view("of an earlier version"),
          absl::string_view("begin a new state under another name")}) {
      EXPECT_TRUE(absl::StrContains(status.message(), part)) << status;
    }
    EXPECT_EQ(Read(path_), bytes);
  }
}

TEST_F(OnlineStoreTest, DatabasesOfOthers) {
  const char* const tables[] = {"letters"};
  {
    absl::StatusOr<LmdbEnvironment> other =
        LmdbEnvironment::Open(path_, tables, {});
    ASSERT_TRUE(other.ok()) << other.status();
  }
  const std::string before = Read(path_ + "/data.mdb");
  EXPECT_TRUE(absl::StrContains(Found(), "found a database without"))
      << Found();
  EXPECT_EQ(Read(path_ + "/data.mdb"), before);

  // A process that was killed while it made a state leaves no table, or not
  // even LMDB's first pages.
  std::filesystem::remove_all(path_);
  {
    absl::StatusOr<LmdbEnvironment> empty =
        LmdbEnvironment::Open(path_, {}, {});
    ASSERT_TRUE(empty.ok()) << empty.status();
  }
  EXPECT_EQ(Found(), "nothing");
  std::filesystem::remove_all(path_);
  std::filesystem::create_directory(path_);
  Write(path_ + "/data.mdb", "");
  EXPECT_EQ(Found(), "nothing");
}

TEST_F(OnlineStoreTest, OneProcessAtATime) {
  const absl::StatusOr<OnlineStore> store = OnlineStore::Open(path_);
  ASSERT_TRUE(store.ok()) << store.status();
  // The lock belongs to the opened file, so a second one in this process is as
  // good as another process.
  const absl::Status second = OnlineStore::Open(path_).status();
  EXPECT_EQ(second.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::StrContains(second.message(), "another process")) << second;
}

TEST_F(OnlineStoreTest, Links) {
  MakeExample();
  const std::string link = folder_ + "/link";
  std::filesystem::create_directory_symlink(path_, link);
  path_ = link;
  EXPECT_EQ(Found(), "n2 2:one\n 3:two\n");
}

}  // namespace
}  // namespace warpclust
