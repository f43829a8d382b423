// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/compare_covers.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "eval/testing/naive_measures.h"
#include "eval/testing/random_covers.h"
#include "eval/testing/worked_cases.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::vector<double> Values(const CoverComparison& comparison) {
  std::vector<double> values;
  for (const auto& [name, value] : NamedMeasures(comparison)) {
    values.push_back(value);
  }
  return values;
}

TEST(CompareCoversTest, WorkedCases) {
  ASSERT_EQ(WorkedCases().size(), 16);
  for (const WorkedCase& worked : WorkedCases()) {
    SCOPED_TRACE(worked.name);
    const absl::StatusOr<CoverComparison> result = CompareCovers(
        ToCover(worked.truth), ToCover(worked.clusters), worked.universe);
    ASSERT_TRUE(result.ok()) << result.status();
    constexpr double kTolerance = 1e-12;
    EXPECT_NEAR(result->bcubed.precision, worked.bcubed_precision, kTolerance);
    EXPECT_NEAR(result->bcubed.recall, worked.bcubed_recall, kTolerance);
    EXPECT_NEAR(result->bcubed.f, worked.fbcubed, kTolerance);
    EXPECT_NEAR(result->overlapping_nmi.lfk, worked.nmi_lfk, kTolerance);
    EXPECT_NEAR(result->overlapping_nmi.mgh_max, worked.nmi_mgh_max,
                kTolerance);
    EXPECT_NEAR(result->overlapping_nmi.mgh_lfk, worked.nmi_mgh_lfk,
                kTolerance);
    EXPECT_NEAR(result->omega_index, worked.omega, kTolerance);
  }
}

TEST(CompareCoversTest, EqualsNaiveMeasures) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int32_t n = static_cast<int32_t>(UniformBelow(30, random));
    const Cover truth = RandomSmallCover(n, random);
    const Cover clusters = seed % 3 == 0 && n > 0
                               ? Perturbed(truth, n, 0.2, random)
                               : RandomSmallCover(n, random);
    const absl::StatusOr<CoverComparison> result =
        CompareCovers(truth, clusters, n, 1 + seed % 3);
    ASSERT_TRUE(result.ok()) << result.status();
    const NaiveCover naive_truth = ToNaive(truth);
    const NaiveCover naive_clusters = ToNaive(clusters);
    constexpr double kTolerance = 1e-11;
    const BCubed bcubed = NaiveBCubed(naive_truth, naive_clusters, n);
    EXPECT_NEAR(result->bcubed.precision, bcubed.precision, kTolerance);
    EXPECT_NEAR(result->bcubed.recall, bcubed.recall, kTolerance);
    EXPECT_NEAR(result->bcubed.f, bcubed.f, kTolerance);
    const OverlappingNmi nmi =
        NaiveOverlappingNmi(naive_truth, naive_clusters, n);
    EXPECT_NEAR(result->overlapping_nmi.lfk, nmi.lfk, kTolerance);
    EXPECT_NEAR(result->overlapping_nmi.mgh_max, nmi.mgh_max, kTolerance);
    EXPECT_NEAR(result->overlapping_nmi.mgh_lfk, nmi.mgh_lfk, kTolerance);
    EXPECT_NEAR(result->omega_index,
                NaiveOmegaIndex(naive_truth, naive_clusters, n), kTolerance);
    EXPECT_NEAR(result->purity.purity, NaivePurity(naive_truth, naive_clusters),
                kTolerance);
    EXPECT_NEAR(result->purity.inverse_purity,
                NaivePurity(naive_clusters, naive_truth), kTolerance);
    if (result->partition.has_value()) {
      // The omega index generalises the adjusted Rand index.
      EXPECT_NEAR(result->partition->ari, result->omega_index, kTolerance);
    }
  }
}

// Covers in the order of `order`.
Cover Reordered(const Cover& cover, const std::vector<int32_t>& order) {
  Cover result;
  for (const int32_t c : order) result.Append(cover.MembersOf(c));
  return result;
}

