// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/number_fields.h"

#include <cmath>
#include <system_error>

#include "absl/strings/charconv.h"

namespace warpclust {
namespace {

// The value of `field` if it is 1 to 18 digits, else -1.
int64_t ShortInteger(absl::string_view field) {
  if (field.empty() || field.size() > 18) return -1;
  int64_t value = 0;
  for (char c : field) {
    const unsigned digit = static_cast<unsigned char>(c) - '0';
    if (digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

bool AllDigits(absl::string_view field) {
  for (char c : field) {
    if (c < '0' || c > '9') return false;
  }
  return !field.empty();
}

}  // namespace

const char* ParseIndexField(absl::string_view field, int32_t* index) {
  const int64_t value = ShortInteger(field);
  if (value >= 1 && value <= INT32_MAX) {
    *index = static_cast<int32_t>(value);
    return nullptr;
  }
  if (value == 0) return "an index of 1 or more";
  if (!field.empty() && field[0] == '-' && AllDigits(field.substr(1))) {
    return "an index of 1 or more";
  }
  if (AllDigits(field)) return "an index of at most 2147483647";
  return "an index";
}

const char* ParseCountField(absl::string_view field, int64_t* count) {
  const int64_t value = ShortInteger(field);
  if (value >= 0 && value <= INT32_MAX) {
    *count = value;
    return nullptr;
  }
  return AllDigits(field) ? "a count of at most 2147483647"
                          : "a count of 0 or more";
}

const char* ParseWeightField(absl::string_view field, float* weight) {
  const int64_t integer = ShortInteger(field);
  if (integer >= 0) {
    *weight = static_cast<float>(integer);
    return nullptr;
  }
  absl::string_view number = field;
  if (number.size() > 1 && number[0] == '+' && number[1] != '-') {
    number.remove_prefix(1);
  }
  float value = 0;
  const char* const end = number.data() + number.size();
  const absl::from_chars_result result =
      absl::from_chars(number.data(), end, value);
  // absl::from_chars also takes "0x10", which no such file means.
  if (result.ec == std::errc::invalid_argument || result.ptr != end ||
      number.find_first_of("xX") != absl::string_view::npos) {
    return "a number";
  }
  // Out of range comes as the largest float, or as 0 or a tiny number.
  const bool overflow =
      result.ec == std::errc::result_out_of_range && std::fabs(value) >= 1;
  if (overflow || !std::isfinite(value)) return "a finite weight";
  if (value < 0) return "a weight that is not negative";
  *weight = std::fabs(value);  // -0 is 0.
  return nullptr;
}

}  // namespace warpclust
