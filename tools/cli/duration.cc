// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/duration.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

constexpr int64_t kLongest = int64_t{1} << 53;

// Seconds per unit; 0 for an unknown unit.
int64_t SecondsOf(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    case 'w':
      return 7 * 86400;
    default:
      return 0;
  }
}

}  // namespace

absl::StatusOr<int64_t> ParseDuration(absl::string_view text) {
  const absl::Status wrong = absl::InvalidArgumentError(
      absl::StrCat("expected a duration such as 3d, 12h, 90m or 3600, found \"",
                   text, "\""));
  if (text.empty()) return wrong;
  int64_t total = 0;
  for (bool first = true; !text.empty(); first = false) {
    int64_t number = 0;
    size_t digits = 0;
    for (; digits < text.size() &&
           absl::ascii_isdigit(static_cast<unsigned char>(text[digits]));
         ++digits) {
      number = number * 10 + (text[digits] - '0');
      if (number > kLongest) return wrong;
    }
    if (digits == 0) return wrong;
    text.remove_prefix(digits);
    // A number without a unit is seconds.
    const int64_t unit = text.empty() ? (first ? 1 : 0) : SecondsOf(text[0]);
    if (unit == 0 || number > kLongest / unit) return wrong;
    total += number * unit;
    if (total > kLongest) return wrong;
    if (!text.empty()) text.remove_prefix(1);
  }
  return total;
}

}  // namespace warpclust
