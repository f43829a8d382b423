// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/iso_time.h"

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

int DaysOfMonth(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

// Days since 1970-01-01. Years start in March here, so that the leap day is the
// last; 400 years are 146,097 days.
int64_t DaysSinceEpoch(int year, int month, int day) {
  const int64_t y = year - (month <= 2 ? 1 : 0);
  const int64_t era = (y >= 0 ? y : y - 399) / 400;
  const int64_t year_of_era = y - era * 400;
  const int64_t day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 -
         year_of_era / 100 + day_of_year - 719468;
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
  int year, month, day;
  if (!TakeDigits(4, &text, &year) || !Take('-', &text) ||
      !TakeDigits(2, &text, &month) || !Take('-', &text) ||
      !TakeDigits(2, &text, &day)) {
    return absl::nullopt;
  }
  if (month < 1 || month > 12 || day < 1 || day > DaysOfMonth(year, month)) {
    return absl::nullopt;
  }
  const int64_t start = DaysSinceEpoch(year, month, day) * 86400;
  if (text.empty()) return start;
  if (!Take('T', &text) && !Take('t', &text) && !Take(' ', &text)) {
    return absl::nullopt;
  }
  const absl::optional<int64_t> seconds = TimeOfDay(text);
  if (!seconds.has_value()) return absl::nullopt;
  return start + *seconds;
}

}  // namespace warpclust
