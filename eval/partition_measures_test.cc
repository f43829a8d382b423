// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/partition_measures.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "eval/labels.h"
#include "eval/testing/naive_measures.h"
#include "eval/testing/random_covers.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

void ExpectNear(const PartitionMeasures& actual,
                const PartitionMeasures& expected) {
  constexpr double kTolerance = 1e-11;
  EXPECT_NEAR(actual.nmi, expected.nmi, kTolerance);
  EXPECT_NEAR(actual.nmi_geometric, expected.nmi_geometric, kTolerance);
  EXPECT_NEAR(actual.nmi_min, expected.nmi_min, kTolerance);
  EXPECT_NEAR(actual.nmi_max, expected.nmi_max, kTolerance);
  EXPECT_NEAR(actual.nmi_joint, expected.nmi_joint, kTolerance);
  EXPECT_NEAR(actual.ari, expected.ari, kTolerance);
  EXPECT_NEAR(actual.homogeneity, expected.homogeneity, kTolerance);
  EXPECT_NEAR(actual.completeness, expected.completeness, kTolerance);
}

// Two classes of 3; {0, 1} | {2, 3} | {4, 5}. By hand: 3 of 15 pairs together
// in the clusters, 6 in the classes, 2 in both.
TEST(PartitionMeasuresTest, ByHand) {
  const PartitionMeasures result =
      ComparePartitions({0, 0, 0, 1, 1, 1}, {0, 0, 1, 1, 2, 2}).value();
  EXPECT_NEAR(result.ari, (2 - 6.0 * 3 / 15) / (4.5 - 6.0 * 3 / 15), 1e-15);
  // H(truth) = 1 bit, H(clusters) = log2 3, H(truth | clusters) = 1/3 bit.
  EXPECT_NEAR(result.homogeneity, 2.0 / 3, 1e-15);
  EXPECT_NEAR(result.nmi, 2 * (2.0 / 3) / (1 + 1.5849625007211562), 1e-15);
}

TEST(PartitionMeasuresTest, EqualsNaiveMeasures) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int64_t n = UniformBelow(40, random);
    const int64_t num_truth = 1 + UniformBelow(6, random);
    const int64_t num_clusters = 1 + UniformBelow(6, random);
    std::vector<int32_t> truth;
    std::vector<int32_t> clusters;
    for (int64_t item = 0; item < n; ++item) {
      truth.push_back(static_cast<int32_t>(UniformBelow(num_truth, random)));
      clusters.push_back(
          static_cast<int32_t>(UniformBelow(num_clusters, random)));
    }
    if (seed % 5 == 0) {
      for (int64_t item = 0; item < n; ++item) truth[item] = 100 + item;
    }
    if (seed % 7 == 0) clusters = truth;
    // Noise: -1 for the library, a label of its own for the oracle.
    std::vector<int32_t> naive_truth = truth;
    if (seed % 2 == 0) {
      for (int64_t item = 0; item < n; ++item) {
        if (UniformBelow(4, random) != 0) continue;
        truth[item] = -1;
        naive_truth[item] = static_cast<int32_t>(1000 + item);
      }
    }
    const absl::StatusOr<PartitionMeasures> result =
        ComparePartitions(truth, clusters);
    ASSERT_TRUE(result.ok()) << result.status();
    ExpectNear(*result, NaivePartitionMeasures(naive_truth, clusters));
  }
}

// The same bits: also with more pairs of labels than a table holds, and by any
// number of threads.
TEST(PartitionMeasuresTest, AdjustedRandIndexAlone) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const bool is_small = seed < 180;
    const bool is_large = seed >= 190;
    const int64_t n = is_small   ? UniformBelow(40, random)
                      : is_large ? 100'000 + UniformBelow(50'000, random)
                                 : UniformBelow(5000, random);
    const int64_t num_labels = is_small   ? 1 + UniformBelow(6, random)
                               : is_large ? 1 + UniformBelow(200, random)
                                          : 5000;
    std::vector<int32_t> truth;
    std::vector<int32_t> clusters;
    for (int64_t item = 0; item < n; ++item) {
      truth.push_back(static_cast<int32_t>(UniformBelow(num_labels, random)));
      clusters.push_back(
          static_cast<int32_t>(UniformBelow(num_labels, random)));
    }
    const double expected = ComparePartitions(truth, clusters).value().ari;
    for (const int threads : {1, 2, 7}) {
      EXPECT_EQ(AdjustedRandIndex(truth, clusters, threads).value(), expected)
          << threads << " threads";
    }
  }
  EXPECT_EQ(AdjustedRandIndex({0}, {0, 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(AdjustedRandIndex({0, -1}, {0, 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(PartitionMeasuresTest, ExtremePartitions) {
  const std::vector<int32_t> one(6, 5);
  const std::vector<int32_t> singletons = {5, 4, 3, 2, 1, 0};
  ExpectNear(ComparePartitions(one, one).value(), PartitionMeasures());
  ExpectNear(ComparePartitions(singletons, singletons).value(),
             PartitionMeasures());
  ExpectNear(ComparePartitions({}, {}).value(), PartitionMeasures());
  ExpectNear(ComparePartitions({3}, {-1}).value(), PartitionMeasures());
  const PartitionMeasures mixed = ComparePartitions(one, singletons).value();
  EXPECT_EQ(mixed.nmi, 0);
  EXPECT_EQ(mixed.nmi_min, 0);
  EXPECT_EQ(mixed.ari, 0);
  EXPECT_EQ(mixed.homogeneity, 1);
  EXPECT_EQ(mixed.completeness, 0);
}

TEST(PartitionMeasuresTest, AnyLabelValues) {
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  const PartitionMeasures a =
      ComparePartitions({kMax, kMax, 7, kMin}, {0, 0, 1, 1}).value();
  ExpectNear(a, NaivePartitionMeasures({0, 0, 1, 2}, {0, 0, 1, 1}));
}

TEST(PartitionMeasuresTest, BadInputIsInvalidArgument) {
  EXPECT_EQ(ComparePartitions({0, 1}, {0}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ComparePartitionCovers(ToCover({{0, 1}, {1}}), Cover(), 2)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      ComparePartitionCovers(ToCover({{0, 1}}), Cover(), 1).status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(LabelsTest, NegativeLabelsAreInNoCluster) {
  EXPECT_EQ(CoverFromLabels({9, -1, 4, 9, 4, -7}).value(),
            ToCover({{0, 3}, {2, 4}}));
  EXPECT_EQ(CoverFromLabels({}).value(), Cover());
}

}  // namespace
}  // namespace warpclust
