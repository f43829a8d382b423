// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged stores: files with changed bytes, which are never called sound, or
// updated, without all that was committed; and records that are well formed,
// but whose centers are not the vertices that they should be among.

#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "algorithms/dclustr/dclustr.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/testing/damaged_files.h"
#include "graph/testing/store_folder.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

// Documents of one term each.
DClustRBatch Batch(const std::vector<int32_t>& terms,
                   const std::vector<std::string>& ids) {
  DClustRBatch batch;
  for (const int32_t term : terms) {
    batch.added.terms.push_back(term);
    batch.added.weights.push_back(1.0f);
    batch.added.num_terms = 10;
    batch.added.offsets.push_back(
        static_cast<int64_t>(batch.added.terms.size()));
  }
  batch.added_ids = ids;
  return batch;
}

using Records = std::vector<std::pair<std::string, std::string>>;

// The store of two pairs, a component each, in which `damage` changed the lists
// of centers of the two.
absl::StatusOr<DClustRCollection> DamagedCollection(
    absl::FunctionRef<absl::Status(const Records&, LmdbTransaction*)> damage) {
  const std::string directory = NewStoreFolder();
  // Exact mode does not ask for the old ones.
  DClustRStoreOptions options;
  options.mode = DClustRMode::kDClustR;
  {
    auto collection = DClustRCollection::Create(directory, options);
    if (!collection.ok()) return collection.status();
    const auto update =
        collection->Update(Batch({1, 1, 2, 2}, {"a", "b", "c", "d"}), {});
    if (!update.ok()) return update.status();
    const absl::Status verified = collection->Verify({});
    if (!verified.ok()) return verified;
  }
  {
    auto environment = LmdbEnvironment::Open(directory, kPccTableNames, {});
    if (!environment.ok()) return environment.status();
    auto transaction = environment->Begin(/*write=*/true);
    if (!transaction.ok()) return transaction.status();
    Records records;
    absl::Status status = transaction->ForEach(
        kCover, "",
        [&](absl::string_view key,
            absl::string_view value) -> absl::StatusOr<bool> {
          records.emplace_back(std::string(key), std::string(value));
          return true;
        });
    if (status.ok()) status = damage(records, &*transaction);
    if (status.ok()) status = transaction->Commit();
    if (!status.ok()) return status;
  }
  return DClustRCollection::Open(directory);
}

