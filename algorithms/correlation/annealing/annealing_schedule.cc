// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "algorithms/correlation/annealing/annealing.h"

namespace warpclust::internal {
namespace {

constexpr double kLn2 = 0.693147180559945309417232121458;

// The natural logarithm of a positive finite number. libm's may differ in the
// last bit between machines; here only +, -, * and / round.
double Log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // in [1/2, 1), exact
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)); the argument is at most 0.172.
  const double z = (mantissa - 1) / (mantissa + 1);
  const double z2 = z * z;
  double term = z;
  double sum = 0;
  for (int k = 1; k <= 25; k += 2) {
    sum += term / k;
    term *= z2;
  }
  return 2 * sum + exponent * kLn2;
}

// e to the power of x, |x| <= 700.
double Exp(double x) {
  const auto exponent = static_cast<int>(std::floor(x / kLn2));
  const double remainder = x - exponent * kLn2;
  double term = 1;
  double sum = 1;
  for (int k = 1; k <= 20; ++k) {
    term *= remainder / k;
    sum += term;
  }
  return std::ldexp(sum, exponent);
}

std::array<double, kNumNoise> MakeNoiseTable() {
  std::array<double, kNumNoise> table;
  for (int i = 0; i < kNumNoise; ++i) table[i] = -Log((i + 0.5) / kNumNoise);
  return table;
}

}  // namespace

const std::array<double, kNumNoise>& NoiseTable() {
  static const std::array<double, kNumNoise> table = MakeNoiseTable();
  return table;
}

std::vector<double> GeometricSequence(double first, double last,
                                      int32_t count) {
  std::vector<double> sequence(static_cast<size_t>(std::max(count, 0)));
  if (sequence.empty()) return sequence;
  const double log_first = Log(first);
  const double log_last = Log(last);
  const auto steps = static_cast<double>(sequence.size() - 1);
  for (size_t i = 0; i < sequence.size(); ++i) {
    const double share = steps > 0 ? static_cast<double>(i) / steps : 1;
    sequence[i] = Exp(log_first + (log_last - log_first) * share);
  }
  return sequence;
}

std::vector<double> Temperatures(const AnnealingChain& chain) {
  return GeometricSequence(chain.first_temperature, chain.last_temperature,
                           chain.num_sweeps);
}

}  // namespace warpclust::internal
