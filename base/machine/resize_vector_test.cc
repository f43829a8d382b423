// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/resize_vector.h"

#include <cstdint>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ResizeVectorTest, KeepsWhatIsThereAndClearsTheRest) {
  for (const int64_t before : {0, 3, 1'000'000, 5'000'000}) {
    for (const int64_t after : {0, 2, 300'000, 4'000'000, 9'000'001}) {
      std::vector<int32_t> values(before);
      std::iota(values.begin(), values.end(), 1);
      std::vector<int32_t> expected = values;
      expected.resize(after);
      ResizeVector(after, 2, &values);
      EXPECT_TRUE(values == expected) << before << " to " << after;
    }
  }
}

// Used memory has other values than zero.
TEST(ResizeVectorTest, ClearsUsedMemory) {
  std::vector<int32_t> values(9'000'000, 7);
  values.clear();
  ResizeVector(8'000'000, 3, &values);
  EXPECT_TRUE(values == std::vector<int32_t>(8'000'000));
}

}  // namespace
}  // namespace warpclust
