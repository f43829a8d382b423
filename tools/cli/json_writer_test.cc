// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/json_writer.h"

#include <limits>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(JsonWriterTest, StringsAreEscaped) {
  StringSink sink;
  JsonWriter json(&sink);
  json.BeginObject();
  json.Key("a\"b");
  json.String(absl::string_view("\n\0\\\xC3\xA9\xFF", 6));
  json.EndObject();
  EXPECT_EQ(sink.text(),
            "{\"a\\\"b\":\"\\u000a\\u0000\\\\\xC3\xA9\xEF\xBF\xBD\"}");
}

TEST(JsonWriterTest, PlacesCommasAndColons) {
  StringSink sink;
  JsonWriter json(&sink);
  json.BeginObject();
  json.Key("a");
  json.Int(-1);
  json.Key("b");
  json.BeginObject();
  json.Key("x");
  json.Int(std::numeric_limits<int64_t>::max());
  json.Key("y");
  json.BeginObject();
  json.EndObject();
  json.Key("z");
  json.Null();
  json.EndObject();
  json.Key("c");
  json.String("z");
  json.Key("d");
  json.Raw("0.25");
  json.EndObject();
  EXPECT_EQ(sink.text(),
            R"({"a":-1,"b":{"x":9223372036854775807,"y":{},"z":null},)"
            R"("c":"z","d":0.25})");
}

TEST(JsonWriterTest, InLines) {
  StringSink sink;
  JsonWriter json(&sink, /*in_lines=*/true);
  json.BeginObject();
  json.Key("a");
  json.Int(1);
  json.Key("b");
  json.BeginObject();
  json.Key("x");
  json.Int(2);
  json.Key("y");
  json.Int(3);
  json.EndObject();
  json.EndObject();
  EXPECT_EQ(sink.text(), "{\n  \"a\":1,\n  \"b\":{\"x\":2,\"y\":3}\n}");
}

TEST(JsonWriterTest, DoublesReadBackExactlyAndNanIsNull) {
  const auto text = [](double value) {
    StringSink sink;
    JsonWriter(&sink).Double(value);
    return sink.text();
  };
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(3), "3");
  EXPECT_EQ(text(-1e300), "-1e+300");
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "null");
}

}  // namespace
}  // namespace warpclust
