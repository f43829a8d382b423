// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/signed/decimal_weight.h"

#include <algorithm>
#include <cstddef>

#include "graph/signed/signed_graph.h"

namespace warpclust {
namespace {

constexpr char kNotFinite[] = "a finite weight";
// kMaxSignedWeight.
constexpr char kTooLarge[] =
    "a weight whose digits, without the point, make at most "
    "1152921504606846976";

// 10^19 units exceed the limit and still fit a uint64_t.
constexpr int kMostDigits = 19;

// Exceeds the length of any text, so larger exponents need no distinction.
constexpr int64_t kHugeExponent = int64_t{1} << 40;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A number as its digits, starting with the first that is not 0.
struct Digits {
  // The first kMostDigits + 1 of them.
  char first[kMostDigits + 1];
  // The number of digits up to the last one that is not 0.
  int64_t count = 0;
  // The first digit stands for 10^exponent.
  int64_t exponent = 0;
};

// Reads "12.50", without sign, at `i`; moves `i` behind it.
bool ReadMantissa(absl::string_view text, size_t* i, Digits* digits) {
  bool any = false;
  bool point = false;
  int64_t seen = 0;    // Digits, starting with the first that is not 0.
  int64_t before = 0;  // Those before the point.
  int64_t zeros = 0;   // Zeros between the point and these digits.
  for (; *i < text.size(); ++*i) {
    const char c = text[*i];
    if (c == '.') {
      if (point) return false;
      point = true;
      continue;
    }
    if (!IsDigit(c)) break;
    any = true;
    if (seen == 0 && c == '0') {
      zeros += point;
      continue;
    }
    if (seen <= kMostDigits) digits->first[seen] = c;
    ++seen;
    before += !point;
    if (c != '0') digits->count = seen;
  }
  digits->exponent = before > 0 ? before - 1 : -1 - zeros;
  return any;
}

// Reads "e-3" at `i`; moves `i` behind it.
bool ReadExponent(absl::string_view text, size_t* i, int64_t* exponent) {
  ++*i;
  bool negative = false;
  if (*i < text.size() && (text[*i] == '+' || text[*i] == '-')) {
    negative = text[*i] == '-';
    ++*i;
  }
  if (*i == text.size() || !IsDigit(text[*i])) return false;
  int64_t value = 0;
  for (; *i < text.size() && IsDigit(text[*i]); ++*i) {
    value = std::min(10 * value + (text[*i] - '0'), kHugeExponent);
  }
  *exponent = negative ? -value : value;
  return true;
}

}  // namespace

const char* ParseDecimalWeight(absl::string_view text, DecimalWeight* weight) {
  size_t i = 0;
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    i = 1;
  }
  Digits digits;
  if (!ReadMantissa(text, &i, &digits)) return kNotFinite;
  int64_t exponent = 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    if (!ReadExponent(text, &i, &exponent)) return kNotFinite;
  }
  if (i != text.size()) return kNotFinite;
  *weight = {0, 0};
  if (digits.count == 0) return nullptr;

  // The last digit kept stands for 10^-places. Of the digits beyond the ninth
  // place only the first matters, because halves are rounded up.
  exponent += digits.exponent;
  int64_t places = digits.count - 1 - exponent;
  int64_t kept = digits.count;
  if (places > kMostDecimalPlaces) {
    kept -= places - kMostDecimalPlaces;
    places = kMostDecimalPlaces;
    if (kept < 0) {
      weight->vanished = true;
      return nullptr;
    }
  }
  if (kept > kMostDigits) return kTooLarge;
  uint64_t value = 0;
  for (int64_t d = 0; d < kept; ++d) {
    value = 10 * value + static_cast<uint64_t>(digits.first[d] - '0');
  }
  if (kept < digits.count) value += digits.first[kept] >= '5';
  if (value == 0) {
    weight->vanished = true;
    return nullptr;
  }
  for (; places > 0 && value % 10 == 0; --places) value /= 10;
  constexpr uint64_t kMost = kMaxSignedWeight;
  for (; places < 0 && value <= kMost / 10; ++places) value *= 10;
  if (places < 0 || value > kMost) return kTooLarge;
  const int64_t magnitude = static_cast<int64_t>(value);
  weight->digits = negative ? -magnitude : magnitude;
  weight->places = static_cast<int>(places);
  weight->rounded = kept < digits.count;
  return nullptr;
}

}  // namespace warpclust
