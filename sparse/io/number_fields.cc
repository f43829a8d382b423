// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/number_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "absl/strings/charconv.h"

namespace warpclust {

bool ParseDigits(absl::string_view field, int64_t* value) {
  uint64_t number = 0;
  const char* const end = field.data() + field.size();
  const std::from_chars_result result =
      std::from_chars(field.data(), end, number);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) {
    return false;
  }
  const bool overflow = result.ec == std::errc::result_out_of_range;
  *value = overflow
               ? INT64_MAX
               : static_cast<int64_t>(std::min<uint64_t>(number, INT64_MAX));
  return true;
}

const char* ParseIndexField(absl::string_view field, int32_t* index) {
  const bool negative = !field.empty() && field[0] == '-';
  int64_t value;
  if (!ParseDigits(field.substr(negative ? 1 : 0), &value)) return "an index";
  if (negative || value == 0) return "an index of 1 or more";
  if (value > INT32_MAX) return "an index of at most 2147483647";
  *index = static_cast<int32_t>(value);
  return nullptr;
}

const char* ParseWeightField(absl::string_view field, float* weight,
                             bool allow_negative) {
  // Integers of up to 18 digits are rounded once, too, and parsed faster.
  int64_t integer;
  if (field.size() <= 18 && ParseDigits(field, &integer)) {
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
  // absl::from_chars accepts "0x10", which these formats do not.
  if (result.ec == std::errc::invalid_argument || result.ptr != end ||
      number.find_first_of("xX") != absl::string_view::npos) {
    return "a number";
  }
  // from_chars returns a number out of range as the largest float, 0 or a tiny
  // number.
  const bool overflow =
      result.ec == std::errc::result_out_of_range && std::fabs(value) >= 1;
  if (overflow || !std::isfinite(value)) return "a finite weight";
  if (value < 0 && !allow_negative) return "a weight that is not negative";
  // A document of such weights would lose its edges in silence.
  if (result.ec == std::errc::result_out_of_range && value == 0) {
    return "a weight of 0 or of at least 1e-45";
  }
  *weight = value == 0 ? 0 : value;  // -0 is 0.
  return nullptr;
}

}  // namespace warpclust