TEST(CompareCoversTest, ClusterOrderAndSidesDoNotMatter) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int32_t n = 1 + static_cast<int32_t>(UniformBelow(200, random));
    const Cover truth = RandomSmallCover(n, random);
    const Cover clusters = RandomSmallCover(n, random);
    std::vector<int32_t> order(clusters.num_clusters());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const CoverComparison result = CompareCovers(truth, clusters, n).value();
    const std::vector<double> expected = Values(result);
    const std::vector<double> reordered =
        Values(CompareCovers(truth, Reordered(clusters, order), n).value());
    ASSERT_EQ(reordered.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(reordered[i], expected[i], 1e-12);
    }
    const CoverComparison exchanged = CompareCovers(clusters, truth, n).value();
    EXPECT_EQ(exchanged.bcubed.precision, result.bcubed.recall);
    EXPECT_EQ(exchanged.bcubed.f, result.bcubed.f);
    EXPECT_NEAR(exchanged.omega_index, result.omega_index, 1e-12);
    EXPECT_NEAR(exchanged.overlapping_nmi.lfk, result.overlapping_nmi.lfk,
                1e-12);
  }
}

TEST(CompareCoversTest, EveryNumberOfThreadsGivesTheSameBits) {
  std::mt19937_64 random(7);
  constexpr int32_t kItems = 3000;
  std::vector<int32_t> sizes;
  for (int32_t size = 1; size <= 1500; size += 11) sizes.push_back(size);
  const Cover truth = CoverWithSizes(kItems, sizes, random);
  const Cover clusters = Perturbed(truth, kItems, 0.3, random);
  const std::vector<double> expected =
      Values(CompareCovers(truth, clusters, kItems, 1).value());
  for (const int threads : {0, 2, 3, 7, 1000000}) {
    EXPECT_EQ(Values(CompareCovers(truth, clusters, kItems, threads).value()),
              expected);
  }
}

TEST(CompareCoversTest, ClustersWithoutMembersAreIgnored) {
  const Cover truth = ToCover({{0, 1}, {}, {2, 3}});
  const Cover clusters = ToCover({{}, {0, 1, 2}, {3}, {}});
  EXPECT_EQ(Values(CompareCovers(truth, clusters, 5).value()),
            Values(CompareCovers(ToCover({{0, 1}, {2, 3}}),
                                 ToCover({{0, 1, 2}, {3}}), 5)
                       .value()));
}

TEST(CompareCoversTest, ItemsOfNeitherCover) {
  const CoverComparison result = CompareCovers(Cover(), Cover(), 4).value();
  for (const auto& [name, value] : NamedMeasures(result)) {
    EXPECT_EQ(value, 1) << name;
  }
}

TEST(CompareCoversTest, PartitionMeasuresOnlyForPartitions) {
  EXPECT_TRUE(CompareCovers(ToCover({{0, 1}, {2}}), ToCover({{0}, {1, 2}}), 3)
                  ->partition.has_value());
  EXPECT_FALSE(
      CompareCovers(ToCover({{0, 1}, {1, 2}}), ToCover({{0}, {1, 2}}), 3)
          ->partition.has_value());
  EXPECT_EQ(
      NamedMeasures(*CompareCovers(ToCover({{0}, {0}}), Cover(), 1)).size(), 9);
}

TEST(CompareCoversTest, BadInputIsInvalidArgument) {
  const Cover good = ToCover({{0, 1}, {2}});
  const auto expect_invalid = [&](const Cover& bad, int32_t num_items,
                                  int threads, const std::string& text) {
    for (const bool first : {true, false}) {
      const absl::Status status =
          CompareCovers(first ? bad : good, first ? good : bad, num_items,
                        threads)
              .status();
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_NE(std::string(status.message()).find(text), std::string::npos)
          << status;
    }
  };
  expect_invalid(good, 2, 0, "expected items in [0, 2), found 2");
  expect_invalid(good, -1, 0, "number of items");
  expect_invalid(good, 3, -1, "num_threads: expected at least 0");
  Cover bad;
  bad.Append({-1});
  expect_invalid(bad, 3, 0, "cluster 0: expected items in [0, 3), found -1");
  bad = Cover();
  bad.Append({2, 1});
  expect_invalid(bad, 3, 0, "ascending");
  bad = Cover();
  bad.Append({1, 1});
  expect_invalid(bad, 3, 0, "ascending");
  bad = good;
  bad.offsets.clear();
  expect_invalid(bad, 3, 0, "start with 0");
  bad = good;
  bad.offsets = {1, 2, 3};
  expect_invalid(bad, 3, 0, "start with 0");
  bad = good;
  bad.offsets = {0, 3, 2};
  expect_invalid(bad, 3, 0, "expected offsets that do not fall");
  bad = good;
  bad.offsets = {0, 2};
  expect_invalid(bad, 3, 0, "number of members, 3, found 2");
}

}  // namespace
}  // namespace warpclust
