// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/testing/pcc_store_fixture.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {

void PccStoreFixture::SetUp() {
  const testing::TestInfo* info =
      testing::UnitTest::GetInstance()->current_test_info();
  directory_ =
      absl::StrCat(testing::TempDir(), "/pcc_", info->name(), "_", getpid());
  std::filesystem::remove_all(directory_);
  Reopen();
}

void PccStoreFixture::TearDown() {
  Close();
  std::filesystem::remove_all(directory_);
}

void PccStoreFixture::Close() {
  store_.reset();
  transaction_.reset();
  environment_.reset();
}

absl::StatusOr<LmdbEnvironment> PccStoreFixture::OpenEnvironment() const {
  LmdbEnvironment::Options options;
  options.sync = false;
  return LmdbEnvironment::Open(directory_, kPccTableNames, options);
}

void PccStoreFixture::Reopen() {
  Close();
  auto environment = OpenEnvironment();
  ASSERT_TRUE(environment.ok()) << environment.status();
  environment_.emplace(*std::move(environment));
  Begin();
}

void PccStoreFixture::Begin() {
  store_.reset();
  transaction_.reset();
  auto transaction = environment_->Begin(/*write=*/true);
  ASSERT_TRUE(transaction.ok()) << transaction.status();
  transaction_.emplace(*std::move(transaction));
  auto store = PccStore::Open(&*transaction_);
  ASSERT_TRUE(store.ok()) << store.status();
  store_.emplace(*std::move(store));
}

void PccStoreFixture::Commit() {
  const absl::Status status = store_->Flush();
  ASSERT_TRUE(status.ok()) << status;
  store_.reset();
  ASSERT_TRUE(transaction_->Commit().ok());
  Begin();
}

std::vector<int32_t> Row(PccStore* store, int32_t vertex) {
  std::vector<int32_t> row = {-7};
  const absl::Status status = store->AppendRow(vertex, &row);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(row[0], -7);
  row.erase(row.begin());
  return row;
}

void WriteDegrees(PccStore* store, const std::vector<int32_t>& vertices) {
  std::vector<VertexState> states;
  for (const int32_t v : vertices) {
    const int32_t degree = static_cast<int32_t>(Row(store, v).size());
    states.push_back({uint64_t{7} * v, static_cast<uint32_t>(v + 1), degree});
  }
  const absl::Status status = store->WriteStates(vertices, states);
  EXPECT_TRUE(status.ok()) << status;
}

std::set<int32_t> PccModel::Reached(int32_t v, bool within_pcc) const {
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

void PccModel::Apply(const PccChange& change) {
  for (const int32_t v : change.removed) {
    for (const int32_t u : rows[v]) rows[u].erase(v);
    rows.erase(v);
    pcc.erase(v);
  }
  // Each piece gets a new number.
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

std::vector<std::vector<int32_t>> PccModel::Pccs() const {
  std::map<int32_t, std::vector<int32_t>> by_number;
  for (const auto& entry : pcc) {
    by_number[entry.second].push_back(entry.first);
  }
  std::vector<std::vector<int32_t>> lists;
  for (auto& entry : by_number) lists.push_back(entry.second);
  std::sort(lists.begin(), lists.end());
  return lists;
}

std::vector<int32_t> PccModel::Alive() const {
  std::vector<int32_t> alive;
  for (const auto& entry : rows) alive.push_back(entry.first);
  return alive;
}

PccChange RandomChange(const PccModel& model, int size, std::mt19937* random) {
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
  // Sparse graphs have many PCCs, dense ones have one.
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

void ExpectEqual(const PccModel& model, PccStore* store) {
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
    const std::vector<std::pair<int32_t, int64_t>> counted(expected.begin(),
                                                           expected.end());
    EXPECT_EQ(*links, counted) << "PCC " << c;
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

}  // namespace warpclust
