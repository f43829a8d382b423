// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/coordinate_field.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Checks that all of `text` is read as strtod reads it, to the bit.
void ExpectAsStrtod(const std::string& text) {
  double value = 7;
  const char* const end = text.data() + text.size();
  ASSERT_EQ(ParseCoordinate(text.data(), end, &value), end) << text;
  const double expected = std::strtod(text.c_str(), nullptr);
  ASSERT_EQ(std::memcmp(&value, &expected, sizeof(value)), 0)
      << text << ": " << value << ", not " << expected;
}

TEST(CoordinateFieldTest, NumbersOfEachForm) {
  for (const char* text :
       {"0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5",
        "007",
        "1e5",
        "1E+5",
        "1.5e-3",
        "0.1",
        "0.3",
        "9007199254740993",
        "9007199254740992",
        "9007199254740991.5",
        "123456789012345678",
        "1234567890123456789",
        "0.000000000000000001",
        "0.0000000000000000001",
        "1.00000000000000011102230246251565404236316680908203125",
        "1e150",
        "4.9e-324",
        "1e-400",
        "00000000000000000000000000000000000001.5",
        "179769313486231570000000000000000000000000000000000"}) {
    ExpectAsStrtod(text);
  }
}

TEST(CoordinateFieldTest, RandomNumbersAsStrtod) {
  constexpr unsigned kSeed = 11;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random();
    double any;
    std::memcpy(&any, &bits, sizeof(any));
    if (std::fabs(any) <= 1e150) {
      ExpectAsStrtod(absl::StrFormat("%.*g", static_cast<int>(bits % 20), any));
    }
    // What files have: some digits, a point, some more.
    const double usual = static_cast<double>(static_cast<int64_t>(bits)) /
                         std::pow(10, 5 + static_cast<int>(random() % 14));
    ExpectAsStrtod(
        absl::StrFormat("%.*f", static_cast<int>(random() % 18), usual));
  }
}

TEST(CoordinateFieldTest, StopsAtTheEndOfTheNumber) {
  for (const char* rest : {",2", " ", "x", "..", "e", "e+", "-1"}) {
    const std::string text = absl::StrCat("2.5", rest);
    double value = 0;
    EXPECT_EQ(ParseCoordinate(text.data(), text.data() + text.size(), &value),
              text.data() + 3)
        << text;
    EXPECT_EQ(value, 2.5);
  }
  // The end of the range ends the number, whatever follows in memory.
  const std::string text = "12345";
  double value = 0;
  EXPECT_EQ(ParseCoordinate(text.data(), text.data() + 2, &value),
            text.data() + 2);
  EXPECT_EQ(value, 12);
}

TEST(CoordinateFieldTest, WhatIsNoCoordinateIsNamed) {
  const struct {
    const char* field;
    const char* expected;
  } cases[] = {
      {"", "a number"},
      {"-", "a number"},
      {".", "a number"},
      {"+-1", "a number"},
      {"e5", "a number"},
      {"x", "a number"},
      {"nano", "a number"},
      {"1e200x", "a number"},
      {"nan", "a finite number"},
      {"-NaN", "a finite number"},
      {"inf", "a finite number"},
      {"-Infinity", "a finite number"},
      {"1.0001e150", "a number of magnitude at most 1e150"},
      {"-1e400", "a number of magnitude at most 1e150"},
      {"1e99999999999999999999", "a number of magnitude at most 1e150"},
  };
  for (const auto& c : cases) {
    const std::string field = c.field;
    double value = 0;
    const char* const end = field.data() + field.size();
    EXPECT_EQ(ParseCoordinate(field.data(), end, &value), nullptr) << field;
    EXPECT_EQ(ExpectedCoordinate(field), c.expected) << field;
    EXPECT_EQ(IsNumericField(field), std::string(c.expected) != "a number")
        << field;
  }
  // A prefix may be one where the whole is not.
  for (const char* field : {"0x10", "1,5", "1 2", "2.5.1"}) {
    EXPECT_EQ(ExpectedCoordinate(field), "a number");
    EXPECT_FALSE(IsNumericField(field));
  }
}

}  // namespace
}  // namespace warpclust
