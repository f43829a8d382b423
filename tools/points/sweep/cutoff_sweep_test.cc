// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/sweep/cutoff_sweep.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CutoffSweepTest, Fractions) {
  const auto halves = ParseCutoffSweep("0.01:0.16:5");
  ASSERT_TRUE(halves.ok()) << halves.status();
  EXPECT_EQ(*halves, (std::vector<double>{0.01, 0.02, 0.04, 0.08, 0.16}));
  const auto usual = ParseCutoffSweep("1e-3:1");
  ASSERT_TRUE(usual.ok()) << usual.status();
  EXPECT_EQ(usual->size(), 16u);
  for (const char* text :
       {"", "0.1", "0:0.1", "0.2:0.1", "0.1:0.1", "0.1:1.5", "0.1:x",
        "0.1:0.2:1", "0.1:0.2:1001", "0.1:0.2:3:4", "nan:0.1", "-0.1:0.1"}) {
    EXPECT_FALSE(ParseCutoffSweep(text).ok()) << text;
  }
}

TEST(CutoffSweepTest, Neighbors) {
  const auto doubled = ParseNeighborSweep("3:48:5");
  ASSERT_TRUE(doubled.ok()) << doubled.status();
  EXPECT_EQ(*doubled, (std::vector<int32_t>{3, 6, 12, 24, 48}));
  for (const char* text :
       {"", "5", "0:10", "10:5", "5:5", "1.5:10", "1:10.5", "1:x", "1:10:1",
        "1:10:1001", "1:10:3:4", "-1:10", "1:3000000000"}) {
    EXPECT_FALSE(ParseNeighborSweep(text).ok()) << text;
  }
}

// A result with these labels; each cluster's peak is its first member.
DensityPeaksResult WithLabels(const std::vector<int32_t>& labels) {
  DensityPeaksResult result;
  result.clusters.labels = labels;
  result.clusters.noise.assign(labels.size(), 0);
  result.graph.dependent_points.assign(labels.size(), 0);
  result.graph.dependent_points[0] = -1;
  result.graph.cutoff_distance = 0.5;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < result.clusters.num_clusters()) continue;
    result.clusters.peaks.push_back(static_cast<int32_t>(i));
    result.significance.saddles.push_back(0);
    result.significance.sigmas.push_back(2.5 + labels[i]);
  }
  result.significance.num_candidates = 9;
  result.significance.least_sigma = 2;
  return result;
}

TEST(CutoffSweepTest, TableOfNeighbors) {
  CutoffSweep sweep;
  for (const int32_t neighbors : {4, 8}) {
    DensityPeaksResult result = WithLabels({0, 0, 1});
    result.neighbors = neighbors;
    ASSERT_TRUE(sweep.Add(0, result).ok());
  }
  EXPECT_EQ(sweep.Finish().count, 2u);
  EXPECT_EQ(sweep.steps()[1].value(), 8);
  std::string text;
  WriteCutoffSweep(sweep.steps(), /*as_json=*/false,
                   [&text](absl::string_view piece) {
                     text.append(piece.data(), piece.size());
                   });
  EXPECT_EQ(text,
            "neighbors\tclusters\tlargest\tnoise\tcandidates\tleast_sigma\t"
            "weakest_sigma\tagreement\tstable\n"
            "4\t2\t2\t0\t9\t2\t3.5\t1\t1\n"
            "8\t2\t2\t0\t9\t2\t3.5\t\t1\n");
}

TEST(CutoffSweepTest, Tables) {
  CutoffSweep sweep;
  ASSERT_TRUE(sweep.Add(0.1, WithLabels({0, 0, 1})).ok());
  ASSERT_TRUE(sweep.Add(0.2, WithLabels({0, 0, 0})).ok());
  EXPECT_EQ(sweep.Finish().count, 0u);
  std::string text;
  const auto write = [&text](absl::string_view piece) {
    text.append(piece.data(), piece.size());
  };
  WriteCutoffSweep(sweep.steps(), /*as_json=*/false, write);
  EXPECT_EQ(text,
            "fraction\tcutoff_distance\tclusters\tlargest\tnoise\tcandidates\t"
            "least_sigma\tweakest_sigma\tagreement\tstable\n"
            "0.1\t0.5\t2\t2\t0\t9\t2\t3.5\t0\t0\n"
            "0.2\t0.5\t1\t3\t0\t9\t2\t\t\t0\n");
  text.clear();
  WriteCutoffSweep(sweep.steps(), /*as_json=*/true, write);
  EXPECT_EQ(text,
            "{\"sweep\":[\n{\"fraction\":0.1,\"cutoff_distance\":0.5,"
            "\"clusters\":2,\"largest\":2,\"noise\":0,\"candidates\":9,"
            "\"least_sigma\":2,\"weakest_sigma\":3.5,\"agreement\":0,"
            "\"stable\":0},\n{\"fraction\":0.2,\"cutoff_distance\":0.5,"
            "\"clusters\":1,\"largest\":3,\"noise\":0,\"candidates\":9,"
            "\"least_sigma\":2,\"weakest_sigma\":null,\"agreement\":null,"
            "\"stable\":0}\n]}\n");
}

}  // namespace
}  // namespace warpclust
