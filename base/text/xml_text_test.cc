// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/xml_text.h"

#include <string>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(XmlTextTest, Escapes) {
  EXPECT_EQ(XmlText("plain \u00e9\u4e2d"), "plain \u00e9\u4e2d");
  EXPECT_EQ(XmlText("<script>\"a\" & 'b'</script>]]>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;]]"
            "&gt;");
  EXPECT_EQ(XmlText("a\tb\nc\r"), "a&#9;b&#10;c&#13;");
  // Line separators and marks of direction are characters as any other.
  EXPECT_EQ(XmlText("a\u2028\u202Eb\u200F"), "a\u2028\u202Eb\u200F");
}

TEST(XmlTextTest, WhatXmlCannotHold) {
  EXPECT_EQ(XmlText(std::string("a\0b\x01\x1F\x7F", 6)),
            "a\uFFFDb\uFFFD\uFFFD\x7F");
  EXPECT_EQ(XmlText("\xFF"), "\uFFFD");
  EXPECT_EQ(XmlText("a\uFFFE\uFFFF\uFFFD"), "a\uFFFD\uFFFD\uFFFD");
}

}  // namespace
}  // namespace warpclust
