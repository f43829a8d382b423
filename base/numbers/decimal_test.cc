// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/decimal.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Case {
  absl::string_view text;
  int64_t numerator;
  int64_t denominator;
  absl::string_view shortest;
};

TEST(DecimalTest, Parses) {
  const Case cases[] = {
      {"0.25", 25, 100, "0.25"},
      {".5", 5, 10, "0.5"},
      {"-.5", -5, 10, "-0.5"},
      {"1", 1, 1, "1"},
      {"+1", 1, 1, "1"},
      {"10", 10, 1, "10"},
      {"-3.50", -35, 10, "-3.5"},
      {"2e-3", 2, 1000, "0.002"},
      {"2E-3", 2, 1000, "0.002"},
      {"1.5e+2", 150, 1, "150"},
      {"1.25e1", 125, 10, "12.5"},
      {"100e-2", 1, 1, "1"},
      {"0", 0, 1, "0"},
      {"-0", 0, 1, "0"},
      {"-0.000", 0, 1, "0"},
      {"000.100", 1, 10, "0.1"},
      {"7.0", 7, 1, "7"},
      {"-1.05", -105, 100, "-1.05"},
      {"0.000000001", 1, 1000000000, "0.000000001"},
      {"1e-9", 1, 1000000000, "0.000000001"},
      {"0.1000000000000000000000000", 1, 10, "0.1"},
      {"1000000000000000000000000e-24", 1, 1, "1"},
      {"0.000000000000000000000001e24", 1, 1, "1"},
      {"1e8", 100000000, 1, "100000000"},
      {"999999999", 999999999, 1, "999999999"},
      {"999999999.999999999", 999999999999999999, 1000000000,
       "999999999.999999999"},
      {"-999999999.999999999", -999999999999999999, 1000000000,
       "-999999999.999999999"},
      {"0e99999999999999999999999999", 0, 1, "0"},
      {"0e-99999999999999999999999999", 0, 1, "0"},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<Decimal> value = ParseDecimal(c.text);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(value->numerator, c.numerator) << c.text;
    EXPECT_EQ(value->denominator, c.denominator) << c.text;
    EXPECT_EQ(FormatDecimal(*value), std::string(c.shortest)) << c.text;
    EXPECT_EQ(value->ToDouble(), std::strtod(c.text.data(), nullptr)) << c.text;
  }
}

