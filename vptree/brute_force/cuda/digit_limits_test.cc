// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides pairs by digits as the kernels do (tensor_sums_cuda.cuh,
// undecided_pairs_cuda.cuh), and asks the exact key whether they were right.

#include "vptree/brute_force/cuda/digit_limits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Point {
  std::vector<double> values;
  std::vector<int64_t> high;
  std::vector<int64_t> low;
};

int64_t Dot(const std::vector<int64_t>& x, const std::vector<int64_t>& y) {
  int64_t dot = 0;
  for (size_t k = 0; k < x.size(); ++k) dot += x[k] * y[k];
  return dot;
}

int64_t FloorOfQuotient(int64_t number, int64_t divisor) {
  return (number - ((number % divisor) + divisor) % divisor) / divisor;
}

int64_t Half(const Point& x) { return Dot(x.high, x.high) / 2; }
int64_t Odd(const Point& x) { return Dot(x.high, x.high) % 2; }
int64_t Correction(const Point& x) {
  return -128 * Odd(x) - Dot(x.high, x.low) -
         FloorOfQuotient(Dot(x.low, x.low), 512);
}

enum class Answer { kWithin, kBeyond, kOpen };

Answer ByFirst(const CountLimits& limits, bool exact, const Point& x,
               const Point& y) {
  const int64_t sum = limits.offset + Dot(x.high, y.high) - Half(x) - Half(y);
  if (sum >= (limits.first_within + 3) >> 1) return Answer::kWithin;
  if (sum < 0) return Answer::kBeyond;
  if (!exact) return Answer::kOpen;
  // What is open has a sum of 0.
  EXPECT_EQ(sum, 0);
  return -Odd(x) - Odd(y) >= limits.first_within ? Answer::kWithin
                                                 : Answer::kBeyond;
}

Answer BySecond(const CountLimits& limits, const Point& x, const Point& y) {
  if (!limits.second_digit) return Answer::kOpen;
  const int64_t first = limits.offset + Dot(x.high, y.high) - Half(x) - Half(y);
  const int64_t sum = 256 * first + Dot(x.high, y.low) + Dot(x.low, y.high) +
                      Correction(x) + Correction(y);
  // Kernels have 32 bits.
  EXPECT_EQ(sum, static_cast<int32_t>(sum));
  if (sum >= limits.second_within) return Answer::kWithin;
  return sum < limits.second_near ? Answer::kBeyond : Answer::kOpen;
}

Answer ByBoth(const CountLimits& limits, const Point& x, const Point& y) {
  double square = 0;
  for (size_t k = 0; k < x.high.size(); ++k) {
    const auto difference = static_cast<double>(256 * (x.high[k] - y.high[k]) +
                                                x.low[k] - y.low[k]);
    square += difference * difference;
  }
  // As far as floors may move it.
  const double least = std::sqrt(std::max(square - 1024, 0.0)) / 256;
  const double most = std::sqrt(square + 1024) / 256;
  if (most < limits.digits_within) return Answer::kWithin;
  return least >= limits.digits_beyond ? Answer::kBeyond : Answer::kOpen;
}

// The digits of `values` around 0, by their definition.
Point Rounded(std::vector<double> values, double step) {
  Point point;
  for (const double value : values) {
    const auto digits = static_cast<int64_t>(
        std::clamp(std::rint(value / step * 256), -32768.0, 32512.0));
    point.high.push_back(FloorOfQuotient(digits + 128, 256));
    point.low.push_back(digits - 256 * point.high.back());
  }
  point.values = std::move(values);
  return point;
}

DigitErrors ErrorsOf(const std::vector<Point>& points, double step,
                     bool of_multiples) {
  long double first = 0, second = 0;
  double longest = 0;
  for (const Point& point : points) {
    long double of_first = 0, of_second = 0;
    for (size_t k = 0; k < point.values.size(); ++k) {
      const long double u = static_cast<long double>(point.values[k]) / step -
                            static_cast<long double>(point.high[k]);
      const long double v = u - static_cast<long double>(point.low[k]) / 256;
      of_first += u * u;
      of_second += v * v;
    }
    first = std::max(first, of_first);
    second = std::max(second, of_second);
    longest = std::max(longest, static_cast<double>(Dot(point.low, point.low)));
  }
  return {static_cast<double>(std::sqrt(first)) * (1 + 1e-9),
          static_cast<double>(std::sqrt(second)) * (1 + 1e-9),
          std::sqrt(longest) * (1 + 1e-9), of_multiples && first == 0};
}

struct Decided {
  int64_t first = 0;
  int64_t second = 0;
  int64_t both = 0;
  int64_t all = 0;
};

