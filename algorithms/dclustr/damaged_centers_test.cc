// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A store whose records are all well formed, but whose centers are none of the
// vertices that they should be among.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/dclustr/cover_update.h"
#include "algorithms/dclustr/dclustr.h"
#include "graph/lmdb_environment.h"
#include "graph/pcc_tables.h"
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

TEST(DamagedCentersTest, OfAnotherComponent) {
  const std::string directory = ::testing::TempDir() + "/damaged_centers";
  // Exact mode does not ask for the old ones.
  DClustRStoreOptions options;
  options.mode = DClustRMode::kDClustR;
  {
    auto collection = DClustRCollection::Create(directory, options);
    ASSERT_TRUE(collection.ok()) << collection.status();
    // Two pairs, a component each.
    const DClustRBatch pairs = Batch({1, 1, 2, 2}, {"a", "b", "c", "d"});
    ASSERT_TRUE(collection->Update(pairs, {}).ok());
  }
  {
    auto environment = LmdbEnvironment::Open(directory, kPccTableNames, {});
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(/*write=*/true);
    ASSERT_TRUE(transaction.ok()) << transaction.status();
    // The list of centers of each.
    std::vector<std::pair<std::string, std::string>> records;
    const absl::Status read = transaction->ForEach(
        kCover, "",
        [&](absl::string_view key,
            absl::string_view value) -> absl::StatusOr<bool> {
          records.emplace_back(std::string(key), std::string(value));
          return true;
        });
    ASSERT_TRUE(read.ok()) << read;
    ASSERT_EQ(records.size(), 2);
    ASSERT_TRUE(
        transaction->Put(kCover, records[0].first, records[1].second).ok());
    ASSERT_TRUE(transaction->Commit().ok());
  }
  auto collection = DClustRCollection::Open(directory);
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_EQ(collection->Update(Batch({1}, {"e"}), {}).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(collection->Read(1).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(collection->Verify({}).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace warpclust
