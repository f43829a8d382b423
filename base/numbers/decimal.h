// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Decimal: a threshold exactly as its user wrote it. "0.35" is 35/100, not the
// nearest double, so that a value exactly at the threshold is decided as the
// text says.
//
//   options.beta = "0.35";             // Checked by the compiler.
//   options.beta = {1, 3};             // Any fraction.
//   ASSIGN_OR_RETURN(options.beta, ParseDecimal(text));

#ifndef WARPCLUST_BASE_NUMBERS_DECIMAL_H_
#define WARPCLUST_BASE_NUMBERS_DECIMAL_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

struct Decimal {
  // Value = numerator / denominator; denominator is in [1, 10^9].
  int64_t numerator = 0;
  int64_t denominator = 1;

  constexpr Decimal() = default;
  constexpr Decimal(int64_t numerator, int64_t denominator)
      : numerator(numerator), denominator(denominator) {}
  // A literal: an optional minus, digits, optionally a point and at most nine
  // more digits; below 10^9 in magnitude. Anything else does not compile.
  consteval Decimal(const char* literal) {
    const bool negative = *literal == '-';
    if (negative) ++literal;
    if (*literal == '\0') throw "a decimal literal needs digits";
    bool point = false;
    for (; *literal != '\0'; ++literal) {
      if (*literal == '.' && !point) {
        point = true;
        continue;
      }
      if (*literal < '0' || *literal > '9') throw "a digit was expected";
      numerator = 10 * numerator + (*literal - '0');
      if (point) denominator *= 10;
      if (denominator > 1000000000) throw "more than nine decimal places";
      if (numerator / denominator >= 1000000000) throw "10^9 or more";
    }
    if (negative) numerator = -numerator;
  }

  // The double nearest to the value: one correctly rounded division. A
  // numerator beyond 2^53 (a value above nine million, with nine decimal
  // places) is rounded first, which can cost one unit in the last place.
  double ToDouble() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

// Parses an optional sign, digits, optionally a point and more digits,
// optionally an exponent ("0.25", ".5", "1", "-3.50", "2e-3"), reduced by
// common factors of ten; or two such numbers without point and exponent, "1/3".
// InvalidArgument naming the text if it is anything else, needs more than nine
// decimal places or a denominator outside [1, 10^9], or is 10^9 or more in
// magnitude.
absl::StatusOr<Decimal> ParseDecimal(absl::string_view text);

// InvalidArgument unless the denominator is in [1, 10^9]. For values that do
// not come from ParseDecimal or a literal.
absl::Status ValidateDecimal(const Decimal& value);

// The shortest form without exponent: "0.25", "-3.5", "1"; a fraction such as
// "1/3" if nine decimal places do not suffice. ParseDecimal reads it back.
std::string FormatDecimal(const Decimal& value);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_DECIMAL_H_
