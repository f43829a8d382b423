// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/cover_update.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/testing/dclustr_oracle.h"
#include "algorithms/dclustr/testing/random_changes.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/relevance_cpu.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// A naive change of `graph` as the store takes it.
PccChange ToPccChange(const NaiveGraph& graph, const NaiveChange& change) {
  PccChange result;
  result.num_added = static_cast<int32_t>(change.added.size());
  result.removed.assign(change.removed.begin(), change.removed.end());
  result.added_edges = change.edges;
  for (const int32_t v : change.removed) {
    for (const auto& [u, weight] : graph.at(v)) {
      if (change.removed.count(u) == 0 || u < v) {
        result.removed_edges.push_back({u, v, weight});
      }
    }
  }
  return result;
}

// A store in a folder of its own.
class TestStore {
 public:
  explicit TestStore(const std::string& name)
      : directory_(absl::StrCat(::testing::TempDir(), "/", name)) {
    LmdbEnvironment::Options options;
    options.sync = false;
    auto environment =
        LmdbEnvironment::Open(directory_, kPccTableNames, options);
    EXPECT_TRUE(environment.ok()) << environment.status();
    environment_.emplace(*std::move(environment));
  }

  CoverUpdate Update(const PccChange& change, DClustRMode mode,
                     int num_threads) {
    auto transaction = environment_->Begin(/*write=*/true);
    auto store = PccStore::Open(&*transaction);
    auto update = UpdateCover(&*store, change, mode, num_threads);
    EXPECT_TRUE(update.ok()) << update.status();
    EXPECT_TRUE(store->Flush().ok());
    EXPECT_TRUE(transaction->Commit().ok());
    return update.ok() ? *update : CoverUpdate();
  }

  absl::Status Refusal(const PccChange& change) {
    auto transaction = environment_->Begin(/*write=*/true);
    auto store = PccStore::Open(&*transaction);
    return UpdateCover(&*store, change, DClustRMode::kExact, 1).status();
  }

  // Centers with what is linked, by center; and the states by vertex.
  std::vector<NaiveStar> Stars(std::map<int32_t, VertexState>* states) {
    auto transaction = environment_->Begin(/*write=*/false);
    auto store = PccStore::Open(&*transaction);
    EXPECT_TRUE(store->Verify().ok()) << store->Verify();
    std::map<int32_t, NaiveStar> stars;
    const std::vector<int32_t> components = *store->Components();
    for (const int32_t component : components) {
      const std::vector<PccStore::Center> centers =
          *store->CentersOf(component);
      for (const PccStore::Center& center : centers) {
        stars[center.vertex] = {center.vertex,
                                {center.linked.begin(), center.linked.end()}};
      }
      const std::vector<int32_t> vertices = *store->VerticesOf(component);
      std::vector<VertexState> read(vertices.size());
      EXPECT_TRUE(store->ReadStates(vertices, absl::MakeSpan(read)).ok());
      for (size_t i = 0; i < vertices.size(); ++i) {
        (*states)[vertices[i]] = read[i];
      }
    }
    std::vector<NaiveStar> result;
    for (auto& [vertex, star] : stars) result.push_back(std::move(star));
    return result;
  }

 private:
  std::string directory_;
  absl::optional<LmdbEnvironment> environment_;
};

// The states that a graph should have.
std::map<int32_t, VertexState> StatesFromScratch(const NaiveGraph& naive) {
  std::vector<int32_t> numbers;
  const CsrGraph graph = LocalGraph(naive, &numbers);
  const RelevanceTable table = *RelevancesCpu(graph, 1);
  std::map<int32_t, VertexState> states;
  for (size_t i = 0; i < numbers.size(); ++i) {
    VertexState state;
    state.degree = table.degrees[i];
    state.weight_sum = table.weight_sums[i];
    state.relevance_count = table.counts[i];
    states[numbers[i]] = state;
  }
  return states;
}

constexpr uint32_t kHistories = 60;
constexpr int kUpdates = 12;

