// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/json_writer.h"

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
  json.BeginArray();
  json.Int(-1);
  json.Int(std::numeric_limits<int64_t>::max());
  json.BeginObject();
  json.EndObject();
  json.BeginArray();
  json.EndArray();
  json.EndArray();
  json.Key("b");
  json.BeginObject();
  json.Key("x");
  json.Bool(true);
  json.Key("y");
  json.Null();
  json.EndObject();
  json.Key("c");
  json.String("z");
  json.Key("d");
  json.Raw("0.25");
  json.EndObject();
  EXPECT_EQ(sink.text(),
            R"({"a":[-1,9223372036854775807,{},[]],"b":{"x":true,"y":null},)"
            R"("c":"z","d":0.25})");
}

TEST(JsonWriterTest, InLines) {
  StringSink sink;
  JsonWriter json(&sink, /*in_lines=*/true);
  json.BeginObject();
  json.Key("a");
  json.Int(1);
  json.Key("b");
  json.BeginArray();
  json.Int(2);
  json.Int(3);
  json.EndArray();
  json.EndObject();
  EXPECT_EQ(sink.text(), "{\n  \"a\":1,\n  \"b\":[2,3]\n}");
}

TEST(JsonWriterTest, DoublesReadBackExactlyAndNanIsNull) {
  StringSink sink;
  JsonWriter json(&sink);
  json.BeginArray();
  json.Double(0.1);
  json.Double(3);
  json.Double(-1e300);
  json.Double(std::nan(""));
  json.Double(std::numeric_limits<double>::infinity());
  json.EndArray();
  EXPECT_EQ(sink.text(), "[0.1,3,-1e+300,null,null]");
}

}  // namespace
}  // namespace warpclust
