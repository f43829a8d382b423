// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "graph/csr_graph.h"
#include "graph/lmdb_environment.h"
#include "graph/pcc_tables.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using ::testing::HasSubstr;
using Links = std::vector<std::pair<int32_t, int64_t>>;

// A store in a directory of its own, reopened at will.
class PccStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info =
        testing::UnitTest::GetInstance()->current_test_info();
    directory_ =
        absl::StrCat(testing::TempDir(), "/pcc_", info->name(), "_", getpid());
    std::filesystem::remove_all(directory_);
    Reopen();
  }
  void TearDown() override {
    Close();
    std::filesystem::remove_all(directory_);
  }

  void Close() {
    store_.reset();
    transaction_.reset();
    environment_.reset();
  }

  absl::StatusOr<LmdbEnvironment> OpenEnvironment() const {
    LmdbEnvironment::Options options;
    options.sync = false;
    return LmdbEnvironment::Open(directory_, kPccTableNames, options);
  }

  // Loses what was not committed.
  void Reopen() {
    Close();
    auto environment = OpenEnvironment();
    ASSERT_TRUE(environment.ok()) << environment.status();
    environment_.emplace(*std::move(environment));
    Begin();
  }
  void Begin() {
    store_.reset();
    transaction_.reset();
    auto transaction = environment_->Begin(/*write=*/true);
    ASSERT_TRUE(transaction.ok()) << transaction.status();
    transaction_.emplace(*std::move(transaction));
    auto store = PccStore::Open(&*transaction_);
    ASSERT_TRUE(store.ok()) << store.status();
    store_.emplace(*std::move(store));
  }
  void Commit() {
    const absl::Status status = store_->Flush();
    ASSERT_TRUE(status.ok()) << status;
    store_.reset();
    ASSERT_TRUE(transaction_->Commit().ok());
    transaction_.reset();
    Begin();
  }

  PccStore& store() { return *store_; }

  std::string directory_;
  absl::optional<LmdbEnvironment> environment_;
  absl::optional<LmdbTransaction> transaction_;
  absl::optional<PccStore> store_;
};

std::vector<int32_t> Row(PccStore* store, int32_t vertex) {
  std::vector<int32_t> row = {-7};
  const absl::Status status = store->AppendRow(vertex, &row);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(row[0], -7);
  row.erase(row.begin());
  return row;
}

// Degrees of these vertices, as the engine keeps them.
void WriteDegrees(PccStore* store, const std::vector<int32_t>& vertices) {
  std::vector<VertexState> states;
  for (const int32_t v : vertices) {
    const int32_t degree = static_cast<int32_t>(Row(store, v).size());
    states.push_back({uint64_t{7} * v, static_cast<uint32_t>(v + 1), degree});
  }
  const absl::Status status = store->WriteStates(vertices, states);
  EXPECT_TRUE(status.ok()) << status;
}

// The graph as sets, with the partition by the rule of the header.
struct Model {
  int32_t next_vertex = 0;
  std::map<int32_t, std::set<int32_t>> rows;  // Alive vertices.
  std::map<int32_t, int32_t> pcc;             // Numbers of its own.
  int32_t next_pcc = 0;

  // The PCC-connected set of vertices around v.
  std::set<int32_t> Reached(int32_t v, bool within_pcc) const {
    std::set<int32_t> reached = {v};
    std::vector<int32_t> left = {v};
    while (!left.empty()) {
      const int32_t u = left.back();
      left.pop_back();
      for (const int32_t w : rows.at(u)) {
        if (within_pcc && pcc.at(w) != pcc.at(u)) continue;
        if (reached.insert(w).second) left.push_back(w);
      }
    }
    return reached;
  }

