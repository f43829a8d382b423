// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/first_bad.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(FirstBadTest, AnyThreadsFindTheFirst) {
  for (const int threads : {1, 2, 7}) {
    for (const int64_t count : {0, 1, 6, 1000}) {
      for (const int64_t first : {0, 1, 5, 500, 999, 2000}) {
        // Every other one from there on.
        const int64_t found = FirstBad(count, threads, [&](int64_t i) {
          return i < first || (i - first) % 2 == 1;
        });
        EXPECT_EQ(found, first < count ? first : count)
            << count << " items, " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
