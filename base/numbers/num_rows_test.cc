// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/num_rows.h"

#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(NumRowsTest, UpToTheMostRows) {
  EXPECT_EQ(NumRows(1), 0);
  EXPECT_EQ(NumRows(3), 2);
  // In a constant expression, where an overflow would not compile.
  static_assert(NumRows(size_t{INT32_MAX} + 1) == INT32_MAX);
  static_assert(NumRows(INT32_MAX) == INT32_MAX - 1);
}

TEST(NumRowsTest, OfWhatWasMovedFrom) { EXPECT_EQ(NumRows(0), -1); }

}  // namespace
}  // namespace warpclust