TEST(DamagedCentersTest, OfAnotherComponent) {
  auto collection = DamagedCollection(
      [](const Records& records, LmdbTransaction* transaction) {
        EXPECT_EQ(records.size(), 2);
        return transaction->Put(kCover, records[0].first, records[1].second);
      });
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_EQ(collection->Update(Batch({1}, {"e"}), {}).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(collection->Read(1).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(collection->Verify({}).code(), absl::StatusCode::kDataLoss);
}

TEST(DamagedCentersTest, OfNoComponent) {
  auto collection = DamagedCollection(
      [](const Records& records, LmdbTransaction* transaction) {
        return transaction->Delete(kCover, records[0].first);
      });
  ASSERT_TRUE(collection.ok()) << collection.status();
  const absl::Status status = collection->Verify({});
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "store: document 0: it is in no cluster");
}

DClustRRunOptions OneThread() {
  DClustRRunOptions options;
  options.device = Device::kCpu;
  options.num_threads = 1;
  return options;
}

// A store of six additions.
class DamagedFileTest : public testing::Test {
 protected:
  static constexpr int kAdditions = 6;
  static constexpr int kDocuments = 20;  // Of each.
  static constexpr size_t kMetaBytes = 152;

  void SetUp() override {
    auto collection = DClustRCollection::Create(directory_, {});
    ASSERT_TRUE(collection.ok()) << collection.status();
    for (int32_t i = 0; i < kAdditions; ++i) {
      std::vector<int32_t> terms;
      std::vector<std::string> ids;
      for (int32_t d = 0; d < kDocuments; ++d) {
        terms.push_back((i + d * d) % 10);
        ids.push_back(absl::StrCat("document ", i * kDocuments + d));
      }
      const auto update = collection->Update(Batch(terms, ids), OneThread());
      ASSERT_TRUE(update.ok()) << update.status();
    }
    const auto clusters = collection->Read(1);
    ASSERT_TRUE(clusters.ok()) << clusters.status();
    expected_ = *clusters;
    data_ = ReadFileBytes(directory_ + "/data.mdb");
    commits_ = ReadFileBytes(directory_ + "/commits");
  }

  // What `dclustr --verify` makes of a damaged file.
  Outcome Verify() const {
    const auto collection = DClustRCollection::Open(directory_, true);
    if (!collection.ok() || !collection->Verify(OneThread()).ok()) {
      return Outcome::kRefused;
    }
    const auto found = collection->Read(1);
    return found.ok() && found->ids == expected_.ids &&
                   found->centers == expected_.centers &&
                   found->cover == expected_.cover
               ? Outcome::kWhole
               : Outcome::kLess;
  }
  // And an update, which reads less.
  Outcome Modify() const {
    auto collection = DClustRCollection::Open(directory_);
    if (!collection.ok()) return Outcome::kRefused;
    DClustRBatch batch = Batch({3}, {"document 7"});
    batch.removed_ids = batch.added_ids;
    const auto update = collection->Update(batch, OneThread());
    if (!update.ok()) return Outcome::kRefused;
    return update->documents == kAdditions * kDocuments ? Outcome::kWhole
                                                        : Outcome::kLess;
  }

  void TryDamage(size_t at, char flip) {
    std::string damaged = data_;
    damaged[at] ^= flip;
    const auto restore = [&] {
      WriteFileBytes(directory_ + "/data.mdb", damaged);
      WriteFileBytes(directory_ + "/commits", commits_);
    };
    restore();
    const Outcome verified = OutcomeInChild([this] { return Verify(); });
    restore();
    const Outcome modified = OutcomeInChild([this] { return Modify(); });
    EXPECT_NE(verified, Outcome::kLess) << "byte " << at;
    EXPECT_NE(modified, Outcome::kLess) << "byte " << at;
    ++verified_[verified];
    ++modified_[modified];
    accepted_unsound_ +=
        verified == Outcome::kRefused && modified == Outcome::kWhole ? 1 : 0;
  }

  const std::string directory_ = NewStoreFolder();
  DClustRClusters expected_;
  std::string data_;
  std::string commits_;
  Outcomes verified_;
  Outcomes modified_;
  int accepted_unsound_ = 0;
};

TEST_F(DamagedFileTest, NumbersOfTransactions) {
  // Of LMDB's two meta pages.
  for (const size_t page : {0, 4096}) {
    for (size_t at = kMetaBytes - 8; at < kMetaBytes; ++at) {
      TryDamage(page + at, '\x30');
    }
  }
  EXPECT_GT(verified_[Outcome::kRefused], 0);
  EXPECT_EQ(verified_[Outcome::kCrashed], 0);
  EXPECT_EQ(accepted_unsound_, 0);
  std::cout << "verify: " << verified_ << "\nmodify: " << modified_ << "\n";
}

TEST_F(DamagedFileTest, AnyByte) {
  const uint32_t seed = 20261123;
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  // Each byte that LMDB uses of its two meta pages, then bytes of all pages.
  int trials = 867;
  for (const size_t page : {0, 4096}) {
    for (size_t at = 0; at < kMetaBytes; ++at, --trials) {
      TryDamage(page + at, static_cast<char>(1 + random() % 255));
    }
  }
  for (int trial = 0; trial < trials; ++trial) {
    // The heads of pages more often than their content.
    const size_t page = random() % (data_.size() / 4096) * 4096;
    const size_t at = trial % 3 == 0 ? random() % 160 : random() % 4096;
    TryDamage(page + at, static_cast<char>(1 + random() % 255));
  }
  EXPECT_GT(verified_[Outcome::kRefused], 50);
  EXPECT_GT(verified_[Outcome::kWhole], 50);
  std::cout << "verify: " << verified_ << "\nmodify: " << modified_
            << "\naccepted by modify, refused by verify: " << accepted_unsound_
            << "\n";
}

}  // namespace
}  // namespace warpclust
