// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/html/html_page.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/html/testing/page_check.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using absl::StrContains;

std::string PageOf(const HtmlPage& page,
                   const std::vector<std::string>& texts = {},
                   const std::vector<int32_t>& numbers = {}) {
  std::string out;
  const auto write = [&out](absl::string_view text) {
    absl::StrAppend(&out, text);
  };
  WriteHtmlPage(
      page,
      [&] {
        WritePageJson("texts", JsonStrings(texts), write);
        WritePageArray("numbers", absl::MakeConstSpan(numbers), write);
      },
      write);
  return out;
}

TEST(HtmlPageTest, HasTheParts) {
  const std::string page = PageOf({.title = "</title><b>a&b\"",
                                   .kind = "kind",
                                   .style = "b { color: red }",
                                   .body = "<p>body</p>",
                                   .script = "run();"},
                                  {"text"}, {1});
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());
  for (const char* part :
       {"<title>&lt;/title&gt;&lt;b&gt;a&amp;b&quot; - kind</title>",
        "<h1>&lt;/title&gt;&lt;b&gt;a&amp;b&quot;</h1>", "<p>body</p>",
        "b { color: red }", "run();", "Michael Bostock",
        "prefers-color-scheme: dark"}) {
    EXPECT_TRUE(StrContains(page, part)) << part;
  }
  EXPECT_FALSE(StrContains(page, "{{"));
}

TEST(HtmlPageTest, WithoutScripts) {
  const std::string page = PageOf({.title = "t", .body = "<p>{{x}}</p>"});
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());
  EXPECT_TRUE(StrContains(page, "<title>t</title>"));
  // Text of a report that happens to look like a placeholder.
  EXPECT_TRUE(StrContains(page, "<p>{{x}}</p>"));
  EXPECT_FALSE(StrContains(page, "<script"));
  EXPECT_LT(page.size(), 20000);
}

TEST(HtmlPageTest, TextsAreNoMarkup) {
  const std::vector<std::string> texts = {"</script><b>", "<!--", "a&b", "\"\\",
                                          "\u2028\u202e\xff"};
  const std::string page = PageOf({.title = "t", .script = "s"}, texts);
  EXPECT_EQ(CheckSelfContained(page), absl::OkStatus());
  EXPECT_EQ(PageElement(page, "texts"),
            "[\"\\u003c/script\\u003e\\u003cb\\u003e\",\"\\u003c!--\","
            "\"a\\u0026b\",\"\\\"\\\\\",\"\u2028\u202e\uFFFD\"]");
}

TEST(HtmlPageTest, ArraysOfAnySize) {
  for (const int32_t size : {0, 1, 2, 3, 49151, 49152, 100001}) {
    std::vector<int32_t> numbers;
    for (int32_t i = 0; i < size; ++i) numbers.push_back(i * 40503);
    const std::string page = PageOf({.title = "t", .script = "s"}, {}, numbers);
    std::string bytes;
    ASSERT_TRUE(absl::Base64Unescape(PageElement(page, "numbers"), &bytes));
    ASSERT_EQ(bytes.size(), numbers.size() * sizeof(int32_t));
    EXPECT_EQ(memcmp(bytes.data(), numbers.data(), bytes.size()), 0) << size;
  }
}

TEST(CheckSelfContainedTest, FindsWhatLoads) {
  const std::string page = PageOf({.title = "t", .body = "<p></p>"});
  EXPECT_TRUE(CheckSelfContained(page).ok());
  for (const char* bad :
       {"<a href = 'x'>", "<p src=x>", "<link>", "<script>", "fetch('x')"}) {
    EXPECT_FALSE(CheckSelfContained(page + bad).ok()) << bad;
  }
  EXPECT_FALSE(CheckSelfContained("<html></html>").ok());
}

}  // namespace
}  // namespace warpclust
