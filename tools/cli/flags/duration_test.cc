// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/flags/duration.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(DurationTest, Forms) {
  EXPECT_EQ(*ParseDuration("0"), 0);
  EXPECT_EQ(*ParseDuration("90"), 90);
  EXPECT_EQ(*ParseDuration("45s"), 45);
  EXPECT_EQ(*ParseDuration("90m"), 5400);
  EXPECT_EQ(*ParseDuration("12h"), 43200);
  EXPECT_EQ(*ParseDuration("3d"), 259200);
  EXPECT_EQ(*ParseDuration("2w"), 1209600);
  EXPECT_EQ(*ParseDuration("1d12h30m5s"), 131405);
  EXPECT_EQ(*ParseDuration("9007199254740992"), int64_t{1} << 53);
}

TEST(DurationTest, NoDurations) {
  for (const char* text :
       {"", "d", "3x", "3 d", "-3d", "+3", "1.5d", "3d5", "3dd", "1h2", "0h2",
        "9007199254740993", "99999999999999999999", "15000000000w",
        "9007199254740992s1s"}) {
    EXPECT_EQ(ParseDuration(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace warpclust
