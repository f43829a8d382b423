// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/coordinate_field.h"

#include <cmath>
#include <cstdint>
#include <system_error>

#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr int kMostDigits = 18;  // What fits into an int64_t whatever they are.
constexpr int64_t kExactIntegers = int64_t{1} << 53;

constexpr double kPowersOfTen[kMostDigits + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};

// Adds the digits at `p` to the mantissa, which may wrap around; returns where
// they end.
inline const char* TakeDigits(const char* p, const char* end,
                              uint64_t* mantissa) {
  for (; p < end; ++p) {
    const unsigned digit = static_cast<unsigned char>(*p) - '0';
    if (digit > 9) break;
    *mantissa = *mantissa * 10 + digit;
  }
  return p;
}

// Parses any number. `begin` is its first digit or point.
const char* ParseAnyMagnitude(const char* begin, const char* end,
                              double* magnitude) {
  const absl::from_chars_result result =
      absl::from_chars(begin, end, *magnitude);
  if (result.ec == std::errc::invalid_argument) return nullptr;
  // Out of range is the largest double, or 0 or a tiny number.
  return result.ptr;
}

// Like ParseCoordinate, for any magnitude including infinity.
inline const char* ParseNumber(const char* begin, const char* end,
                               double* value) {
  const char* p = begin;
  bool negative = false;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const char* const digits = p;
  uint64_t mantissa = 0;
  p = TakeDigits(p, end, &mantissa);
  int64_t num_digits = p - digits;
  int64_t num_decimals = 0;
  if (p < end && *p == '.') {
    const char* const decimals = ++p;
    p = TakeDigits(p, end, &mantissa);
    num_decimals = p - decimals;
    num_digits += num_decimals;
  }
  if (num_digits == 0) return nullptr;
  double magnitude;
  const bool has_exponent = p < end && (*p == 'e' || *p == 'E');
  if (!has_exponent && num_digits <= kMostDigits &&
      mantissa <= kExactIntegers) {
    magnitude = static_cast<double>(static_cast<int64_t>(mantissa));
    // Both are exact, so this rounds once.
    if (num_decimals > 0) magnitude /= kPowersOfTen[num_decimals];
  } else {
    p = ParseAnyMagnitude(digits, end, &magnitude);
  }
  *value = negative ? -magnitude : magnitude;
  return p;
}

}  // namespace

const char* ParseCoordinate(const char* begin, const char* end, double* value) {
  const char* const after = ParseNumber(begin, end, value);
  if (after == nullptr || std::fabs(*value) > kLargestCoordinate) {
    return nullptr;
  }
  return after;
}

bool IsNumericField(absl::string_view field) {
  double value;
  const char* const end = field.data() + field.size();
  if (ParseNumber(field.data(), end, &value) == end) return !field.empty();
  if (!field.empty() && (field[0] == '-' || field[0] == '+')) {
    field.remove_prefix(1);
  }
  for (absl::string_view name : {"nan", "inf", "infinity"}) {
    if (absl::EqualsIgnoreCase(field, name)) return true;
  }
  return false;
}

absl::string_view ExpectedCoordinate(absl::string_view field) {
  double value;
  const char* const end = field.data() + field.size();
  // U+2212, as texts and spreadsheets show it.
  if (absl::StrContains(field, "\xE2\x88\x92")) {
    return "a number whose minus sign is a hyphen";
  }
  if (!IsNumericField(field)) return "a number";
  return ParseNumber(field.data(), end, &value) == end
             ? "a number of magnitude at most 1e150"
             : "a finite number";
}

}  // namespace warpclust
