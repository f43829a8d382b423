// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteHtmlPage: one self-contained .html page, light and dark, that works from
// file:// and never uses the network. Use it for every page, so that they look
// and behave alike.
//
//   HtmlPage page;
//   page.title = "news.jsonl";
//   page.body = NewsPageBody();      // Compiled in from .html, .css and .js
//   page.style = NewsPageStyle();    // files by third_party/embed_text.sh.
//   page.script = NewsPageScript();
//   WriteHtmlPage(page, [&] {
//     WritePageJson("meta", JsonObject({{"total", "3"}}), write);
//     WritePageArray<float>("x", x, write);
//   }, write);
//
// The script reads the data back with takeJson('meta') and takeArray('x',
// Float32Array) of assets/data.js. It may use everything in assets: elements,
// formats of numbers, colors of clusters, lists, plots, and D3. Text from files
// never becomes markup: it reaches the page as JSON in which "<" is escaped,
// and the scripts only make text nodes of it.
//
// Cost: linear; 0.27 MB for the shared scripts, 4/3 of the bytes of arrays.

#ifndef WARPCLUST_BASE_HTML_HTML_PAGE_H_
#define WARPCLUST_BASE_HTML_HTML_PAGE_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// Takes the text of a page, piece by piece.
using PageSink = absl::FunctionRef<void(absl::string_view)>;

struct HtmlPage {
  // UTF-8, shown literally: "s2.csv".
  absl::string_view title = {};
  // What the page is, for the title of the window: "decision graph".
  absl::string_view kind = {};
  // CSS, after that of all pages.
  absl::string_view style = {};
  // Markup. In a page with scripts it stands between the title, with the facts
  // #facts and #outcome beside it, and the command line #command.
  absl::string_view body = {};
  // JavaScript, after the scripts of all pages. Empty: a page that is only its
  // body, without data.
  absl::string_view script = {};
};

// Calls `write` with the page; `write_data`, which calls WritePageJson and
// WritePageArray, where the data belongs.
void WriteHtmlPage(const HtmlPage& page, absl::FunctionRef<void()> write_data,
                   PageSink write);

// Data of a page: any JSON text, and numbers (int32_t, float or double, as this
// machine stores them) in base64.
void WritePageJson(absl::string_view name, absl::string_view json,
                   PageSink write);
template <typename T>
void WritePageArray(absl::string_view name, absl::Span<const T> values,
                    PageSink write);

// Strings as a JSON array.
std::string JsonStrings(absl::Span<const std::string> strings);

// Implementation details from here on.

namespace internal {

void WritePageBytes(absl::string_view name, absl::string_view bytes,
                    PageSink write);

}  // namespace internal

template <typename T>
void WritePageArray(absl::string_view name, absl::Span<const T> values,
                    PageSink write) {
  internal::WritePageBytes(
      name,
      absl::string_view(reinterpret_cast<const char*>(values.data()),
                        values.size() * sizeof(T)),
      write);
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_HTML_HTML_PAGE_H_