TEST(DecimalTest, Refuses) {
  const absl::string_view cases[] = {
      "",
      " ",
      "+",
      "-",
      ".",
      "-.",
      "1.",
      "1.e3",
      "e3",
      ".e3",
      "1e",
      "1e+",
      "1e-",
      "1e1.5",
      "1 ",
      " 1",
      "0,25",
      "0x10",
      "1f",
      "--1",
      "+-1",
      "nan",
      "inf",
      "-inf",
      "infinity",
      "1e9",
      "1e10",
      "1000000000",
      "-1000000000",
      "1e99999999999999999999",
      "1e-99999999999999999999",
      "1e-10",
      "0.0000000001",
      "0.1234567891",
      "12345678901234567890",
      absl::string_view("1\0", 2),
      absl::string_view("\xff\xfe", 2),
  };
  for (absl::string_view text : cases) {
    const absl::StatusOr<Decimal> value = ParseDecimal(text);
    ASSERT_FALSE(value.ok()) << text;
    EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(DecimalTest, ErrorNamesTheText) {
  const std::string message(ParseDecimal("0.2x5").status().message());
  EXPECT_NE(message.find("\"0.2x5\""), std::string::npos) << message;
  const std::string escaped(ParseDecimal("1\n").status().message());
  EXPECT_NE(escaped.find("\"1\\n\""), std::string::npos) << escaped;
  // Long text is cut.
  const std::string text(100000, 'x');
  EXPECT_LT(ParseDecimal(text).status().message().size(), 300u);
}

TEST(DecimalTest, LongTextOfZeros) {
  const std::string zeros(100000, '0');
  EXPECT_EQ(ParseDecimal(absl::StrCat(zeros, "1.5", zeros))->numerator, 15);
  EXPECT_EQ(ParseDecimal(absl::StrCat("0.", zeros))->numerator, 0);
  EXPECT_FALSE(ParseDecimal(absl::StrCat("1", zeros)).ok());
}

// Against the C library: any value, written with up to nine decimal places and
// padded with zeros, comes back as its digits.
TEST(DecimalTest, RandomRoundTrip) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937_64 random(seed);
  int64_t power[10] = {1};
  for (int i = 1; i < 10; ++i) power[i] = power[i - 1] * 10;
  for (int i = 0; i < 20000; ++i) {
    const int places = static_cast<int>(random() % 10);
    const int64_t whole = static_cast<int64_t>(random() % power[random() % 10]);
    const int64_t fraction = static_cast<int64_t>(random() % power[places]);
    const bool negative = random() % 2 == 1;
    char text[64];
    if (places == 0) {
      std::snprintf(text, sizeof(text), "%s%lld", negative ? "-" : "",
                    static_cast<long long>(whole));
    } else {
      std::snprintf(text, sizeof(text), "%s%lld.%0*lld", negative ? "-" : "",
                    static_cast<long long>(whole), places,
                    static_cast<long long>(fraction));
    }
    const absl::StatusOr<Decimal> value = ParseDecimal(text);
    ASSERT_TRUE(value.ok()) << value.status();
    int64_t digits = whole * power[places] + fraction;
    if (negative) digits = -digits;
    // Same value: cross-multiply (both sides below 10^27, so in 128 bits).
    ASSERT_TRUE(static_cast<__int128>(value->numerator) * power[places] ==
                static_cast<__int128>(digits) * value->denominator)
        << text;
    // Reduced.
    ASSERT_TRUE(value->denominator == 1 || value->numerator % 10 != 0) << text;
    if (std::abs(value->numerator) <= int64_t{1} << 53) {
      ASSERT_EQ(value->ToDouble(), std::strtod(text, nullptr)) << text;
    } else {
      ASSERT_DOUBLE_EQ(value->ToDouble(), std::strtod(text, nullptr)) << text;
    }
    // And back again.
    const absl::StatusOr<Decimal> again = ParseDecimal(FormatDecimal(*value));
    ASSERT_TRUE(again.ok()) << again.status();
    ASSERT_EQ(again->numerator, value->numerator) << text;
    ASSERT_EQ(again->denominator, value->denominator) << text;
  }
}

TEST(DecimalTest, FormatsWhatWasNotReduced) {
  EXPECT_EQ(FormatDecimal({350, 100}), "3.5");
  EXPECT_EQ(FormatDecimal({100, 100}), "1");
  EXPECT_EQ(FormatDecimal({-5, 1000}), "-0.005");
  EXPECT_EQ(FormatDecimal({std::numeric_limits<int64_t>::min(), 1000000000}),
            "-9223372036.854775808");
}

TEST(DecimalTest, Literals) {
  const auto expect = [](const Decimal& value, int64_t numerator,
                         int64_t denominator) {
    EXPECT_EQ(value.numerator, numerator);
    EXPECT_EQ(value.denominator, denominator);
  };
  expect("0.25", 25, 100);
  expect("-3.5", -35, 10);
  expect("1", 1, 1);
  expect("0.000000001", 1, 1000000000);
  expect("999999999.999999999", 999999999999999999, 1000000000);
  expect(Decimal("0.5"), 5, 10);
}

TEST(DecimalTest, AnyFraction) {
  EXPECT_EQ(FormatDecimal({1, 4}), "0.25");
  EXPECT_EQ(FormatDecimal({-7, 8}), "-0.875");
  EXPECT_EQ(FormatDecimal({1, 3}), "1/3");
  EXPECT_EQ(FormatDecimal({1, 999999999}), "1/999999999");
  const absl::StatusOr<Decimal> third = ParseDecimal("1/3");
  ASSERT_TRUE(third.ok());
  EXPECT_EQ(third->numerator, 1);
  EXPECT_EQ(third->denominator, 3);
  EXPECT_EQ(FormatDecimal(*ParseDecimal("-22/7")), "-22/7");
  for (const char* text :
       {"1/0", "/3", "1/", "1/3/5", "1.5/2", "1/-3", " 1/3", "1/ 3",
        "1/10000000000", "99999999999/1", "-9223372036854775808/1"}) {
    EXPECT_FALSE(ParseDecimal(text).ok()) << text;
  }
}

TEST(DecimalTest, FractionsThatAreNoNumbers) {
  for (int64_t denominator : {1, 3, 1000000000}) {
    EXPECT_TRUE(ValidateDecimal({-7, denominator}).ok()) << denominator;
  }
  for (const Decimal value : {Decimal{1, 0}, Decimal{0, 0}, Decimal{1, -10},
                              Decimal{1, 10000000000}}) {
    const std::string text =
        absl::StrCat(value.numerator, "/", value.denominator);
    EXPECT_EQ(ValidateDecimal(value).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(ValidateDecimal(value).message()),
                ::testing::EndsWith(text));
    EXPECT_EQ(FormatDecimal(value), text);
  }
}

}  // namespace
}  // namespace warpclust
