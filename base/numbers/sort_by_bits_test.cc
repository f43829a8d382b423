// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/sort_by_bits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(SortByBitsTest, SortsAsStdSortDoes) {
  Random random(1);
  std::vector<uint64_t> scratch;
  for (const size_t size : {0, 1, 2, 191, 192, 193, 1000, 100000}) {
    for (const int bits : {1, 7, 8, 9, 16, 23, 31}) {
      SCOPED_TRACE(size);
      SCOPED_TRACE(bits);
      std::vector<uint64_t> values;
      for (size_t i = 0; i < size; ++i) {
        values.push_back(random.Below(uint64_t{1} << bits) << 32 | i);
      }
      std::vector<uint64_t> expected = values;
      std::sort(expected.begin(), expected.end());
      SortByBits(32, bits, absl::MakeSpan(values), &scratch);
      EXPECT_EQ(values, expected);
    }
  }
}

TEST(SortByBitsTest, SortsWholeValues) {
  Random random(2);
  std::vector<int32_t> scratch;
  for (const int bits : {5, 12, 20, 31}) {
    SCOPED_TRACE(bits);
    std::vector<int32_t> values(5000);
    for (int32_t& value : values) {
      value = static_cast<int32_t>(random.Below(uint64_t{1} << bits));
    }
    std::vector<int32_t> expected = values;
    std::sort(expected.begin(), expected.end());
    SortByBits(0, bits, absl::MakeSpan(values), &scratch);
    EXPECT_EQ(values, expected);
  }
}

}  // namespace
}  // namespace warpclust
