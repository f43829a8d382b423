// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of LmdbEnvironment: a directory per test, and short ways to write
// and read a value.

#ifndef WARPCLUST_GRAPH_TESTING_LMDB_ENVIRONMENT_FIXTURE_H_
#define WARPCLUST_GRAPH_TESTING_LMDB_ENVIRONMENT_FIXTURE_H_

#include <unistd.h>

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "gtest/gtest.h"

namespace warpclust {

class LmdbEnvironmentTest : public testing::Test {
 protected:
  static constexpr const char* kTables[] = {"first", "second"};

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
inline std::string Value(const LmdbTransaction& transaction, int table,
                         absl::string_view key) {
  auto value = transaction.Get(table, key);
  if (!value.ok()) return std::string(value.status().message());
  return value->has_value() ? std::string(**value) : "none";
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_LMDB_ENVIRONMENT_FIXTURE_H_
