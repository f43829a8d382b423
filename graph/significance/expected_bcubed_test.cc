// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/significance/expected_bcubed.h"

#include <cstdint>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ExpectedBCubedTest, ByHand) {
  const absl::StatusOr<CsrGraph> chances =
      BuildCsrGraph(3, {{0, 1, 0.5f}, {1, 2, 1.0f}});
  ASSERT_EQ(chances.status(), absl::OkStatus());
  Cover cover;
  cover.Append({0, 1});
  const absl::StatusOr<ExpectedBCubed> found =
      ComputeExpectedBCubed(cover, *chances);
  ASSERT_EQ(found.status(), absl::OkStatus());
  EXPECT_DOUBLE_EQ(found->precision, (0.75 + 0.75 + 1) / 3);
  EXPECT_DOUBLE_EQ(found->recall, (1.5 / 1.5 + 1.5 / 2.5 + 1.0 / 2.0) / 3);
  EXPECT_EQ(ComputeExpectedBCubed({}, {})->f, 1);
  cover.Append({3});
  EXPECT_EQ(ComputeExpectedBCubed(cover, *chances).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ExpectedBCubedTest, RandomCoversAgainstTheDefinition) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto n = static_cast<int32_t>(1 + random.Below(200));
    std::vector<std::vector<double>> chance(n, std::vector<double>(n));
    std::vector<WeightedEdge> edges;
    for (int32_t u = 0; u < n; ++u) {
      chance[u][u] = 1;
      for (int32_t v = 0; v < u; ++v) {
        if (random.Below(5) != 0) continue;
        const float weight = static_cast<float>(1 + random.Below(8)) / 8;
        edges.push_back({u, v, weight});
        chance[u][v] = chance[v][u] = weight;
      }
    }
    const CsrGraph chances = *BuildCsrGraph(n, edges);
    Cover cover;
    std::vector<std::set<int32_t>> together(n);
    for (int32_t d = 0; d < n; ++d) together[d].insert(d);
    for (uint64_t c = random.Below(20); c > 0; --c) {
      std::vector<int32_t> members;
      for (int32_t d = 0; d < n; ++d) {
        if (random.Below(6) == 0) members.push_back(d);
      }
      cover.Append(members);
      for (const int32_t a : members) {
        together[a].insert(members.begin(), members.end());
      }
    }
    double precision = 0;
    double recall = 0;
    for (int32_t a = 0; a < n; ++a) {
      double shared = 0;
      double all = 0;
      for (const int32_t b : together[a]) shared += chance[a][b];
      for (int32_t b = 0; b < n; ++b) all += chance[a][b];
      precision += shared / static_cast<double>(together[a].size()) / n;
      recall += shared / all / n;
    }
    const ExpectedBCubed one = *ComputeExpectedBCubed(cover, chances, 1);
    EXPECT_NEAR(one.precision, precision, 1e-12);
    EXPECT_NEAR(one.recall, recall, 1e-12);
    EXPECT_NEAR(one.f, 2 * precision * recall / (precision + recall), 1e-12);
    const ExpectedBCubed three = *ComputeExpectedBCubed(cover, chances, 3);
    EXPECT_EQ(three.precision, one.precision);
    EXPECT_EQ(three.recall, one.recall);
    EXPECT_EQ(three.f, one.f);
  }
}

}  // namespace
}  // namespace warpclust
