// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/relevance_update.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/cover/affected_graph.h"
#include "base/machine/cpu_features.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/pcc_store.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// A store with all of its vertices affected, and the graph as a map.
class RelevanceUpdateTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info =
        testing::UnitTest::GetInstance()->current_test_info();
    LmdbEnvironment::Options options;
    options.sync = false;
    auto environment = LmdbEnvironment::Open(
        absl::StrCat(testing::TempDir(), "/", info->name()), kPccTableNames,
        options);
    ASSERT_TRUE(environment.ok()) << environment.status();
    environment_.emplace(*std::move(environment));
    transaction_.emplace(*environment_->Begin(/*write=*/true));
    store_.emplace(*PccStore::Open(&*transaction_));
  }
  void TearDown() override {
    SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
    store_.reset();
    transaction_.reset();
  }

  // Adds and removes vertices. Few weights, so that averages tie; new vertices
  // know few of the old ones, so that many have edges that did not change.
  PccChange RandomChange(int num_added, int num_removed, uint32_t one_in,
                         std::mt19937* random) {
    PccChange change;
    change.num_added = num_added;
    std::set<int32_t> removed;
    while (static_cast<int>(removed.size()) < num_removed) {
      removed.insert(alive_[(*random)() % alive_.size()]);
    }
    change.removed.assign(removed.begin(), removed.end());
    for (const auto& [ends, weight] : edges_) {
      if (removed.count(ends.first) + removed.count(ends.second) > 0) {
        change.removed_edges.push_back({ends.first, ends.second, weight});
      }
    }
    for (int32_t i = 0; i < num_added; ++i) {
      const int32_t v = next_vertex_ + i;
      for (int32_t u = 0; u < v; ++u) {
        if (u < next_vertex_ &&
            (removed.count(u) > 0 || is_gone_.count(u) > 0)) {
          continue;
        }
        const bool is_hub = u % 8 == 0;
        if (u >= next_vertex_ || is_hub || (*random)() % one_in == 0) {
          change.added_edges.push_back(
              {u, v, weights_[(*random)() % weights_.size()]});
        }
      }
    }
    return change;
  }

  void Apply(const PccChange& change) {
    ASSERT_TRUE(store_->Apply(change).ok());
    for (const WeightedEdge& edge : change.removed_edges) {
      edges_.erase({edge.u, edge.v});
    }
    for (const WeightedEdge& edge : change.added_edges) {
      edges_[{edge.u, edge.v}] = edge.weight;
    }
    is_gone_.insert(change.removed.begin(), change.removed.end());
    next_vertex_ += change.num_added;
    alive_.clear();
    for (int32_t v = 0; v < next_vertex_; ++v) {
      if (is_gone_.count(v) == 0) alive_.push_back(v);
    }
  }

  // States before the change, of the alive vertices after it.
  std::vector<VertexState> StatesBefore() {
    std::vector<VertexState> states;
    for (const int32_t v : alive_) states.push_back(states_[v]);
    return states;
  }
  void Keep(const RelevanceTable& table) {
    for (size_t i = 0; i < alive_.size(); ++i) {
      VertexState state;
      state.degree = table.degrees[i];
      state.weight_sum = table.weight_sums[i];
      state.relevance_count = table.counts[i];
      states_[alive_[i]] = state;
    }
  }

  RelevanceTable FromScratch() const {
    std::vector<int32_t> local(next_vertex_, -1);
    for (size_t i = 0; i < alive_.size(); ++i) {
      local[alive_[i]] = static_cast<int32_t>(i);
    }
    std::vector<WeightedEdge> edges;
    for (const auto& [ends, weight] : edges_) {
      edges.push_back({local[ends.first], local[ends.second], weight});
    }
    return *RelevancesCpu(
        *BuildCsrGraph(static_cast<int32_t>(alive_.size()), edges), 1);
  }

  AffectedGraph WholeGraph() {
    return *AffectedGraph::Create(&*store_, *store_->Components());
  }

  void ExpectTablesFromScratch(uint32_t seed);

  std::vector<float> weights_ = {0.25f, 0.5f, 0.5f, 0.75f};
  absl::optional<LmdbEnvironment> environment_;
  absl::optional<LmdbTransaction> transaction_;
  absl::optional<PccStore> store_;
  int32_t next_vertex_ = 0;
  std::vector<int32_t> alive_;
  std::set<int32_t> is_gone_;
  std::map<std::pair<int32_t, int32_t>, float> edges_;
  std::map<int32_t, VertexState> states_;
};

