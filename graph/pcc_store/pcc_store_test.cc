// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_store.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/testing/pcc_store_fixture.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using ::testing::HasSubstr;
using Links = std::vector<std::pair<int32_t, int64_t>>;
using PccStoreTest = PccStoreFixture;

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
  // It would be damage when it is read, to all vertices around.
  EXPECT_EQ(store().WriteStates({1}, {VertexState{0, 0, -1}}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(store().ReadStates({0}, absl::MakeSpan(states).first(1)).ok());

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

TEST_F(PccStoreTest, TakesNoMoreEdgesFromALinkThanItHas) {
  PccChange change;
  change.num_added = 2;
  change.added_edges = {{0, 1}};
  ASSERT_TRUE(store().Apply(change).ok());
  change.added_edges = {{2, 3}, {1, 2}};
  ASSERT_TRUE(store().Apply(change).ok());
  Commit();
  // The edge between the PCCs comes twice: either it or the link is wrong.
  Begin();
  change = {};
  change.removed = {2};
  change.removed_edges = {{2, 3}, {1, 2}, {1, 2}};
  EXPECT_EQ(store().Apply(change).status().code(), absl::StatusCode::kDataLoss);
}

// What the disk may do to the file. Every byte of the values is under a
// checksum; of LMDB's own pages, which have none, only the values' pages that
// can be told from them are damaged here.
TEST_F(PccStoreTest, AnotherFormatIsRefusedByName) {
  store_.reset();
  ASSERT_TRUE(
      transaction_->Put(kMeta, "pcc_format", "pcc store format 2").ok());
  const absl::Status status = PccStore::Open(&*transaction_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("pcc store format 3'"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("pcc store format 2"));
}

}  // namespace
}  // namespace warpclust
