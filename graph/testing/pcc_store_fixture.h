// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of PccStore: a store in its own directory, and a model of the same
// graph in plain sets.

#ifndef WARPCLUST_GRAPH_TESTING_PCC_STORE_FIXTURE_H_
#define WARPCLUST_GRAPH_TESTING_PCC_STORE_FIXTURE_H_

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/pcc_store.h"
#include "gtest/gtest.h"

namespace warpclust {

// A store in a directory per test.
class PccStoreFixture : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  void Close();
  absl::StatusOr<LmdbEnvironment> OpenEnvironment() const;
  // Opens the directory again. Uncommitted changes are lost.
  void Reopen();
  void Begin();
  void Commit();

  PccStore& store() { return *store_; }

  std::string directory_;
  absl::optional<LmdbEnvironment> environment_;
  absl::optional<LmdbTransaction> transaction_;
  absl::optional<PccStore> store_;
};

std::vector<int32_t> Row(PccStore* store, int32_t vertex);

// Writes the states of `vertices`, with their degrees, as DClustR does.
void WriteDegrees(PccStore* store, const std::vector<int32_t>& vertices);

// The graph as sets, with the PCCs of graph/pcc_store/README.md.
struct PccModel {
  // The vertices that v reaches, in its PCC only or in the whole graph.
  std::set<int32_t> Reached(int32_t v, bool within_pcc) const;
  void Apply(const PccChange& change);
  // The vertices of each PCC, in the order of the smallest vertices.
  std::vector<std::vector<int32_t>> Pccs() const;
  std::vector<int32_t> Alive() const;

  int32_t next_vertex = 0;
  std::map<int32_t, std::set<int32_t>> rows;  // Alive vertices.
  std::map<int32_t, int32_t> pcc;             // Numbers of the model.
  int32_t next_pcc = 0;
};

// A random change that adds fewer than `size` vertices.
PccChange RandomChange(const PccModel& model, int size, std::mt19937* random);

// Compares all answers of the store with the model.
void ExpectEqual(const PccModel& model, PccStore* store);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_PCC_STORE_FIXTURE_H_
