// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/html/testing/page_check.h"

#include <cstddef>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace warpclust {
namespace {

// First in a page, so that it misses no error.
constexpr char kWatch[] = R"(<script>
const pageErrors = [];
window.addEventListener('error', (e) => pageErrors.push(e.message));
window.addEventListener('unhandledrejection', (e) => pageErrors.push(String(e.reason)));
window.addEventListener('securitypolicyviolation', (e) => pageErrors.push('policy: ' + e.blockedURI));
for (const kind of ['error', 'warn']) {
  console[kind] = (...words) => pageErrors.push(words.join(' '));
}
</script>
)";

size_t Count(absl::string_view text, absl::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != text.npos;
       at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

// Whether `name` followed by "=" comes after a "<" that is still open. Without
// std::regex, which takes a stack frame for each character of a page.
bool HasAttribute(absl::string_view page, absl::string_view name) {
  bool in_tag = false;
  for (size_t i = 0; i + name.size() < page.size(); ++i) {
    if (page[i] == '<') in_tag = true;
    if (page[i] == '>') in_tag = false;
    if (!in_tag || page.substr(i, name.size()) != name) continue;
    const size_t next = page.find_first_not_of(" \t\n", i + name.size());
    const bool begins = i == 0 || !absl::ascii_isalnum(page[i - 1]);
    if (begins && next != absl::string_view::npos && page[next] == '=') {
      return true;
    }
  }
  return false;
}

}  // namespace

absl::Status CheckSelfContained(absl::string_view html) {
  const auto found = [](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a page that loads nothing, found ", what));
  };
  for (const absl::string_view attribute : {"src", "href"}) {
    if (HasAttribute(html, attribute)) return found(attribute);
  }
  for (const absl::string_view loads :
       {"<link", "<img", "<iframe", "<object", "@import", "url(", "fetch(",
        "new WebSocket"}) {
    if (absl::StrContains(html, loads)) return found(loads);
  }
  if (!absl::StrContains(html, "default-src 'none'")) {
    return found("no policy that forbids it");
  }
  const size_t opened = Count(html, "<script");
  const size_t closed = Count(html, "</script>");
  if (opened != closed) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected scripts that end where they should, found ",
                     opened, " beginnings and ", closed, " ends"));
  }
  return absl::OkStatus();
}

std::string PageElement(const std::string& page, absl::string_view name) {
  const std::string open = absl::StrCat("id=\"data-", name, "\">");
  const size_t begin = page.find(open);
  if (begin == page.npos) return "missing";
  const size_t from = begin + open.size();
  return page.substr(from, page.find("</script>", from) - from);
}

int WriteBrowserTests(
    int argc, char** argv,
    const std::function<absl::StatusOr<std::vector<BrowserTestPage>>()>&
        pages) {
  if (argc < 3) {
    std::cerr << "Usage: " << argv[0] << " FOLDER SCRIPT...\n";
    return 1;
  }
  std::stringstream scripts;
  for (int i = 2; i < argc; ++i) scripts << std::ifstream(argv[i]).rdbuf();
  const absl::StatusOr<std::vector<BrowserTestPage>> made = pages();
  if (!made.ok()) {
    std::cerr << made.status() << '\n';
    return 1;
  }
  for (const BrowserTestPage& test : *made) {
    std::string page = test.page;
    page.insert(page.find("<head>") + 6, kWatch);
    page.insert(
        page.rfind("</body>"),
        absl::StrCat("<script>\n",
                     absl::StrReplaceAll(test.definitions, {{"<", "\\u003c"}}),
                     "\n", scripts.str(), "</script>\n"));
    std::ofstream out(absl::StrCat(argv[1], "/", test.name, ".html"));
    out << page;
    if (!out.flush()) {
      std::cerr << "cannot write to " << argv[1] << '\n';
      return 1;
    }
  }
  return 0;
}

}  // namespace warpclust
