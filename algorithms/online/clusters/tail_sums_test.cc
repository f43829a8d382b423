// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/tail_sums.h"

#include <cstdint>
#include <map>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(TailSumsTest, AgainstAMap) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    TailSums tail;
    EXPECT_TRUE(tail.empty());
    std::map<int32_t, int64_t> expected;
    const uint64_t num_terms = 1 + random.Below(2000);
    for (int step = 0; step < 3000; ++step) {
      // Now and then terms far apart, which may share a place.
      const auto term = static_cast<int32_t>(random.Below(num_terms) *
                                             (seed % 2 == 0 ? 1 : 65536));
      tail.MakeRoomFor(1);
      EXPECT_EQ(tail[term], expected[term]);
      expected[term] =
          random.Below(4) == 0 ? 0 : static_cast<int64_t>(random.Next() >> 2);
      tail[term] = expected[term];
    }
    std::erase_if(expected,
                  [](const auto& entry) { return entry.second == 0; });
    std::map<int32_t, int64_t> found;
    tail.ForEach([&](int32_t term, int64_t sum) {
      EXPECT_TRUE(found.emplace(term, sum).second);
    });
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace warpclust
