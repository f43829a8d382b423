// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/testing/dclustr_oracle.h"

#include <set>
#include <vector>

#include "algorithms/dclustr/testing/random_changes.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(DClustROracleTest, InvariantsHoldThroughHistories) {
  int removals = 0, links = 0, empty = 0, differs = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomChanges changes(seed);
    NaiveDClustR oracle;
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " step " << step);
      const NaiveChange change = changes.Next(oracle.graph());
      oracle.Update(change);
      const std::vector<NaiveStar> scratch = NaiveScratchStars(oracle.graph());
      ASSERT_EQ(NaiveViolation(oracle.graph(), oracle.stars()), "");
      ASSERT_EQ(NaiveViolation(oracle.graph(), scratch), "");
      // The first batch meets no old center.
      if (step == 0) {
        ASSERT_TRUE(oracle.stars() == scratch);
      }
      for (const NaiveStar& star : scratch) links += !star.linked.empty();
      removals += !change.removed.empty();
      empty += oracle.graph().empty();
      differs += !(oracle.stars() == scratch);
    }
  }
  EXPECT_GT(removals, 1000);
  EXPECT_GT(links, 100);
  EXPECT_GT(empty, 10);
  EXPECT_GT(differs, 100);
}

TEST(DClustROracleTest, ViolationsAreSeen) {
  // 0 - 1 - 2 - 3 - 4
  NaiveGraph path;
  for (int32_t v = 0; v < 4; ++v) {
    path[v][v + 1] = 0.5f;
    path[v + 1][v] = 0.5f;
  }
  EXPECT_EQ(NaiveViolation(path, {{1, {}}, {3, {}}}), "");
  EXPECT_EQ(NaiveViolation(path, {{1, {}}}), "in no cluster: 3");
  EXPECT_EQ(NaiveViolation(path, {{1, {3}}, {4, {}}}),
            "linked, but in a star: 3");
  EXPECT_EQ(NaiveViolation(path, {{0, {3, 4}}, {2, {}}}),
            "linked, but in a star: 3");
  EXPECT_EQ(NaiveViolation(path, {{0, {}}, {2, {4}}}), "");
  EXPECT_EQ(NaiveViolation(path, {{1, {3, 4}}}), "linked from afar: 4");
  EXPECT_EQ(NaiveViolation(path, {{1, {}}, {3, {}}, {4, {}}}),
            "useless: center 4");
  EXPECT_EQ(NaiveViolation(path, {{1, {}}, {3, {}}, {3, {}}}),
            "given twice: center 3");
  EXPECT_EQ(NaiveViolation(path, {{1, {}}, {3, {5}}}), "no vertex: linked 5");
}

// A star of 0 and its four neighbors; what a new vertex and a lost one change.
TEST(DClustROracleTest, SmallUpdates) {
  NaiveDClustR oracle;
  NaiveChange change;
  change.added = {0, 1, 2, 3, 4};
  for (int32_t v = 1; v < 5; ++v) change.edges.push_back({0, v, 0.5f});
  oracle.Update(change);
  EXPECT_EQ(oracle.stars(), (std::vector<NaiveStar>{{0, {}}}));

  // A component of its own: the star is not looked at.
  change = NaiveChange();
  change.added = {5};
  oracle.Update(change);
  EXPECT_EQ(oracle.affected(), (std::set<int32_t>{5}));
  EXPECT_EQ(oracle.stars(), (std::vector<NaiveStar>{{0, {}}, {5, {}}}));

  // Without its center all are isolated.
  change = NaiveChange();
  change.removed = {0};
  oracle.Update(change);
  EXPECT_EQ(oracle.affected(), (std::set<int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(oracle.stars(), (std::vector<NaiveStar>{
                                {1, {}}, {2, {}}, {3, {}}, {4, {}}, {5, {}}}));

  // It comes back under another number.
  change = NaiveChange();
  change.added = {6};
  for (int32_t v = 1; v < 5; ++v) change.edges.push_back({6, v, 0.5f});
  oracle.Update(change);
  EXPECT_EQ(oracle.affected(), (std::set<int32_t>{1, 2, 3, 4, 6}));
  EXPECT_EQ(oracle.stars(), (std::vector<NaiveStar>{{5, {}}, {6, {}}}));
}

}  // namespace
}  // namespace warpclust
