// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/signed/decimal_weight.h"

#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// "digits/places", or the error.
std::string Parse(const std::string& text) {
  DecimalWeight weight;
  const char* const expected = ParseDecimalWeight(text, &weight);
  if (expected != nullptr) return expected;
  return absl::StrCat(weight.digits, "/", weight.places);
}

TEST(ParseDecimalWeightTest, IsExactWithFewestPlaces) {
  EXPECT_EQ(Parse("1"), "1/0");
  EXPECT_EQ(Parse("-1"), "-1/0");
  EXPECT_EQ(Parse("+1"), "1/0");
  EXPECT_EQ(Parse("1.50"), "15/1");
  EXPECT_EQ(Parse("-0.75"), "-75/2");
  EXPECT_EQ(Parse(".5"), "5/1");
  EXPECT_EQ(Parse("5."), "5/0");
  EXPECT_EQ(Parse("100"), "100/0");
  EXPECT_EQ(Parse("0100.0010"), "100001/3");
  EXPECT_EQ(Parse("0.000000001"), "1/9");
  EXPECT_EQ(Parse("6.906755"), "6906755/6");
  EXPECT_EQ(Parse("1152921504606846976"), "1152921504606846976/0");
  EXPECT_EQ(Parse("-115292150460684697.6"), "-1152921504606846976/1");
}

TEST(ParseDecimalWeightTest, Exponents) {
  EXPECT_EQ(Parse("1e3"), "1000/0");
  EXPECT_EQ(Parse("1.5E+1"), "15/0");
  EXPECT_EQ(Parse("15e-1"), "15/1");
  EXPECT_EQ(Parse("0.0015e3"), "15/1");
  EXPECT_EQ(Parse("-2500e-4"), "-25/2");
  EXPECT_EQ(Parse("1e18"), "1000000000000000000/0");
  EXPECT_EQ(Parse("0.00000000000000000001e20"), "1/0");
  EXPECT_EQ(Parse("1e-9"), "1/9");
}

TEST(ParseDecimalWeightTest, RoundsHalfAwayFromZeroAtNinePlaces) {
  EXPECT_EQ(Parse("0.1234567894999"), "123456789/9");
  EXPECT_EQ(Parse("0.1234567885"), "123456789/9");
  EXPECT_EQ(Parse("-0.1234567885"), "-123456789/9");
  EXPECT_EQ(Parse("0.1234567995"), "1234568/7");
  EXPECT_EQ(Parse("0.99999999949"), "999999999/9");
  EXPECT_EQ(Parse("0.9999999995"), "1/0");
  EXPECT_EQ(Parse("0.333333333333333333333333333333"), "333333333/9");
  EXPECT_EQ(Parse("5e-10"), "1/9");
  EXPECT_EQ(Parse("4.99999e-10"), "0/0");
  EXPECT_EQ(Parse("9e-11"), "0/0");
  EXPECT_EQ(Parse("1e-999999999999999999999999"), "0/0");
}

TEST(ParseDecimalWeightTest, Zeros) {
  for (const char* const text :
       {"0", "-0", "+0", "0.0", ".0", "0.", "000", "0e5", "0e99999999999999"}) {
    EXPECT_EQ(Parse(text), "0/0") << text;
  }
}

TEST(ParseDecimalWeightTest, RefusesWhatIsNoFiniteNumber) {
  for (const char* const text :
       {"",    "+",     "-",    ".",     "e5",  ".e5", "x",         "1x",
        "1 ",  " 1",    "1..2", "1.2.3", "--1", "+-1", "0x10",      "1e",
        "1e+", "1e5.0", "1e5x", "nan",   "NaN", "inf", "-Infinity", "1,5"}) {
    EXPECT_EQ(Parse(text), "a finite weight") << text;
  }
}

TEST(ParseDecimalWeightTest, RefusesTooManyDigits) {
  for (const char* const text :
       {"1152921504606846977", "115292150460684697.7", "9999999999999999999",
        "10000000000000000000", "1e19", "2e18", "-1e999999999999999999999999",
        "123456789012345678901234567890", "1152921504.606846977",
        "18446744073709551621",  // 2^64 + 5
        "1152921504.6068469765"}) {
    EXPECT_EQ(Parse(text),
              absl::StrCat("a weight whose digits, without the point, make at "
                           "most ",
                           kMaxSignedWeight))
        << text;
  }
  EXPECT_EQ(Parse("1152921504.6068469764"), "1152921504606846976/9");
}

// The same value, written with the point elsewhere and zeros around.
TEST(ParseDecimalWeightTest, SpellingDoesNotMatter) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const int64_t value = static_cast<int64_t>(random() >> (4 + random() % 60));
    int places = static_cast<int>(random() % 10);
    const std::string plain = absl::StrCat(std::string(10, '0'), value);
    std::string text = plain;
    text.insert(text.size() - places, ".");
    const int shift = static_cast<int>(random() % 30) - 15;
    std::string shifted =
        absl::StrCat(std::string(20, '0'), plain, std::string(20, '0'));
    // value * 10^-places = (point moved left by shift) * 10^shift.
    shifted.insert(shifted.size() - 20 - places - shift, ".");
    absl::StrAppend(&shifted, "e", shift);

    int64_t digits = value;
    for (; places > 0 && digits % 10 == 0; --places) digits /= 10;
    if (digits == 0) places = 0;
    const std::string expected = absl::StrCat(digits, "/", places);
    EXPECT_EQ(Parse(text), expected) << text;
    EXPECT_EQ(Parse(shifted), expected) << shifted;
    if (digits != 0) {
      EXPECT_EQ(Parse("-" + shifted), "-" + expected) << shifted;
    }
  }
}

}  // namespace
}  // namespace warpclust
