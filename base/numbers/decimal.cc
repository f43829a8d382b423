// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/decimal.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpclust {
namespace {

constexpr int64_t kMostPlaces = 9;
constexpr int64_t kMostDenominator = 1000000000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

int64_t PowerOfTen(int64_t exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

absl::Status Bad(absl::string_view text, absl::string_view found) {
  constexpr size_t kMostShown = 60;
  return absl::InvalidArgumentError(
      absl::StrCat("expected a decimal number such as 0.25, found \"",
                   absl::CHexEscape(text.substr(0, kMostShown)),
                   text.size() > kMostShown ? "…" : "", "\": ", found));
}

// Moves the digits at the front of `text` to the result.
absl::string_view TakeDigits(absl::string_view& text) {
  size_t length = 0;
  while (length < text.size() && IsDigit(text[length])) ++length;
  const absl::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

// Moves a sign at the front of `text`, if any, to the result: is it a minus?
bool TakeSign(absl::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  const bool minus = text[0] == '-';
  text.remove_prefix(1);
  return minus;
}

// "1/3".
absl::StatusOr<Decimal> ParseFraction(absl::string_view text, size_t slash) {
  Decimal value;
  if (!absl::SimpleAtoi(text.substr(0, slash), &value.numerator) ||
      !absl::SimpleAtoi(text.substr(slash + 1), &value.denominator) ||
      absl::StrContains(text, ' ')) {
    return Bad(text, "no whole numbers around the slash");
  }
  if (!ValidateDecimal(value).ok()) {
    return Bad(text, "a denominator outside 1 to 10^9");
  }
  const int64_t whole = value.numerator / value.denominator;
  if (whole >= 1000000000 || whole <= -1000000000) {
    return Bad(text, "10^9 or more in magnitude");
  }
  return value;
}

}  // namespace

absl::StatusOr<Decimal> ParseDecimal(absl::string_view text) {
  if (const size_t slash = text.find('/'); slash != text.npos) {
    return ParseFraction(text, slash);
  }
  absl::string_view rest = text;
  const bool negative = TakeSign(rest);
  const absl::string_view whole = TakeDigits(rest);
  absl::string_view fraction;
  if (!rest.empty() && rest[0] == '.') {
    rest.remove_prefix(1);
    fraction = TakeDigits(rest);
    if (fraction.empty()) return Bad(text, "no digit after the point");
  }
  if (whole.empty() && fraction.empty()) return Bad(text, "no digits");

  // Saturates: beyond 10^12, text that fits in memory decides nothing else.
  constexpr int64_t kMostExponent = 1000000000000;
  int64_t exponent = 0;
  if (!rest.empty() && (rest[0] == 'e' || rest[0] == 'E')) {
    rest.remove_prefix(1);
    const bool minus = TakeSign(rest);
    const absl::string_view digits = TakeDigits(rest);
    if (digits.empty()) return Bad(text, "no digit in the exponent");
    for (char c : digits) {
      exponent = std::min(exponent * 10 + (c - '0'), kMostExponent);
    }
    if (minus) exponent = -exponent;
  }
  if (!rest.empty()) return Bad(text, "more text after the number");

  // The value is `digits` times 10^exponent, without zeros at either end.
  std::string digits = absl::StrCat(whole, fraction);
  exponent -= static_cast<int64_t>(fraction.size());
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return Decimal{};
  if (exponent < -kMostPlaces) {
    return Bad(text, "more than nine decimal places");
  }
  if (static_cast<int64_t>(digits.size()) + exponent > 9) {
    return Bad(text, "10^9 or more in magnitude");
  }

  Decimal value;  // At most 18 digits are left.
  for (char c : digits) value.numerator = value.numerator * 10 + (c - '0');
  value.numerator *= PowerOfTen(exponent);
  value.denominator = PowerOfTen(-exponent);
  if (negative) value.numerator = -value.numerator;
  return value;
}

absl::Status ValidateDecimal(const Decimal& value) {
  if (value.denominator >= 1 && value.denominator <= kMostDenominator) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a fraction with a denominator from 1 to 10^9, found ",
      value.numerator, "/", value.denominator));
}

std::string FormatDecimal(const Decimal& value) {
  if (!ValidateDecimal(value).ok()) {
    return absl::StrCat(value.numerator, "/", value.denominator);
  }
  const bool negative = value.numerator < 0;
  const uint64_t magnitude = negative ? -static_cast<uint64_t>(value.numerator)
                                      : static_cast<uint64_t>(value.numerator);
  const uint64_t denominator = static_cast<uint64_t>(value.denominator);
  std::string text = absl::StrCat(negative ? "-" : "", magnitude / denominator);
  uint64_t remainder = magnitude % denominator;
  if (remainder != 0) text += '.';
  for (int64_t place = 0; remainder != 0; ++place) {
    if (place == kMostPlaces) {
      return absl::StrCat(value.numerator, "/", value.denominator);
    }
    remainder *= 10;
    text += static_cast<char>('0' + remainder / denominator);
    remainder %= denominator;
  }
  return text;
}

}  // namespace warpclust
