// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/partition_sweep.h"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "eval/partition_measures.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

int32_t NumClusters(const std::vector<int32_t>& labels) {
  return *std::max_element(labels.begin(), labels.end()) + 1;
}

// MarkStable of these partitions, one digit per partition.
std::string Stable(const std::vector<std::vector<int32_t>>& partitions,
                   PartitionSweep::Range* range) {
  PartitionSweep sweep;
  for (const std::vector<int32_t>& labels : partitions) {
    EXPECT_TRUE(sweep.Add(labels, NumClusters(labels)).ok());
  }
  *range = sweep.MarkStable();
  std::string stable;
  for (const PartitionStep& step : sweep.steps()) {
    stable += step.stable ? "1" : "0";
  }
  return stable;
}

TEST(PartitionSweepTest, MeasuresByTheDefinition) {
  std::mt19937 random(7);
  constexpr int32_t kItems = 3000;
  std::vector<std::vector<int32_t>> partitions;
  // The last two have more cells together than a table.
  for (const int32_t clusters : {5, 1, 40, 3, 1100, 1100}) {
    std::vector<int32_t> labels(kItems);
    for (int32_t& label : labels) label = random() % clusters;
    labels[0] = clusters - 1;
    partitions.push_back(labels);
  }
  for (const int threads : {1, 3}) {
    PartitionSweep sweep(threads);
    for (const std::vector<int32_t>& labels : partitions) {
      ASSERT_TRUE(sweep.Add(labels, NumClusters(labels)).ok());
    }
    ASSERT_EQ(sweep.steps().size(), partitions.size());
    for (size_t k = 0; k < partitions.size(); ++k) {
      const std::vector<int32_t>& labels = partitions[k];
      const PartitionStep& step = sweep.steps()[k];
      EXPECT_EQ(step.clusters, NumClusters(labels));
      int64_t largest = 0;
      for (int32_t c = 0; c < step.clusters; ++c) {
        largest = std::max<int64_t>(
            largest, std::count(labels.begin(), labels.end(), c));
      }
      EXPECT_EQ(step.largest, largest);
      const std::optional<double> expected =
          k + 1 == partitions.size()
              ? std::nullopt
              : std::optional<double>(
                    ComparePartitions(labels, partitions[k + 1])->ari);
      EXPECT_EQ(step.agreement, expected);
    }
  }
}

TEST(PartitionSweepTest, WidestStableRange) {
  const std::vector<int32_t> one = {0, 0, 0, 0};
  const std::vector<int32_t> two = {0, 0, 1, 1};
  const std::vector<int32_t> three = {0, 1, 2, 2};
  PartitionSweep::Range range;
  // Many partitions of one cluster are no range.
  EXPECT_EQ(Stable({three, three, two, two, two, one, one, one, one}, &range),
            "001110000");
  EXPECT_EQ(range.first, 2u);
  EXPECT_EQ(range.count, 3u);
  // The first of two that are equally long.
  EXPECT_EQ(Stable({one, two, two, three, three}, &range), "01100");
  EXPECT_EQ(range.first, 1u);
  EXPECT_EQ(range.count, 2u);
}

TEST(PartitionSweepTest, StableFromTheThresholdOn) {
  std::vector<int32_t> halves(100, 0);
  std::fill(halves.begin() + 50, halves.end(), 1);
  for (int moved = 0; moved < 10; ++moved) {
    std::vector<int32_t> other = halves;
    std::fill_n(other.begin() + 50, moved, 0);
    const double agreement = ComparePartitions(halves, other)->ari;
    PartitionSweep::Range range;
    Stable({halves, other}, &range);
    EXPECT_EQ(range.count, agreement >= 0.9 ? 2u : 0u) << agreement;
  }
}

TEST(PartitionSweepTest, NoStableRange) {
  PartitionSweep::Range range;
  EXPECT_EQ(Stable({}, &range), "");
  EXPECT_EQ(range.count, 0u);
  EXPECT_EQ(Stable({{0, 1, 1, 0}, {0, 0, 1, 1}}, &range), "00");
  EXPECT_EQ(range.count, 0u);
}

TEST(PartitionSweepTest, OtherItems) {
  PartitionSweep sweep;
  ASSERT_TRUE(sweep.Add({0, 1}, 2).ok());
  EXPECT_EQ(sweep.Add({0, 1, 1}, 2).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