// Each pair for this radius key.
void CheckRadius(const std::vector<Point>& points, double step,
                 const DigitErrors& errors, double radius_key,
                 Decided& decided) {
  const auto dimensions = static_cast<int32_t>(points[0].values.size());
  const CountLimits limits =
      CountLimitsOf(radius_key, Norm::kL2, dimensions, step, &errors);
  for (const Point& x : points) {
    for (const Point& y : points) {
      const double key =
          DistanceKey(Norm::kL2, x.values.data(), y.values.data(), dimensions);
      const Answer right = key < radius_key ? Answer::kWithin : Answer::kBeyond;
      const auto check = [&](Answer answer, int64_t& count) {
        if (answer == Answer::kOpen) return;
        ++count;
        EXPECT_EQ(answer, right) << "key " << key << ", radius " << radius_key;
      };
      ++decided.all;
      const Answer first = ByFirst(limits, errors.exact, x, y);
      check(first, decided.first);
      if (errors.exact) continue;
      if (first == Answer::kOpen) check(BySecond(limits, x, y), decided.second);
      check(ByBoth(limits, x, y), decided.both);
    }
  }
}

// Of points within `spread` steps of 0; of multiples of the step or of any
// numbers. The radii are keys of pairs, the next numbers, and any.
Decided CheckPoints(uint64_t seed, int32_t dimensions, double step,
                    double spread, bool of_multiples) {
  Random random(seed);
  std::vector<Point> points;
  for (int i = 0; i < 12; ++i) {
    std::vector<double> values(dimensions);
    for (double& value : values) {
      const double steps = (2 * random.Unit() - 1) * spread;
      value = step * (of_multiples ? std::rint(steps) : steps);
    }
    points.push_back(Rounded(values, step));
  }
  const DigitErrors errors = ErrorsOf(points, step, of_multiples);
  EXPECT_EQ(errors.exact, of_multiples);
  Decided decided;
  for (int i = 0; i < 20; ++i) {
    const double key =
        DistanceKey(Norm::kL2, points[random.Below(12)].values.data(),
                    points[random.Below(12)].values.data(), dimensions);
    for (const double radius_key :
         {key, std::nextafter(key, 0.0), std::nextafter(key, HUGE_VAL),
          key * 2 * random.Unit(), step * random.Unit()}) {
      if (radius_key > 0) {
        CheckRadius(points, step, errors, radius_key, decided);
      }
    }
  }
  return decided;
}

// Calls step_of(random) for the step of each of many sets of points, and
// check(decided) for what their digits decide.
template <typename Step, typename Check>
void CheckManyPoints(bool of_multiples, const Step& step_of,
                     const Check& check) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto dimensions =
        static_cast<int32_t>(1 + random.Below(random.Below(2) == 0 ? 4 : 300));
    const double step = step_of(random);
    const double spread = std::exp2(7 * random.Unit()) - 0.5;
    SCOPED_TRACE(testing::Message() << seed << ": " << dimensions << ", "
                                    << step << ", " << spread);
    check(CheckPoints(seed, dimensions, step, spread, of_multiples));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DigitLimitsTest, DecideAsKeysDo) {
  CheckManyPoints(
      /*of_multiples=*/false,
      [](Random& random) {
        return std::ldexp(1 + random.Unit(), random.Below(200)) * 1e-30;
      },
      [](const Decided&) {});
}

TEST(DigitLimitsTest, DecideAllOfMultiples) {
  CheckManyPoints(
      /*of_multiples=*/true,
      [](Random& random) {
        return std::ldexp(1.0, static_cast<int>(random.Below(600)) - 300);
      },
      [](const Decided& decided) { EXPECT_EQ(decided.first, decided.all); });
}

// A limit that decided nothing would be right, too.
TEST(DigitLimitsTest, LeaveFewOpen) {
  const Decided decided = CheckPoints(1, 100, 0.01, 100, false);
  EXPECT_GT(decided.first, decided.all / 2);
  EXPECT_GT(decided.second, (decided.all - decided.first) / 2);
  EXPECT_GT(decided.both, decided.all * 9 / 10);
}

// Other norms have no digits, but tiles ask for the distances.
TEST(DigitLimitsTest, DistancesWithoutDigits) {
  for (const Norm norm : {Norm::kL1, Norm::kL2, Norm::kLInf}) {
    for (const double radius_key : {1e-320, 1e-9, 2.0, 1e300}) {
      const CountLimits limits =
          CountLimitsOf(radius_key, norm, 50, 1, nullptr);
      const double radius =
          norm == Norm::kL2 ? std::sqrt(radius_key) : radius_key;
      EXPECT_LT(limits.within, radius);
      EXPECT_GE(limits.within, radius_key > 1e-300 ? radius * 0.999 : 0);
      EXPECT_GT(limits.beyond, radius);
      EXPECT_LE(limits.beyond, radius_key > 1e-300 ? radius * 1.001 : 1e-150);
      EXPECT_FALSE(limits.second_digit);
    }
  }
}

}  // namespace
}  // namespace warpclust
