// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random histories of a graph, threads that read it, files that are damaged.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/testing/pcc_store_fixture.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using PccStoreHistoryTest = PccStoreFixture;

// What Apply should have said.
std::vector<int32_t> ExpectedTouched(const PccModel& before,
                                     const PccModel& after,
                                     const PccChange& change, PccStore* store) {
  std::set<int32_t> seeds;
  for (const int32_t v : change.removed) {
    for (const int32_t u : before.rows.at(v)) {
      if (after.rows.count(u) != 0) seeds.insert(u);
    }
  }
  for (int32_t v = before.next_vertex; v < after.next_vertex; ++v) {
    seeds.insert(v);
  }
  std::set<int32_t> components;
  std::set<int32_t> seen;
  for (const int32_t v : seeds) {
    if (seen.count(v) != 0) continue;
    for (const int32_t u : after.Reached(v, false)) {
      seen.insert(u);
      components.insert(*store->ComponentOf(u));
    }
  }
  return std::vector<int32_t>(components.begin(), components.end());
}

TEST_F(PccStoreHistoryTest, RandomHistoriesEqualTheModel) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::mt19937 random(seed);
    Close();
    std::filesystem::remove_all(directory_);
    Reopen();
    PccModel model;
    const int size = seed % 10 == 0 ? 400 : 5 + static_cast<int>(random() % 40);
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(absl::StrCat("step ", step));
      const PccChange change = RandomChange(model, size, &random);
      const PccModel before = model;
      model.Apply(change);
      const auto touched = store().Apply(change);
      ASSERT_TRUE(touched.ok()) << touched.status();
      EXPECT_EQ(touched->components,
                ExpectedTouched(before, model, change, &store()));
      WriteDegrees(&store(), model.Alive());
      if (random() % 3 == 0) {
        const absl::Status rewritten = store().Rewrite();
        ASSERT_TRUE(rewritten.ok()) << rewritten;
      }
      // Seen at once, after Flush, after Commit, or after opening it anew.
      const uint32_t seen = random() % 4;
      if (seen == 1) {
        ASSERT_TRUE(store().Flush().ok());
      }
      if (seen == 2) Commit();
      if (seen == 3) {
        Commit();
        Reopen();
      }
      ExpectEqual(model, &store());
      const absl::Status verified = store().Verify();
      ASSERT_TRUE(verified.ok()) << verified;
      if (HasFailure()) return;
    }
  }
}

TEST_F(PccStoreHistoryTest, PreparedRowsAreReadByManyThreads) {
  std::mt19937 random(7);
  PccModel model;
  for (int step = 0; step < 6; ++step) {
    const PccChange change = RandomChange(model, 400, &random);
    model.Apply(change);
    ASSERT_TRUE(store().Apply(change).ok());
    Commit();
  }
  const auto components = store().Components();
  ASSERT_TRUE(components.ok());
  ASSERT_TRUE(store().PrepareRows(*components).ok());
  const std::vector<int32_t> alive = model.Alive();
  std::vector<std::vector<int32_t>> rows[4];
  std::vector<std::thread> threads;
  for (auto& own : rows) {
    own.resize(alive.size());
    threads.emplace_back([&own, &alive, this] {
      for (size_t i = 0; i < alive.size(); ++i) {
        EXPECT_TRUE(store().AppendRow(alive[i], &own[i]).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : rows) {
    for (size_t i = 0; i < alive.size(); ++i) {
      const std::set<int32_t>& row = model.rows.at(alive[i]);
      EXPECT_EQ(own[i], std::vector<int32_t>(row.begin(), row.end()));
    }
  }
}

TEST_F(PccStoreHistoryTest, DamageIsSeenOrHarmless) {
  std::mt19937 random(20261122);
  PccModel model;
  for (int step = 0; step < 4; ++step) {
    const PccChange change = RandomChange(model, 500, &random);
    model.Apply(change);
    ASSERT_TRUE(store().Apply(change).ok());
    WriteDegrees(&store(), model.Alive());
    Commit();
  }
  Close();
  const std::string path = directory_ + "/data.mdb";
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  int seen = 0;
  constexpr size_t kPage = 4096;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(absl::StrCat("trial ", trial));
    // Bytes 10 and 11 of a page are its flags: 4 is the first of a value that
    // has pages of its own.
    const size_t page = 2 + random() % (bytes.size() / kPage - 2);
    if (bytes[page * kPage + 10] != 4) continue;
    const size_t at = page * kPage + 16 + random() % (kPage - 16);
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
    {
      std::ofstream out(path, std::ios::binary | std::ios::trunc);
      out.write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
    }
    auto environment = OpenEnvironment();
    ASSERT_TRUE(environment.ok()) << environment.status();
    auto transaction = environment->Begin(/*write=*/false);
    ASSERT_TRUE(transaction.ok()) << transaction.status();
    auto store = PccStore::Open(&*transaction);
    const absl::Status status = store.ok() ? store->Verify() : store.status();
    if (status.ok()) {
      ExpectEqual(model, &*store);  // A free page, or one that is not used up.
    } else {
      ++seen;
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    }
  }
  EXPECT_GT(seen, 10);
}

}  // namespace
}  // namespace warpclust