  void Apply(const PccChange& change) {
    for (const int32_t v : change.removed) {
      for (const int32_t u : rows[v]) rows[u].erase(v);
      rows.erase(v);
      pcc.erase(v);
    }
    // Pieces get numbers of their own.
    std::map<int32_t, int32_t> pieces;
    for (const auto& entry : rows) {
      if (pieces.count(entry.first) != 0) continue;
      for (const int32_t u : Reached(entry.first, true)) {
        pieces[u] = next_pcc;
      }
      ++next_pcc;
    }
    pcc = pieces;
    const int32_t first = next_vertex;
    next_vertex += change.num_added;
    for (int32_t v = first; v < next_vertex; ++v) rows[v];
    for (const WeightedEdge& edge : change.added_edges) {
      rows[edge.u].insert(edge.v);
      rows[edge.v].insert(edge.u);
    }
    for (int32_t v = first; v < next_vertex; ++v) {
      if (pcc.count(v) == 0) pcc[v] = next_pcc++;
      for (const int32_t u : rows[v]) {
        if (u > v && pcc.count(u) == 0) pcc[u] = pcc[v];
      }
    }
  }

  // By PCC, in the order of the smallest vertices.
  std::vector<std::vector<int32_t>> Pccs() const {
    std::map<int32_t, std::vector<int32_t>> by_number;
    for (const auto& entry : pcc) {
      by_number[entry.second].push_back(entry.first);
    }
    std::vector<std::vector<int32_t>> lists;
    for (auto& entry : by_number) lists.push_back(entry.second);
    std::sort(lists.begin(), lists.end());
    return lists;
  }
};

// A change of a random kind: `size` is about how many vertices it may touch.
PccChange RandomChange(const Model& model, int size, std::mt19937* random) {
  const auto below = [random](int limit) {
    return static_cast<int>((*random)() % limit);
  };
  PccChange change;
  std::vector<int32_t> alive;
  const int remove_percent = below(4) == 0 ? 50 : below(3) == 0 ? 8 : 0;
  for (const auto& entry : model.rows) {
    if (below(100) < remove_percent) {
      change.removed.push_back(entry.first);
    } else {
      alive.push_back(entry.first);
    }
  }
  if (below(40) == 0) {
    change.removed.insert(change.removed.end(), alive.begin(), alive.end());
    std::sort(change.removed.begin(), change.removed.end());
    alive.clear();
  }
  for (const int32_t v : change.removed) {
    for (const int32_t u : model.rows.at(v)) {
      const bool both =
          std::binary_search(change.removed.begin(), change.removed.end(), u);
      if (both && u > v) continue;
      WeightedEdge edge{u, v, 1.0f};
      if (below(2) == 0) std::swap(edge.u, edge.v);
      change.removed_edges.push_back(edge);
    }
  }
  change.num_added = below(5) == 0 ? 0 : below(size);
  // Sparse ones fall into many PCCs, dense ones into one.
  const int degree = 1 + below(6);
  for (int i = 0; i < change.num_added; ++i) {
    const int32_t v = model.next_vertex + i;
    std::set<int32_t> neighbors;
    for (int k = below(2 * degree); k > 0 && !alive.empty(); --k) {
      // Mostly near ones.
      const int reach = below(3) == 0 ? static_cast<int>(alive.size())
                                      : std::min<int>(alive.size(), 12);
      neighbors.insert(alive[alive.size() - 1 - below(reach)]);
    }
    for (const int32_t u : neighbors) {
      WeightedEdge edge{u, v, 1.0f};
      if (below(2) == 0) std::swap(edge.u, edge.v);
      change.added_edges.push_back(edge);
    }
    alive.push_back(v);
  }
  std::shuffle(change.added_edges.begin(), change.added_edges.end(), *random);
  std::shuffle(change.removed_edges.begin(), change.removed_edges.end(),
               *random);
  return change;
}

