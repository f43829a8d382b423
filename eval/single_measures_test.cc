// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The entry points for one measure: the same values as CompareCovers (which is
// held against the oracles) and the same errors.

#include <cstdint>
#include <random>

#include "absl/status/status.h"
#include "eval/bcubed.h"
#include "eval/compare_covers.h"
#include "eval/omega_index.h"
#include "eval/overlapping_nmi.h"
#include "eval/purity.h"
#include "eval/testing/naive_measures.h"
#include "eval/testing/random_covers.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(SingleMeasuresTest, EqualCompareCovers) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int32_t n = static_cast<int32_t>(UniformBelow(60, random));
    const Cover truth = RandomSmallCover(n, random);
    const Cover clusters = RandomSmallCover(n, random);
    const CoverComparison all = CompareCovers(truth, clusters, n).value();
    const BCubed bcubed = ComputeBCubed(truth, clusters, n).value();
    EXPECT_EQ(bcubed.precision, all.bcubed.precision);
    EXPECT_EQ(bcubed.recall, all.bcubed.recall);
    EXPECT_EQ(bcubed.f, all.bcubed.f);
    EXPECT_EQ(ComputeOmegaIndex(truth, clusters, n).value(), all.omega_index);
    const OverlappingNmi nmi =
        ComputeOverlappingNmi(truth, clusters, n).value();
    EXPECT_EQ(nmi.lfk, all.overlapping_nmi.lfk);
    EXPECT_EQ(nmi.mgh_max, all.overlapping_nmi.mgh_max);
    EXPECT_EQ(nmi.mgh_lfk, all.overlapping_nmi.mgh_lfk);
    const Purity purity = ComputePurity(truth, clusters, n).value();
    EXPECT_EQ(purity.purity, all.purity.purity);
    EXPECT_EQ(purity.inverse_purity, all.purity.inverse_purity);
  }
}

TEST(SingleMeasuresTest, BadInputIsInvalidArgument) {
  const Cover good = ToCover({{0, 1}});
  const Cover bad = ToCover({{0, 5}});
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(ComputeBCubed(bad, good, 2).status().code(), kInvalid);
  EXPECT_EQ(ComputeBCubed(good, good, 2, -1).status().code(), kInvalid);
  EXPECT_EQ(ComputeOmegaIndex(good, bad, 2).status().code(), kInvalid);
  EXPECT_EQ(ComputeOmegaIndex(good, good, 2, -1).status().code(), kInvalid);
  EXPECT_EQ(ComputeOverlappingNmi(bad, good, 2).status().code(), kInvalid);
  EXPECT_EQ(ComputeOverlappingNmi(good, good, 2, -1).status().code(), kInvalid);
  EXPECT_EQ(ComputePurity(good, bad, 2).status().code(), kInvalid);
}

// Ten clusters, one of them of more than half of the items, many of equal size:
// disjoint clusters of a size count only if one of that size is disjoint.
TEST(OverlappingNmiTest, LargeClustersAgainstDisjointSmallOnes) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int32_t n = 20 + static_cast<int32_t>(UniformBelow(100, random));
    const auto cover = [&] {
      const auto size = [&](int32_t from, int32_t to) {
        return from + static_cast<int32_t>(UniformBelow(to - from + 1, random));
      };
      return CoverWithSizes(
          n, {size(n / 2, n), size(n * 8 / 10, n), 1, 1, 2, 2, size(1, 4)},
          random);
    };
    const Cover truth = cover();
    const Cover clusters = cover();
    const OverlappingNmi nmi =
        ComputeOverlappingNmi(truth, clusters, n).value();
    const OverlappingNmi naive =
        NaiveOverlappingNmi(ToNaive(truth), ToNaive(clusters), n);
    EXPECT_NEAR(nmi.lfk, naive.lfk, 1e-12);
    EXPECT_NEAR(nmi.mgh_max, naive.mgh_max, 1e-12);
    EXPECT_NEAR(nmi.mgh_lfk, naive.mgh_lfk, 1e-12);
  }
}

}  // namespace
}  // namespace warpclust
