// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/co_membership.h"

#include <cstdint>
#include <random>
#include <vector>

#include "eval/bcubed.h"
#include "eval/item_groups.h"
#include "eval/omega_index.h"
#include "eval/testing/naive_measures.h"
#include "eval/testing/random_covers.h"
#include "gtest/gtest.h"

namespace warpclust::eval_internal {
namespace {

void ExpectEqual(const CoMembership& a, const CoMembership& b) {
  EXPECT_EQ(a.precision, b.precision);
  EXPECT_EQ(a.recall, b.recall);
  EXPECT_EQ(a.cluster_pairs, b.cluster_pairs);
  EXPECT_EQ(a.truth_pairs, b.truth_pairs);
  EXPECT_EQ(a.equal_pairs, b.equal_pairs);
}

TEST(CoMembershipTest, WalkAndBitsAgreeOnSmallCovers) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int32_t n = static_cast<int32_t>(UniformBelow(600, random));
    const Cover truth = RandomSmallCover(n, random);
    const Cover clusters = RandomSmallCover(n, random);
    const ItemGroups groups = GroupItems(truth, clusters, n).value();
    ExpectEqual(CountCoMembership(groups, 2, CountingMethod::kBits),
                CountCoMembership(groups, 2, CountingMethod::kWalk));
  }
}

// Clusters on both sides of the size from which they have a bit map; items in
// hundreds of clusters.
TEST(CoMembershipTest, WalkAndBitsAgreeOnMixedSizes) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int32_t n = 1200 + static_cast<int32_t>(UniformBelow(300, random));
    std::vector<int32_t> sizes;
    for (int i = 0; i < 300; ++i) {
      sizes.push_back(1 + static_cast<int32_t>(UniformBelow(12, random)));
    }
    const int large = seed < 2 ? 12 : 300;
    for (int i = 0; i < large; ++i) {
      sizes.push_back(static_cast<int32_t>(UniformBelow(n, random)));
    }
    const Cover truth = CoverWithSizes(n, sizes, random);
    const Cover clusters = seed % 2 == 0
                               ? Perturbed(truth, n, 0.2, random)
                               : CoverWithSizes(n, {n, n / 2, n / 3}, random);
    const ItemGroups groups = GroupItems(truth, clusters, n).value();
    const CoMembership walk =
        CountCoMembership(groups, 2, CountingMethod::kWalk);
    ExpectEqual(CountCoMembership(groups, 2, CountingMethod::kBits), walk);
    ExpectEqual(CountCoMembership(groups, 2, CountingMethod::kBitsWithoutSimd),
                walk);
    ExpectEqual(CountCoMembership(groups, 1), walk);
  }
}

TEST(CoMembershipTest, EqualsNaiveOnLargerCovers) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    constexpr int32_t kItems = 300;
    const Cover truth =
        CoverWithSizes(kItems, {150, 120, 90, 60, 40, 20, 10, 2, 1}, random);
    const Cover clusters = Perturbed(truth, kItems, 0.3, random);
    const ItemGroups groups = GroupItems(truth, clusters, kItems).value();
    const BCubed bcubed =
        NaiveBCubed(ToNaive(truth), ToNaive(clusters), kItems);
    const double omega =
        NaiveOmegaIndex(ToNaive(truth), ToNaive(clusters), kItems);
    for (const CountingMethod method :
         {CountingMethod::kWalk, CountingMethod::kBits}) {
      const CoMembership pairs = CountCoMembership(groups, 2, method);
      EXPECT_NEAR(pairs.precision, bcubed.precision, 1e-12);
      EXPECT_NEAR(pairs.recall, bcubed.recall, 1e-12);
      EXPECT_NEAR(OmegaIndexOf(pairs), omega, 1e-11);
    }
  }
}

TEST(ItemGroupsTest, MergesItemsOfTheSameClusters) {
  //   truth:    {0 1 2 3} {2 3}       clusters: {0 1} {2 3 4}; 5, 6 in none
  const ItemGroups groups = GroupItems(ToCover({{0, 1, 2, 3}, {}, {2, 3}}),
                                       ToCover({{0, 1}, {2, 3, 4}}), 7)
                                .value();
  EXPECT_EQ(groups.weights, (std::vector<int32_t>{2, 2, 1, 2}));
  EXPECT_EQ(groups.truth.cluster_sizes, (std::vector<int32_t>{4, 2}));
  EXPECT_EQ(groups.truth.cluster_groups, (std::vector<int32_t>{0, 1, 1}));
  EXPECT_EQ(groups.truth.group_clusters, (std::vector<int32_t>{0, 0, 1}));
  EXPECT_EQ(groups.clusters.cluster_groups, (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(groups.clusters.group_offsets,
            (std::vector<int64_t>{0, 1, 2, 3, 3}));
}

}  // namespace
}  // namespace warpclust::eval_internal
