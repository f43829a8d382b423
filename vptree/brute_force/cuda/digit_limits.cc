// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/cuda/digit_limits.h"

#include <algorithm>
#include <cmath>

namespace warpclust {
namespace {

// No squared distance of first digits is larger: 4096 dimensions, 255^2 each.
constexpr double kLargestSquare = 1 << 28;
// How far the second digit may move a sum (tensor_sums_cuda.cuh).
constexpr double kWindow = 1 << 30;

// (1 + 2^-53)^(d + 3) is less than 1 + this: a key's d + 3 roundings, two of a
// difference that is squared. An L1 or maximum key has fewer.
double RelativeError(int32_t dimensions) {
  return (dimensions + 8.0) * std::ldexp(1.0, -53);
}
// Squares that are denormal lose up to 2^-1074 each.
double AbsoluteError(int32_t dimensions) {
  return dimensions * std::ldexp(1.0, -1072);
}

// The most that l_x l_y / 256 of two points moves their sum.
double LargestLowProduct(const DigitErrors& digits) {
  return std::ceil(digits.longest_low * digits.longest_low / 256);
}

// The limits of the first digit, for the largest D that are surely within and
// perhaps within. D: tensor_sums_cuda.cuh.
void SetFirstLimits(double most_within, double most_near, CountLimits& limits) {
  const int32_t within =
      static_cast<int32_t>(std::clamp(most_within, -1.0, kLargestSquare));
  limits.offset =
      static_cast<int32_t>(std::clamp(most_near, 0.0, kLargestSquare)) / 2;
  limits.first_within = 2 * limits.offset - within;
}

// Those of the second: -D2 / 512 is at most `slack` from the computed value,
// plus 2 for floors in one direction.
void SetSecondLimits(const DigitErrors& digits, double within, double beyond,
                     CountLimits& limits) {
  const double first = 2 * digits.first;
  const double second = 2 * digits.second;
  const double start = 256.0 * limits.offset;
  const double slack = LargestLowProduct(digits) + 1;
  const auto units = [](double distance) {
    return 128 * std::max(distance, 0.0) * std::max(distance, 0.0);
  };
  if (start - units(beyond + 3 * first) - slack < -kWindow ||
      start - units(within - 3 * first) + slack > kWindow) {
    return;
  }
  limits.second_digit = true;
  const double surely = std::floor(units(within - second) * (1 - 1e-12)) - 1;
  limits.second_within = within > second && surely > 0
                             ? static_cast<int32_t>(start + slack + 3 - surely)
                             : INT32_MAX;
  limits.second_near = static_cast<int32_t>(
      start - slack - std::ceil(units(beyond + second) * (1 + 1e-12)) - 1);
}

}  // namespace

CountLimits CountLimitsOf(double radius_key, Norm norm, int32_t dimensions,
                          double step, const DigitErrors* digits) {
  // The key and its roundings as distances, then as squared distances of
  // digits.
  const double relative = RelativeError(dimensions);
  const double absolute = AbsoluteError(dimensions);
  CountLimits limits;
  limits.radius_key = radius_key;
  limits.within = std::max(radius_key - absolute, 0.0) / (1 + relative);
  limits.beyond = (radius_key + absolute) / (1 - relative);
  if (norm == Norm::kL2) {
    limits.within = std::sqrt(limits.within);
    limits.beyond = std::sqrt(limits.beyond);
  }
  limits.within *= 1 - 1e-12;
  limits.beyond *= 1 + 1e-12;
  if (digits == nullptr) return limits;
  if (digits->exact) {
    // key < radius_key if and only if D < radius_key / step^2, a quotient by a
    // power of two. One that underflows is still above 0, as radii here are.
    const double most = std::max(std::ceil(radius_key / step / step) - 1, 0.0);
    SetFirstLimits(most, most, limits);
    return limits;
  }
  const double within = limits.within / step;
  const double beyond = limits.beyond / step;
  const double inner = within - 2 * digits->first;
  const double outer = beyond + 2 * digits->first;
  limits.digits_within = within - 2 * digits->second;
  limits.digits_beyond = beyond + 2 * digits->second;
  SetFirstLimits(inner > 0 ? std::ceil(inner * inner * (1 - 1e-12)) - 1 : -1,
                 std::floor(outer * outer * (1 + 1e-12)), limits);
  SetSecondLimits(*digits, within, beyond, limits);
  return limits;
}

void SetErrors(int32_t dimensions, double step, const DigitErrors& digits,
               NearestState& state) {
  if (!digits.exact) {
    state.relative_error = RelativeError(dimensions);
    state.absolute_error = AbsoluteError(dimensions);
  }
  state.step = step;
  state.first_error = 2 * digits.first;
  state.second_error = 2 * digits.second;
  state.slack = static_cast<int32_t>(LargestLowProduct(digits)) + 2;
}

}  // namespace warpclust
