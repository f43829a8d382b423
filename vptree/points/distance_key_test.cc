// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/distance_key.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr Norm kNorms[] = {Norm::kL2, Norm::kL1, Norm::kLInf};

// The definition, in more digits.
long double Oracle(Norm norm, const std::vector<double>& x,
                   const std::vector<double>& y) {
  long double key = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    const long double difference =
        std::fabs(static_cast<long double>(x[k]) - y[k]);
    if (norm == Norm::kL2) key += difference * difference;
    if (norm == Norm::kL1) key += difference;
    if (norm == Norm::kLInf) key = std::max(key, difference);
  }
  return key;
}

double Key(Norm norm, const std::vector<double>& x,
           const std::vector<double>& y) {
  return DistanceKey(norm, x.data(), y.data(), static_cast<int32_t>(x.size()));
}

// Values of very different magnitudes and many equal ones, up to the largest
// coordinate.
class RandomValues {
 public:
  explicit RandomValues(unsigned seed) : random_(seed) {}

  int Below(int n) { return static_cast<int>(random_() % n); }
  double Value() {
    switch (Below(4)) {
      case 0:
        return Below(7) - 3;
      case 1:
        return std::ldexp(Unit() - 0.5, Below(900) - 450);
      default:
        return 1000 * Unit();
    }
  }
  std::vector<double> Values(int n) {
    std::vector<double> values(n);
    for (double& value : values) value = Value();
    return values;
  }
  double Unit() { return std::ldexp(static_cast<double>(random_()), -64); }

 private:
  std::mt19937_64 random_;
};

TEST(DistanceKeyTest, SmallIntegersExactly) {
  const std::vector<double> x = {1, 2, 3}, y = {4, -2, 3};
  EXPECT_EQ(Key(Norm::kL2, x, y), 25);
  EXPECT_EQ(Key(Norm::kL1, x, y), 7);
  EXPECT_EQ(Key(Norm::kLInf, x, y), 4);
  for (Norm norm : kNorms) {
    EXPECT_EQ(Key(norm, x, x), 0);
    EXPECT_EQ(Key(norm, {}, {}), 0);
  }
}

TEST(DistanceKeyTest, NoOverflowAtTheLargestCoordinates) {
  const std::vector<double> x(1000, 1e150), y(1000, -1e150);
  for (Norm norm : kNorms) EXPECT_TRUE(std::isfinite(Key(norm, x, y)));
}

TEST(DistanceKeyTest, RandomKeysAreAccurateAndSymmetric) {
  constexpr unsigned kSeed = 21;
  RandomValues random(kSeed);
  for (int round = 0; round < 20000; ++round) {
    const int d = 1 + random.Below(round % 10 == 0 ? 200 : 6);
    const std::vector<double> x = random.Values(d), y = random.Values(d);
    for (Norm norm : kNorms) {
      SCOPED_TRACE(absl::StrCat("seed ", kSeed, " round ", round, " norm ",
                                static_cast<int>(norm)));
      const double key = Key(norm, x, y);
      const long double oracle = Oracle(norm, x, y);
      ASSERT_LE(std::fabs(key - oracle), (2 * d + 4) * 1.2e-16L * oracle);
      ASSERT_EQ(key, Key(norm, y, x));
      ASSERT_EQ(Key(norm, x, x), 0);
    }
  }
}

// What the trees rest upon: bounds of the differences bound the key, exactly.
TEST(DistanceKeyTest, BoxesBoundKeysWithoutSlack) {
  constexpr unsigned kSeed = 22;
  RandomValues random(kSeed);
  int64_t touched = 0;
  for (int round = 0; round < 20000; ++round) {
    const int d = 1 + random.Below(8);
    const std::vector<double> query = random.Values(d);
    std::vector<double> low = random.Values(d), high = random.Values(d);
    std::vector<double> inside(d);
    for (int k = 0; k < d; ++k) {
      if (low[k] > high[k]) std::swap(low[k], high[k]);
      // On a face of the box or, rounded, anywhere in it.
      const int where = random.Below(4);
      inside[k] = where == 0 ? low[k]
                  : where == 1
                      ? high[k]
                      : std::clamp(low[k] + random.Unit() * (high[k] - low[k]),
                                   low[k], high[k]);
    }
    const auto check = [&](auto norm_constant, Norm norm) {
      constexpr Norm kNorm = decltype(norm_constant)::value;
      double nearest = 0, farthest = 0;
      for (int k = 0; k < d; ++k) {
        const double below = low[k] - query[k], above = query[k] - high[k];
        nearest = AddToKey<kNorm>(nearest, std::max({below, above, 0.0}));
        farthest =
            AddToKey<kNorm>(farthest, std::max(std::fabs(query[k] - low[k]),
                                               std::fabs(high[k] - query[k])));
      }
      const double key = Key(norm, query, inside);
      ASSERT_LE(nearest, key) << "seed " << kSeed << " round " << round;
      ASSERT_GE(farthest, key) << "seed " << kSeed << " round " << round;
      touched += key == nearest || key == farthest;
    };
    check(std::integral_constant<Norm, Norm::kL2>(), Norm::kL2);
    check(std::integral_constant<Norm, Norm::kL1>(), Norm::kL1);
    check(std::integral_constant<Norm, Norm::kLInf>(), Norm::kLInf);
  }
  // The bounds are as tight as they can be: the cases above are not all easy.
  EXPECT_GT(touched, 1000);
}

TEST(DistanceKeyTest, StridesSkip) {
  const std::vector<double> x = {1, 9, 2, 9, 3, 9}, y = {4, 0, 0, 6, 0, 0, 8};
  EXPECT_EQ((DistanceKey<Norm::kL1>(x.data(), 2, y.data(), 3, 3)), 3 + 4 + 5);
}

}  // namespace
}  // namespace warpclust
