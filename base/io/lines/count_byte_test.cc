// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/count_byte.h"

#include <algorithm>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CountByteTest, EqualsStdCount) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(random() % (round % 10 == 0 ? 100'000 : 70), 'x');
    const unsigned kinds = 1 + random() % 4;
    for (char& byte : bytes) byte = "x\xFF:\n"[random() % kinds];
    // Not aligned.
    const absl::string_view part = absl::string_view(bytes).substr(
        std::min<size_t>(round % 5, bytes.size()));
    for (const char byte : {'x', '\xFF', ':', '\n', '\0'}) {
      ASSERT_EQ(CountByte(part, byte),
                std::count(part.begin(), part.end(), byte));
    }
  }
}

}  // namespace
}  // namespace warpclust