void RelevanceUpdateTest::ExpectTablesFromScratch(uint32_t seed) {
  std::mt19937 random(seed);
  int32_t num_unchanged = 0;
  for (int update = 0; update < 40; ++update) {
    SCOPED_TRACE(absl::StrCat("update ", update));
    const int num_added = update == 0 ? 150 : static_cast<int>(random() % 6);
    const int num_removed = update == 0 ? 0 : static_cast<int>(random() % 5);
    const PccChange change =
        RandomChange(num_added, num_removed, 1 + random() % 40, &random);
    Apply(change);
    const RelevanceTable expected = FromScratch();
    const std::vector<VertexState> before = StatesBefore();
    for (const SimdLevel level :
         {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
      SetSimdLevelLimitForTesting(level);
      for (const int num_threads : {1, 3}) {
        AffectedGraph graph = WholeGraph();
        ASSERT_EQ(graph.vertices(), alive_);
        const auto found =
            UpdateRelevances(&graph, before, change, num_threads);
        ASSERT_TRUE(found.ok()) << found.status();
        ASSERT_TRUE(found->table == expected);
        num_unchanged +=
            graph.num_vertices() - static_cast<int32_t>(found->changed.size());
      }
    }
    Keep(expected);
  }
  EXPECT_GT(num_unchanged, 1000);
}

TEST_F(RelevanceUpdateTest, IsTheTableFromScratch) {
  ExpectTablesFromScratch(1);
}

// Averages that differ by less than the integers they are compared by first.
TEST_F(RelevanceUpdateTest, AveragesThatNearlyTie) {
  weights_ = {0.5f, std::nextafter(0.5f, 1.0f)};
  ExpectTablesFromScratch(2);
}

TEST_F(RelevanceUpdateTest, StatesThatDoNotFitTheRowsAreRefused) {
  std::mt19937 random(1);
  const PccChange change = RandomChange(40, 0, 2, &random);
  Apply(change);
  for (const int32_t wrong : {0, 17, 39}) {
    std::vector<VertexState> before = StatesBefore();
    AffectedGraph graph = WholeGraph();
    ++before[wrong].degree;
    EXPECT_EQ(UpdateRelevances(&graph, before, change, 2).status().code(),
              absl::StatusCode::kDataLoss);
    before[wrong].degree = -1000;
    EXPECT_EQ(UpdateRelevances(&graph, before, change, 2).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST_F(RelevanceUpdateTest, ANeighborOutsideOfTheGraphIsRefused) {
  // Two partial components, linked by the last vertex.
  PccChange change;
  change.num_added = 60;
  for (int32_t v = 1; v < 60; ++v) {
    change.added_edges.push_back({v < 30 ? 0 : 30, v, 0.5f});
  }
  change.added_edges.erase(change.added_edges.begin() + 29);  // 30 to itself
  Apply(change);
  PccChange link;
  link.num_added = 1;
  link.added_edges = {{30, 60, 0.5f}, {0, 60, 0.25f}};
  Apply(link);
  std::vector<int32_t> components = *store_->Components();
  ASSERT_EQ(components.size(), 3u);
  components.erase(components.begin());
  auto graph = AffectedGraph::Create(&*store_, components);
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<VertexState> before(graph->num_vertices());
  for (VertexState& state : before) {
    state.degree = 1;
    state.weight_sum = uint64_t{1} << 30;
  }
  before[0].degree = 29;
  before[0].weight_sum = uint64_t{29} << 30;
  before.back() = VertexState();
  const auto found = UpdateRelevances(&*graph, before, link, 1);
  EXPECT_EQ(found.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(std::string(found.status().message()).find("elsewhere"),
            std::string::npos)
      << found.status();
}

}  // namespace
}  // namespace warpclust
