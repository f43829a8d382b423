// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Decimal: a threshold exactly as its user wrote it. "0.35" is 35/100, not the
// nearest double, so that a value that lies exactly on the threshold is decided
// the way the text says.
//
// Thread-safety: a plain value. Determinism: no rounding until ToDouble().

#ifndef WARPCLUST_BASE_NUMBERS_DECIMAL_H_
#define WARPCLUST_BASE_NUMBERS_DECIMAL_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

struct Decimal {
  // Value = numerator / denominator; denominator is a power of ten in
  // [1, 10^9]; the fraction is reduced by common factors of ten only.
  int64_t numerator = 0;
  int64_t denominator = 1;

  // The double nearest to the value: one correctly rounded division. Beyond
  // 2^53 the numerator is rounded first, which can cost one unit in the last
  // place; with nine decimal places that is a value above nine million.
  double ToDouble() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

// Parses an optional sign, digits, optionally a point and more digits,
// optionally an exponent ("0.25", ".5", "1", "-3.50", "2e-3"). InvalidArgument
// naming the text if it is anything else, needs more than nine decimal places,
// or is 10^9 or more in magnitude.
absl::StatusOr<Decimal> ParseDecimal(absl::string_view text);

// InvalidArgument if the denominator is no power of ten in [1, 10^9], as in
// {1, 4}: 0.25 is {25, 100}. For values that were not parsed.
absl::Status ValidateDecimal(const Decimal& value);

// Shortest form without exponent: "0.25", "-3.5", "1"; of what is no valid
// Decimal the fraction as it is: "1/4".
std::string FormatDecimal(const Decimal& value);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_DECIMAL_H_
