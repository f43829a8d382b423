// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_text.h"

#include <limits>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(JsonTextTest, StringsAreEscaped) {
  EXPECT_EQ(JsonQuote(absl::string_view("\n\0\\\xC3\xA9\xFF", 6)),
            "\"\\u000a\\u0000\\\\\xC3\xA9\xEF\xBF\xBD\"");
  EXPECT_EQ(JsonQuote("a\"b"), "\"a\\\"b\"");
}

TEST(JsonTextTest, ObjectsKeepTheOrderOfTheirFields) {
  EXPECT_EQ(JsonObject({}), "{}");
  EXPECT_EQ(JsonObject({{"b", "-1"}, {"a\"b", JsonObject({{"x", "null"}})}}),
            R"({"b":-1,"a\"b":{"x":null}})");
}

TEST(JsonTextTest, DoublesReadBackExactlyAndNanIsNull) {
  EXPECT_EQ(JsonDouble(0.1), "0.1");
  EXPECT_EQ(JsonDouble(3), "3");
  EXPECT_EQ(JsonDouble(-1e300), "-1e+300");
  EXPECT_EQ(JsonDouble(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(JsonDouble(std::numeric_limits<double>::infinity()), "null");
}

}  // namespace
}  // namespace warpclust
