// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/iso_time.h"

#include <time.h>

#include <string>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(IsoTimeTest, KnownTimes) {
  EXPECT_EQ(ParseIsoTime("1970-01-01"), 0);
  EXPECT_EQ(ParseIsoTime("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseIsoTime("1969-12-31T23:59:59Z"), -1);
  EXPECT_EQ(ParseIsoTime("2001-09-09T01:46:40Z"), 1000000000);
  EXPECT_EQ(ParseIsoTime("2038-01-19T03:14:08Z"), int64_t{1} << 31);
  EXPECT_EQ(ParseIsoTime("0000-01-01"), -62167219200);
  EXPECT_EQ(ParseIsoTime("9999-12-31T23:59:59Z"), 253402300799);
  EXPECT_EQ(ParseIsoTime("2000-02-29"), 951782400);
}

TEST(IsoTimeTest, EveryDayAgreesWithTheCLibrary) {
  for (int64_t day = -200000; day < 200000; day += 17) {
    const time_t seconds = day * 86400 + 12 * 3600 + 34 * 60 + 56;
    struct tm parts;
    ASSERT_NE(gmtime_r(&seconds, &parts), nullptr);
    const std::string text =
        absl::StrFormat("%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900,
                        parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                        parts.tm_min, parts.tm_sec);
    EXPECT_EQ(ParseIsoTime(text), seconds) << text;
  }
}

TEST(IsoTimeTest, Forms) {
  constexpr int64_t kNoon = 951825600 + 30 * 60;  // 2000-02-29T12:30
  for (const char* text :
       {"2000-02-29T12:30", "2000-02-29T12:30Z", "2000-02-29 12:30:00",
        "2000-02-29t12:30:00z", "2000-02-29T12:30:00.999Z",
        "2000-02-29T12:30:00,5", "2000-02-29T14:30:00+02:00",
        "2000-02-29T14:30+0200", "2000-02-29T14:30+02",
        "2000-02-29T07:00:00.123456789-05:30", "2000-03-01T00:30:00+12:00"}) {
    EXPECT_EQ(ParseIsoTime(text), kNoon) << text;
  }
  EXPECT_EQ(ParseIsoTime("1999-12-31T24:00"), ParseIsoTime("2000-01-01"));
  EXPECT_EQ(ParseIsoTime("1998-12-31T23:59:60Z"), ParseIsoTime("1999-01-01"));
}

TEST(IsoTimeTest, NoTimes) {
  for (const char* text : {"",
                           "x",
                           "2000",
                           "2000-02",
                           "2000-2-9",
                           "2000-13-01",
                           "2000-00-01",
                           "2000-01-00",
                           "1900-02-29",
                           "2000-02-30",
                           "2000-04-31",
                           "20000229",
                           "2000-02-29T",
                           "2000-02-29T12",
                           "2000-02-29T1230",
                           "2000-02-29T24:01",
                           "2000-02-29T12:60",
                           "2000-02-29T12:30:61",
                           "2000-02-29T12:30:",
                           "2000-02-29T12:30:00.",
                           "2000-02-29T12:30:00.Z",
                           "2000-02-29T12:30 Z",
                           "2000-02-29T12:30+",
                           "2000-02-29T12:30+2",
                           "2000-02-29T12:30+02:",
                           "2000-02-29T12:30+02:0",
                           "2000-02-29T12:30+24:00",
                           "2000-02-29T12:30+02:60",
                           "2000-02-29T12:30+02:00Z",
                           " 2000-02-29",
                           "2000-02-29 ",
                           "2000-02-29  12:30",
                           "-2000-02-29",
                           "+2000-02-29"}) {
    EXPECT_FALSE(ParseIsoTime(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace warpclust