// All that the store says against the model.
void ExpectEqual(const Model& model, PccStore* store) {
  ASSERT_EQ(store->next_vertex(), model.next_vertex);
  ASSERT_EQ(store->num_vertices(), static_cast<int32_t>(model.rows.size()));
  int64_t ends = 0;
  for (const auto& [v, row] : model.rows) {
    EXPECT_EQ(Row(store, v), (std::vector<int32_t>(row.begin(), row.end())))
        << "vertex " << v;
    ends += static_cast<int64_t>(row.size());
  }
  EXPECT_EQ(store->num_edges(), ends / 2);
  for (int32_t v = 0; v < model.next_vertex; ++v) {
    const auto component = store->ComponentOf(v);
    ASSERT_TRUE(component.ok()) << component.status();
    EXPECT_EQ(*component >= 0, model.rows.count(v) != 0) << "vertex " << v;
  }

  const auto components = store->Components();
  ASSERT_TRUE(components.ok()) << components.status();
  EXPECT_EQ(static_cast<int32_t>(components->size()), store->num_components());
  std::vector<std::vector<int32_t>> lists;
  std::map<int32_t, std::set<int32_t>> by_label;
  std::map<int32_t, std::vector<int32_t>> pccs_by_label;
  for (const int32_t c : *components) {
    const auto vertices = store->VerticesOf(c);
    ASSERT_TRUE(vertices.ok()) << vertices.status();
    lists.push_back(*vertices);
    std::map<int32_t, int64_t> expected;
    for (const int32_t v : *vertices) {
      EXPECT_EQ(*store->ComponentOf(v), c);
      for (const int32_t u : model.rows.at(v)) {
        const int32_t other = *store->ComponentOf(u);
        if (other < c) ++expected[other];
      }
    }
    const auto links = store->LinksOf(c);
    ASSERT_TRUE(links.ok()) << links.status();
    EXPECT_EQ(*links, Links(expected.begin(), expected.end())) << "PCC " << c;
    const auto label = store->ConnectedComponentOf(c);
    ASSERT_TRUE(label.ok()) << label.status();
    by_label[*label].insert(vertices->begin(), vertices->end());
    pccs_by_label[*label].push_back(c);
  }
  std::sort(lists.begin(), lists.end());
  EXPECT_EQ(lists, model.Pccs());
  for (const auto& [label, vertices] : by_label) {
    EXPECT_EQ(vertices, model.Reached(*vertices.begin(), false));
    EXPECT_EQ(label, pccs_by_label[label].front());
    const auto list = store->ComponentsOf(label);
    ASSERT_TRUE(list.ok()) << list.status();
    EXPECT_EQ(*list, pccs_by_label[label]);
  }
}

