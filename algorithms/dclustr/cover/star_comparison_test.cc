// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/star_comparison.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "graph/stars/fixed_point_weight.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Vertex {
  int32_t degree;
  uint64_t weight_sum;
  bool watched;
};

bool DegreeAtLeast(const Vertex& a, const Vertex& b) {
  return a.degree >= b.degree;
}
bool AverageOfAtLeast(const Vertex& a, const Vertex& b) {
  return AverageAtLeast(a.weight_sum, a.degree, b.weight_sum, b.degree);
}

// Degrees and averages with many ties, of the whole number or nearly so, from
// the ends of their ranges too.
Vertex RandomVertex(std::mt19937* random) {
  constexpr uint64_t kLargestWeight = 0xffffffff;
  const std::vector<int32_t> degrees = {1, 2, 3, 7, 8, 0x7ffffffe, 0x7fffffff};
  const std::vector<uint64_t> averages = {0,
                                          1,
                                          4,
                                          0x40000000,
                                          0x40000001,
                                          0x40000004,
                                          0x80000000,
                                          kLargestWeight - 4,
                                          kLargestWeight};
  Vertex v;
  v.degree = degrees[(*random)() % degrees.size()];
  const uint64_t degree = static_cast<uint64_t>(v.degree);
  v.weight_sum = averages[(*random)() % averages.size()] * degree;
  if ((*random)() % 3 == 0) ++v.weight_sum;
  v.weight_sum = std::min(v.weight_sum, kLargestWeight * degree);
  v.watched = (*random)() % 8 == 0;
  return v;
}

Star StarOf(const Vertex& v) {
  return MakeStar(v.degree, v.weight_sum, v.watched);
}

TEST(StarComparison, IsTheExactOneButForTies) {
  for (uint32_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::mt19937 random(seed);
    std::vector<Vertex> vertices(1 + random() % 90);
    std::vector<Star> stars;
    for (Vertex& v : vertices) {
      v = RandomVertex(&random);
      stars.push_back(StarOf(v));
    }
    std::vector<int32_t> row;
    const uint32_t one_in = 1 + random() % 3;
    for (size_t u = 0; u < vertices.size(); ++u) {
      if (random() % one_in == 0) row.push_back(static_cast<int32_t>(u));
    }
    const Vertex v = RandomVertex(&random);
    const Vertex former = RandomVertex(&random);
    std::vector<int32_t> suspects;
    const StarComparison found =
        CompareStars(StarOf(v), StarOf(former), row, stars, &suspects);

    EXPECT_FALSE(found.has_absent);
    uint32_t num_degrees = 0;
    uint32_t num_averages = 0;
    uint32_t num_ties = 0;
    for (const int32_t i : row) {
      const Vertex& u = vertices[i];
      num_degrees += DegreeAtLeast(v, u);
      const bool is_tie = stars[i].average >> 1 == StarOf(v).average >> 1;
      num_ties += is_tie;
      num_averages += is_tie || AverageOfAtLeast(v, u);
      const bool is_suspect =
          std::find(suspects.begin(), suspects.end(), i) != suspects.end();
      if (!u.watched) {
        EXPECT_FALSE(is_suspect);
      } else if (DegreeAtLeast(u, v) != DegreeAtLeast(u, former) ||
                 AverageOfAtLeast(u, v) != AverageOfAtLeast(u, former)) {
        EXPECT_TRUE(is_suspect) << "neighbor " << i;
      }
    }
    EXPECT_EQ(found.num_degrees, num_degrees);
    EXPECT_EQ(found.num_averages, num_averages);
    EXPECT_EQ(found.num_ties, num_ties);
    EXPECT_TRUE(std::is_sorted(suspects.begin(), suspects.end()));
  }
}

TEST(StarComparison, SuspectsAreFew) {
  const std::vector<Star> stars(100, MakeStar(5, uint64_t{5} << 30, true));
  std::vector<int32_t> row(100);
  for (int32_t u = 0; u < 100; ++u) row[u] = u;
  std::vector<int32_t> suspects;
  CompareStars(MakeStar(9, uint64_t{9} << 29, false),
               MakeStar(7, uint64_t{7} << 29, false), row, stars, &suspects);
  EXPECT_EQ(suspects.size(), 0u);
  CompareStars(MakeStar(9, uint64_t{9} << 29, false),
               MakeStar(5, uint64_t{5} << 29, false), row, stars, &suspects);
  EXPECT_EQ(suspects, row);
}

TEST(StarComparison, AnAbsentNeighborIsSeenAnywhere) {
  for (size_t size = 1; size <= 40; ++size) {
    std::vector<Star> stars(size, MakeStar(3, 17, false));
    std::vector<int32_t> row(size);
    for (size_t u = 0; u < size; ++u) row[u] = static_cast<int32_t>(u);
    std::vector<int32_t> suspects;
    const Star star = stars[0];
    EXPECT_FALSE(CompareStars(star, star, row, stars, &suspects).has_absent);
    for (size_t absent = 0; absent < size; ++absent) {
      stars[absent] = kAbsentStar;
      EXPECT_TRUE(CompareStars(star, star, row, stars, &suspects).has_absent)
          << absent << " of " << size;
      stars[absent] = star;
    }
  }
}

TEST(StarComparison, AnEmptyRowCountsNothing) {
  std::vector<int32_t> suspects;
  const StarComparison found = CompareStars(
      MakeStar(1, 2, false), MakeStar(0, 0, false), {}, {}, &suspects);
  EXPECT_EQ(found.num_degrees + found.num_averages + found.num_ties, 0u);
  EXPECT_FALSE(found.has_absent);
}

}  // namespace
}  // namespace warpclust
