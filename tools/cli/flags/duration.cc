// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/flags/duration.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

constexpr int64_t kLongest = int64_t{1} << 53;

constexpr std::pair<char, int64_t> kSecondsPerUnit[] = {
    {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 7 * 86400}};

// 0 for an unknown unit.
int64_t SecondsOf(char unit) {
  for (const auto& [name, seconds] : kSecondsPerUnit) {
    if (name == unit) return seconds;
  }
  return 0;
}

}  // namespace

absl::StatusOr<int64_t> ParseDuration(absl::string_view text) {
  const absl::Status wrong = absl::InvalidArgumentError(
      absl::StrCat("expected a duration such as 3d, 12h, 90m or 3600, found \"",
                   text, "\""));
  int64_t total = 0;
  bool first = true;
  do {
    const size_t digits =
        std::min(text.find_first_not_of("0123456789"), text.size());
    int64_t number = 0;
    if (!absl::SimpleAtoi(text.substr(0, digits), &number)) return wrong;
    text.remove_prefix(digits);
    // A number without a unit is seconds.
    const int64_t unit = text.empty() ? (first ? 1 : 0) : SecondsOf(text[0]);
    if (unit == 0 || number > (kLongest - total) / unit) return wrong;
    total += number * unit;
    if (!text.empty()) text.remove_prefix(1);
    first = false;
  } while (!text.empty());
  return total;
}

}  // namespace warpclust
