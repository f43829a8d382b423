// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A store whose records are all well formed, but whose centers are none of the
// vertices that they should be among.

#include <cstdint>
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
#include "gtest/gtest.h"

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
    absl::string_view name,
    absl::FunctionRef<absl::Status(const Records&, LmdbTransaction*)> damage) {
  const std::string directory = absl::StrCat(::testing::TempDir(), "/", name);
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
      "another_component",
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
      "no_component", [](const Records& records, LmdbTransaction* transaction) {
        return transaction->Delete(kCover, records[0].first);
      });
  ASSERT_TRUE(collection.ok()) << collection.status();
  const absl::Status status = collection->Verify({});
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "store: document 0: it is in no cluster");
}

}  // namespace
}  // namespace warpclust