TEST(CoverUpdate, ExactModeIsOClustRFromScratchAfterEveryUpdate) {
  for (uint32_t seed = 0; seed < kHistories; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    RandomChanges changes(seed);
    TestStore store(absl::StrCat("exact", seed));
    NaiveGraph graph;
    for (int i = 0; i < kUpdates; ++i) {
      const NaiveChange change = changes.Next(graph);
      store.Update(ToPccChange(graph, change), DClustRMode::kExact,
                   1 + static_cast<int>(seed % 3));
      graph = Changed(std::move(graph), change);
      std::map<int32_t, VertexState> states;
      const std::vector<NaiveStar> stars = store.Stars(&states);
      ASSERT_TRUE(stars == NaiveScratchStars(graph)) << "update " << i;
      ASSERT_TRUE(states == StatesFromScratch(graph)) << "update " << i;
      ASSERT_EQ(NaiveViolation(graph, stars), "");
    }
  }
}

TEST(CoverUpdate, DClustRModeIsTheInMemoryDClustR) {
  for (uint32_t seed = 0; seed < kHistories; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    RandomChanges changes(seed);
    TestStore store(absl::StrCat("dclustr", seed));
    NaiveGraph graph;
    NaiveDClustR oracle;
    for (int i = 0; i < kUpdates; ++i) {
      const NaiveChange change = changes.Next(graph);
      const CoverUpdate update =
          store.Update(ToPccChange(graph, change), DClustRMode::kDClustR,
                       1 + static_cast<int>(seed % 3));
      oracle.Update(change);
      graph = Changed(std::move(graph), change);
      std::map<int32_t, VertexState> states;
      const std::vector<NaiveStar> stars = store.Stars(&states);
      ASSERT_TRUE(stars == oracle.stars()) << "update " << i;
      ASSERT_TRUE(states == StatesFromScratch(graph)) << "update " << i;
      ASSERT_EQ(update.affected_vertices,
                static_cast<int32_t>(oracle.affected().size()));
      ASSERT_EQ(NaiveViolation(graph, stars), "");
    }
  }
}

TEST(CoverUpdate, UntouchedComponentsAreNotRead) {
  TestStore store("untouched");
  PccChange change;
  change.num_added = 3000;
  for (int32_t v = 0; v < 3000; v += 3) {
    change.added_edges.push_back({v, v + 1, 0.5f});
    change.added_edges.push_back({v + 1, v + 2, 0.75f});
  }
  store.Update(change, DClustRMode::kExact, 1);
  PccChange one;
  one.num_added = 1;
  one.added_edges = {{1500, 3000, 0.5f}};
  const CoverUpdate update = store.Update(one, DClustRMode::kExact, 1);
  EXPECT_EQ(update.affected_vertices, 4);
  EXPECT_EQ(update.affected_components, 2);
  EXPECT_EQ(update.changed_vertices, 2);
  EXPECT_LE(update.relevance_entries, 4);
}

TEST(CoverUpdate, NothingChangesNothing) {
  TestStore store("nothing");
  const CoverUpdate update = store.Update(PccChange(), DClustRMode::kExact, 1);
  EXPECT_EQ(update.affected_vertices, 0);
}

TEST(CoverUpdate, RefusesWeightsThatAreNoCosines) {
  TestStore store("weights");
  PccChange change;
  change.num_added = 2;
  for (const float weight :
       {0.0f, 1.0f / 256, -1.0f, 1.5f, std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN()}) {
    change.added_edges = {{0, 1, weight}};
    EXPECT_EQ(store.Refusal(change).code(), absl::StatusCode::kInvalidArgument)
        << weight;
  }
  change.added_edges = {{0, 1, 1.0f}};
  store.Update(change, DClustRMode::kExact, 1);
  change = {};
  change.removed = {1};
  change.removed_edges = {{0, 1, 2.0f}};
  EXPECT_EQ(store.Refusal(change).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
