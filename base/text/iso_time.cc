// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/iso_time.h"

#include <chrono>

#include "absl/strings/ascii.h"

namespace warpclust {
namespace {

// Takes exactly `count` digits off `*text`.
bool TakeDigits(int count, absl::string_view* text, int* value) {
  if (text->size() < static_cast<size_t>(count)) return false;
  *value = 0;
  for (int i = 0; i < count; ++i) {
    const char c = (*text)[i];
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return false;
    *value = *value * 10 + (c - '0');
  }
  text->remove_prefix(count);
  return true;
}

bool Take(char byte, absl::string_view* text) {
  if (text->empty() || text->front() != byte) return false;
  text->remove_prefix(1);
  return true;
}

// The rest of a time of day and its zone, in seconds.
absl::optional<int64_t> TimeOfDay(absl::string_view text) {
  int hour, minute, second = 0;
  if (!TakeDigits(2, &text, &hour) || !Take(':', &text) ||
      !TakeDigits(2, &text, &minute)) {
    return absl::nullopt;
  }
  if (Take(':', &text)) {
    if (!TakeDigits(2, &text, &second)) return absl::nullopt;
    if (Take('.', &text) || Take(',', &text)) {
      int digit;
      if (!TakeDigits(1, &text, &digit)) return absl::nullopt;
      while (TakeDigits(1, &text, &digit)) {
      }
    }
  }
  // 24:00 is the end of a day.
  const bool midnight = hour == 24 && minute == 0 && second == 0;
  if ((hour > 23 && !midnight) || minute > 59 || second > 60) {
    return absl::nullopt;
  }
  const int64_t seconds = hour * 3600 + minute * 60 + second;
  if (text.empty() || text == "Z" || text == "z") return seconds;
  const int sign = Take('+', &text) ? 1 : Take('-', &text) ? -1 : 0;
  int zone_hour, zone_minute = 0;
  if (sign == 0 || !TakeDigits(2, &text, &zone_hour)) return absl::nullopt;
  if (!text.empty()) {
    Take(':', &text);
    if (!TakeDigits(2, &text, &zone_minute)) return absl::nullopt;
  }
  if (!text.empty() || zone_hour > 23 || zone_minute > 59) {
    return absl::nullopt;
  }
  return seconds - sign * (zone_hour * 3600 + zone_minute * 60);
}

}  // namespace

absl::optional<int64_t> ParseIsoTime(absl::string_view text) {
  int year;
  int month;
  int day;
  if (!TakeDigits(4, &text, &year) || !Take('-', &text) ||
      !TakeDigits(2, &text, &month) || !Take('-', &text) ||
      !TakeDigits(2, &text, &day)) {
    return absl::nullopt;
  }
  const std::chrono::year_month_day date =
      std::chrono::year(year) / month / day;
  if (!date.ok()) return absl::nullopt;
  const std::chrono::sys_seconds midnight = std::chrono::sys_days(date);
  const int64_t start = midnight.time_since_epoch().count();
  if (text.empty()) return start;
  if (!Take('T', &text) && !Take('t', &text) && !Take(' ', &text)) {
    return absl::nullopt;
  }
  const absl::optional<int64_t> seconds = TimeOfDay(text);
  if (!seconds.has_value()) return absl::nullopt;
  return start + *seconds;
}

}  // namespace warpclust
