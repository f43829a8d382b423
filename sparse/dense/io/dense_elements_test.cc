// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_elements.h"

#include <cmath>
#include <cstring>
#include <string>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

template <typename T>
float One(ElementType type, T element) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &element, sizeof(T));
  float value;
  ConvertElements(type, bytes, &value);
  return value;
}

TEST(DenseElementsTest, EveryFloat16) {
  for (int bits = 0; bits < 65536; ++bits) {
    const float value = One(ElementType::kFloat16, static_cast<uint16_t>(bits));
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    if (exponent == 31) {
      EXPECT_EQ(std::isinf(value), fraction == 0) << bits;
      EXPECT_EQ(std::isnan(value), fraction != 0) << bits;
    } else {
      const double magnitude = exponent == 0
                                   ? std::ldexp(fraction, -24)
                                   : std::ldexp(1024 + fraction, exponent - 25);
      EXPECT_EQ(value, bits < 32768 ? magnitude : -magnitude) << bits;
    }
    EXPECT_EQ(std::signbit(value), bits >= 32768) << bits;
  }
}

TEST(DenseElementsTest, OtherTypes) {
  EXPECT_EQ(One(ElementType::kBfloat16, uint16_t{0x3FC0}), 1.5f);
  EXPECT_EQ(One(ElementType::kBfloat16, uint16_t{0xC000}), -2.0f);
  EXPECT_EQ(One(ElementType::kFloat32, -0.1f), -0.1f);
  EXPECT_EQ(One(ElementType::kFloat64, 0.1), 0.1f);
  EXPECT_EQ(One(ElementType::kFloat64, 1e-60), 0.0f);
  EXPECT_TRUE(std::isinf(One(ElementType::kFloat64, 1e60)));
  EXPECT_EQ(One(ElementType::kUint8, uint8_t{200}), 200.0f);
}

TEST(DenseElementsTest, ShapesThatAreNotLegal) {
  EXPECT_TRUE(CheckDenseShape({2147483647, 2147483647}, "").ok());
  EXPECT_TRUE(CheckDenseShape({0, 0}, "").ok());
  EXPECT_FALSE(CheckDenseShape({1, 0}, "").ok());
  EXPECT_FALSE(CheckDenseShape({2147483648, 1}, "").ok());
  EXPECT_FALSE(CheckDenseShape({1, 2147483648}, "").ok());
}

}  // namespace
}  // namespace warpclust
