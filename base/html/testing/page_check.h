// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What every page must be, whatever it shows, and how a page gets the script
// that tests it in a browser (browser_test.sh).

#ifndef WARPCLUST_BASE_HTML_TESTING_PAGE_CHECK_H_
#define WARPCLUST_BASE_HTML_TESTING_PAGE_CHECK_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// OK if the page loads nothing and every script of it ends where it should.
absl::Status CheckSelfContained(absl::string_view html);

// The text of <script ... id="data-NAME">; "missing" without it.
std::string PageElement(const std::string& page, absl::string_view name);

// A page to test. `definitions` is JavaScript that defines what the scripts
// compare with, such as "const testName = 'plane';"; its only "<" are in texts.
struct BrowserTestPage {
  std::string name;
  std::string definitions;
  std::string page;
};

// The main() of a program `FOLDER SCRIPT...` that writes NAME.html for each
// page into FOLDER, with the scripts in it, page_test.js first.
int WriteBrowserTests(
    int argc, char** argv,
    const std::function<absl::StatusOr<std::vector<BrowserTestPage>>()>& pages);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_HTML_TESTING_PAGE_CHECK_H_
