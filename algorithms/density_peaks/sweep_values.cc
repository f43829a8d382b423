// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/sweep_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int32_t kMostValues = 1000;

// The comparisons are false for NaN.
absl::StatusOr<std::vector<double>> GeometricSteps(double from, double to,
                                                   int32_t count) {
  if (!(from > 0 && from < to)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sweep: expected a first value above 0 and below the last one, found ",
        from, " and ", to));
  }
  if (count < 2 || count > kMostValues) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sweep: expected 2 to ", kMostValues, " values, found ", count));
  }
  const double ratio = to / from;
  if (std::isinf(ratio)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sweep: expected a first value that divides the last one, found ", from,
        " and ", to));
  }
  std::vector<double> values;
  for (int32_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / (count - 1);
    values.push_back(from * std::pow(ratio, share));
  }
  return values;
}

bool IsNumber(double value) {
  return value >= 1 && value <= std::numeric_limits<int32_t>::max() &&
         value == std::floor(value);
}

}  // namespace

absl::StatusOr<std::vector<double>> SweepQuantiles(double from, double to,
                                                   int32_t count) {
  if (!(to <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("sweep: expected quantiles of at most 1, found ", to));
  }
  ASSIGN_OR_RETURN(std::vector<double> quantiles,
                   GeometricSteps(from, to, count));
  for (double& quantile : quantiles) {
    if (!absl::SimpleAtod(absl::StrFormat("%.6g", quantile), &quantile)) {
      return absl::InternalError("a printed number cannot be read");
    }
  }
  return quantiles;
}

absl::StatusOr<std::vector<int32_t>> SweepNumbers(double from, double to,
                                                  int32_t count) {
  for (const double number : {from, to}) {
    if (!IsNumber(number)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "sweep: expected numbers of neighbors from 1 to ",
          std::numeric_limits<int32_t>::max(), ", found ", number));
    }
  }
  ASSIGN_OR_RETURN(const std::vector<double> steps,
                   GeometricSteps(from, to, count));
  std::vector<int32_t> numbers;
  numbers.reserve(steps.size());
  for (const double step : steps) {
    numbers.push_back(static_cast<int32_t>(std::round(step)));
  }
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

bool ClampSweepNumbers(int32_t num_points, std::vector<int32_t>* numbers) {
  const int32_t most = std::max(num_points - 1, 1);
  const auto end = std::lower_bound(numbers->begin(), numbers->end(), most);
  if (end == numbers->end() || numbers->back() == most) return false;
  numbers->erase(end, numbers->end());
  numbers->push_back(most);
  return true;
}

}  // namespace warpclust
