// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/crc32c.h"

#include <random>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Bit by bit, as the standard defines it.
uint32_t NaiveCrc32c(absl::string_view data) {
  uint32_t crc = 0xffffffff;
  for (const char byte : data) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82F63B78 : crc >> 1;
    }
  }
  return ~crc;
}

// RFC 3720, appendix B.4.
TEST(Crc32cTest, StandardExamples) {
  std::string ascending;
  for (int i = 0; i < 32; ++i) ascending.push_back(static_cast<char>(i));
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62A8AB43u);
  EXPECT_EQ(Crc32c(ascending), 0x46DD794Eu);
}

TEST(Crc32cTest, EqualsTheBitwiseDefinitionAtEachLengthAndPlace) {
  std::mt19937 random(20261122);
  std::string data(6000, '\0');
  for (char& byte : data) byte = static_cast<char>(random());
  for (size_t size = 0; size < 5000; size += size < 900 ? 1 : 97) {
    const absl::string_view part =
        absl::string_view(data).substr(random() % 9, size);
    const uint32_t expected = NaiveCrc32c(part);
    EXPECT_EQ(Crc32c(part), expected) << size;
    const size_t cut = size == 0 ? 0 : random() % size;
    EXPECT_EQ(Crc32c(part.substr(cut), Crc32c(part.substr(0, cut))), expected)
        << size << " cut at " << cut;
  }
}

}  // namespace
}  // namespace warpclust