// What Apply should have said.
std::vector<int32_t> ExpectedTouched(const Model& before, const Model& after,
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

std::vector<int32_t> Alive(const Model& model) {
  std::vector<int32_t> alive;
  for (const auto& entry : model.rows) alive.push_back(entry.first);
  return alive;
}

TEST_F(PccStoreTest, AnEmptyStoreIsEmpty) {
  EXPECT_EQ(store().next_vertex(), 0);
  EXPECT_EQ(store().num_components(), 0);
  EXPECT_TRUE(store().Verify().ok());
  auto touched = store().Apply({});
  ASSERT_TRUE(touched.ok());
  EXPECT_TRUE(touched->components.empty());
  Commit();
  EXPECT_TRUE(store().Verify().ok());
  EXPECT_FALSE(store().VerticesOf(0).ok());
  EXPECT_FALSE(store().ComponentOf(0).ok());
  std::vector<int32_t> row;
  EXPECT_FALSE(store().AppendRow(0, &row).ok());
}

// Section 3.2: tables 1 and 2, figures 9 to 16; vertices from 0 here. Beta is
// 0.3; table 1 gives v3-v4 twice, v2-v4 and v2-v7 in one row only, v4 none.
TEST_F(PccStoreTest, TheExampleOfThePaper) {
  PccChange first;
  first.num_added = 9;
  first.added_edges = {{0, 2}, {0, 4}, {1, 3}, {1, 6},
                       {2, 3}, {2, 4}, {2, 5}, {7, 8}};
  auto touched = store().Apply(first);
  ASSERT_TRUE(touched.ok()) << touched.status();
  EXPECT_EQ(touched->components, std::vector<int32_t>({0, 1, 2}));
  EXPECT_EQ(*store().VerticesOf(0), std::vector<int32_t>({0, 2, 4, 5}));
  EXPECT_EQ(*store().VerticesOf(1), std::vector<int32_t>({1, 3, 6}));
  EXPECT_EQ(*store().VerticesOf(2), std::vector<int32_t>({7, 8}));
  EXPECT_EQ(*store().LinksOf(0), Links());
  EXPECT_EQ(*store().LinksOf(1), Links({{0, 1}}));
  EXPECT_EQ(*store().LinksOf(2), Links());
  EXPECT_EQ(*store().ComponentsOf(0), std::vector<int32_t>({0, 1}));
  Commit();

  PccChange second;
  second.num_added = 6;
  second.added_edges = {{9, 10},  {9, 11},  {9, 12}, {10, 12},
                        {11, 12}, {13, 14}, {1, 9}};
  touched = store().Apply(second);
  ASSERT_TRUE(touched.ok()) << touched.status();
  // {8, 9} of the paper is left alone.
  EXPECT_EQ(touched->components, std::vector<int32_t>({0, 1, 3, 4}));
  EXPECT_EQ(*store().VerticesOf(3), std::vector<int32_t>({9, 10, 11, 12}));
  EXPECT_EQ(*store().VerticesOf(4), std::vector<int32_t>({13, 14}));
  EXPECT_EQ(*store().LinksOf(3), Links({{1, 1}}));
  EXPECT_EQ(*store().LinksOf(4), Links());
  EXPECT_EQ(*store().ConnectedComponentOf(3), 0);
  EXPECT_EQ(Row(&store(), 1), std::vector<int32_t>({3, 6, 9}));
  WriteDegrees(&store(), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  const absl::Status verified = store().Verify();
  EXPECT_TRUE(verified.ok()) << verified;
}

TEST_F(PccStoreTest, APccFallsApart) {
  // A path 0 - 1 - 2 - 3 - 4 in one PCC; 5 at its end 4, in the next.
  PccChange change;
  change.num_added = 5;
  change.added_edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  ASSERT_TRUE(store().Apply(change).ok());
  Commit();
  change = {};
  change.num_added = 1;
  change.added_edges = {{5, 4}};
  ASSERT_TRUE(store().Apply(change).ok());
  Commit();
  ASSERT_EQ(*store().LinksOf(1), Links({{0, 1}}));
  ASSERT_TRUE(store().SetCenters(0, {{1, {5}}, {3, {2, 4}}}).ok());
  Commit();
  change = {};
  change.removed = {2};
  change.removed_edges = {{1, 2}, {3, 2}};
  auto touched = store().Apply(change);
  ASSERT_TRUE(touched.ok()) << touched.status();
  EXPECT_EQ(touched->components, std::vector<int32_t>({0, 1, 2}));
  EXPECT_EQ(*store().ComponentOf(2), -1);
  const int32_t left = *store().ComponentOf(0);
  const int32_t right = *store().ComponentOf(4);
  EXPECT_EQ(*store().VerticesOf(left), std::vector<int32_t>({0, 1}));
  EXPECT_EQ(*store().VerticesOf(right), std::vector<int32_t>({3, 4}));
  EXPECT_EQ(std::max(left, right), 2);
  EXPECT_EQ(*store().ConnectedComponentOf(left), left);
  EXPECT_EQ(*store().ConnectedComponentOf(1), std::min(right, 1));
  // Centers went with their vertices; what is dead is left out.
  EXPECT_EQ(*store().CentersOf(left),
            std::vector<PccStore::Center>({{1, {5}}}));
  EXPECT_EQ(*store().CentersOf(right),
            std::vector<PccStore::Center>({{3, {4}}}));
  WriteDegrees(&store(), {0, 1, 3, 4, 5});
  const absl::Status verified = store().Verify();
  EXPECT_TRUE(verified.ok()) << verified;
}

TEST_F(PccStoreTest, RandomHistoriesEqualTheModel) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::mt19937 random(seed);
    Close();
    std::filesystem::remove_all(directory_);
    Reopen();
    Model model;
    const int size = seed % 10 == 0 ? 400 : 5 + static_cast<int>(random() % 40);
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(absl::StrCat("step ", step));
      const PccChange change = RandomChange(model, size, &random);
      const Model before = model;
      model.Apply(change);
      const auto touched = store().Apply(change);
      ASSERT_TRUE(touched.ok()) << touched.status();
      EXPECT_EQ(touched->components,
                ExpectedTouched(before, model, change, &store()));
      WriteDegrees(&store(), Alive(model));
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

TEST_F(PccStoreTest, ManySmallUpdatesKeepFewSegmentsAndReadLittle) {
  // A dense PCC of 300, and one of 3 that each further vertex is joined to.
  PccChange change;
  change.num_added = 303;
  for (int32_t u = 0; u < 300; ++u) {
    for (int32_t v = u + 1; v < 300; ++v) change.added_edges.push_back({u, v});
  }
  change.added_edges.push_back({300, 301});
  change.added_edges.push_back({301, 302});
  ASSERT_TRUE(store().Apply(change).ok());
  Commit();
  for (int32_t i = 0; i < 100; ++i) {
    change = {};
    change.num_added = 1;
    change.added_edges = {{300 + i % 3, 303 + i}};
    auto touched = store().Apply(change);
    ASSERT_TRUE(touched.ok());
    EXPECT_EQ(touched->components.size(), static_cast<size_t>(i + 2));
    Commit();
    // Of the dense PCC nothing was read.
    EXPECT_LT(store().loads().bytes, 5000);
    EXPECT_EQ(store().loads().row_entries, 0);
  }
  std::vector<int32_t> expected = {301};
  for (int32_t i = 0; i < 100; i += 3) expected.push_back(303 + i);
  EXPECT_EQ(Row(&store(), 300), expected);
  EXPECT_EQ(store().loads().row_entries, static_cast<int64_t>(expected.size()));
  EXPECT_EQ(store().loads().components, 1);
  EXPECT_EQ(store().loads().vertices, 3);
}

TEST_F(PccStoreTest, OneRowOfALargePccIsReadAlone) {
  PccChange change;
  change.num_added = 1000;
  for (int32_t u = 0; u < 1000; ++u) {
    for (int32_t v = u + 1; v < 1000; v += 2) {
      change.added_edges.push_back({u, v});
    }
  }
  ASSERT_TRUE(store().Apply(change).ok());
  Commit();
  EXPECT_EQ(Row(&store(), 500).size(), 500u);
  EXPECT_EQ(store().loads().row_entries, 500);
  // Half a megabyte of rows; a few of its blocks.
  EXPECT_LT(store().loads().bytes, 30000);
}

TEST_F(PccStoreTest, PreparedRowsAreReadByManyThreads) {
  std::mt19937 random(7);
  Model model;
  for (int step = 0; step < 6; ++step) {
    const PccChange change = RandomChange(model, 400, &random);
    model.Apply(change);
    ASSERT_TRUE(store().Apply(change).ok());
    Commit();
  }
  const auto components = store().Components();
  ASSERT_TRUE(components.ok());
  ASSERT_TRUE(store().PrepareRows(*components).ok());
  const std::vector<int32_t> alive = Alive(model);
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

TEST_F(PccStoreTest, StatesAndCenters) {
  PccChange change;
  change.num_added = 600;
  change.added_edges = {{0, 1}, {0, 599}};
  ASSERT_TRUE(store().Apply(change).ok());
  std::vector<VertexState> states(3, VertexState{1, 1, 1});
  ASSERT_TRUE(store().ReadStates({0, 300, 599}, absl::MakeSpan(states)).ok());
  EXPECT_EQ(states, std::vector<VertexState>(3));
  const std::vector<VertexState> written = {
      {uint64_t{1} << 63, 4000000000u, 2}, {5, 6, 7}, {8, 9, 10}};
  ASSERT_TRUE(store().WriteStates({0, 300, 599}, written).ok());
  ASSERT_TRUE(store().SetCenters(0, {{0, {}}, {599, {5, 300}}}).ok());
  Commit();
  ASSERT_TRUE(store().ReadStates({0, 300, 599}, absl::MakeSpan(states)).ok());
  EXPECT_EQ(states, written);
  EXPECT_EQ(*store().CentersOf(0),
            (std::vector<PccStore::Center>{{0, {}}, {599, {5, 300}}}));
  EXPECT_FALSE(store().SetCenters(0, {{599, {}}, {0, {}}}).ok());
  EXPECT_FALSE(store().SetCenters(0, {{7, {}}}).ok());
  EXPECT_FALSE(store().SetCenters(-1, {}).ok());
  EXPECT_FALSE(store().ReadStates({5, 4}, absl::MakeSpan(states)).ok());

  change = {};
  change.removed = {300, 599};
  change.removed_edges = {{0, 599}};
  ASSERT_TRUE(store().Apply(change).ok());
  ASSERT_TRUE(store().ReadStates({0, 300, 599}, absl::MakeSpan(states)).ok());
  EXPECT_EQ(states[0], written[0]);
  EXPECT_EQ(states[1], (VertexState{0, 0, -1}));
  EXPECT_EQ(states[2], (VertexState{0, 0, -1}));
  EXPECT_EQ(*store().CentersOf(0), (std::vector<PccStore::Center>{{0, {}}}));
  ASSERT_TRUE(store().SetCenters(0, {}).ok());
  EXPECT_TRUE(store().CentersOf(0)->empty());
}

TEST_F(PccStoreTest, RefusesWhatIsNoChange) {
  PccChange change;
  change.num_added = 3;
  change.added_edges = {{0, 1}};
  ASSERT_TRUE(store().Apply(change).ok());
  Commit();
  const auto code = [this](int32_t added, std::vector<int32_t> removed,
                           std::vector<WeightedEdge> added_edges,
                           std::vector<WeightedEdge> removed_edges) {
    Begin();
    PccChange bad;
    bad.num_added = added;
    bad.removed = std::move(removed);
    bad.added_edges = std::move(added_edges);
    bad.removed_edges = std::move(removed_edges);
    return store().Apply(bad).status().code();
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(code(-1, {}, {}, {}), kInvalid);
  EXPECT_EQ(code(INT32_MAX, {}, {}, {}), absl::StatusCode::kResourceExhausted);
  const std::vector<std::vector<WeightedEdge>> bad_additions = {
      {{0, 1}}, {{3, 4}}, {{3, 3}}, {{-1, 3}}, {{0, 3}, {3, 0}}};
  for (const auto& edges : bad_additions) {
    EXPECT_EQ(code(1, {}, edges, {}), kInvalid);
  }
  for (const auto& removed : {std::vector<int32_t>{3}, {1, 0}, {-1}}) {
    EXPECT_EQ(code(0, removed, {}, {}), kInvalid);
  }
  EXPECT_EQ(code(1, {0}, {{0, 3}}, {{0, 1}}), kInvalid);
  EXPECT_EQ(code(0, {0}, {}, {}), kInvalid);
  EXPECT_EQ(code(0, {2}, {}, {{0, 1}}), kInvalid);
}

// What the disk may do to the file. Every byte of the values is under a
// checksum; of LMDB's own pages, which have none, only the values' pages that
// can be told from them are damaged here.
TEST_F(PccStoreTest, DamageIsSeenOrHarmless) {
  std::mt19937 random(20261122);
  Model model;
  for (int step = 0; step < 4; ++step) {
    const PccChange change = RandomChange(model, 500, &random);
    model.Apply(change);
    ASSERT_TRUE(store().Apply(change).ok());
    WriteDegrees(&store(), Alive(model));
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

TEST_F(PccStoreTest, AnotherFormatIsRefusedByName) {
  store_.reset();
  ASSERT_TRUE(
      transaction_->Put(kMeta, "pcc_format", "pcc store format 77").ok());
  const absl::Status status = PccStore::Open(&*transaction_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("pcc store format 1'"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("pcc store format 77"));
}

}  // namespace
}  // namespace warpclust
