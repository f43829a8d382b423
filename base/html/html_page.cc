// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/html/html_page.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/html/assets/page_assets.h"
#include "base/text/html_text.h"
#include "base/text/json_text.h"

namespace warpclust {
namespace {

// A multiple of 3, so that only the last piece of base64 is padded.
constexpr size_t kPieceBytes = 3 * 65536;

// Writes a text, calling `insert` for each {{name}} in it.
void Expand(absl::string_view text,
            absl::FunctionRef<void(absl::string_view)> insert, PageSink write) {
  while (true) {
    const size_t begin = text.find("{{");
    const size_t end = text.find("}}");
    if (begin == text.npos || end == text.npos) break;
    write(text.substr(0, begin));
    insert(text.substr(begin + 2, end - begin - 2));
    text.remove_prefix(end + 2);
  }
  write(text);
}

// Opens and closes an element that the browser does not interpret.
void WriteElement(absl::string_view type, absl::string_view name,
                  absl::FunctionRef<void()> write_text, PageSink write) {
  write(absl::StrCat("<script type=\"", type, "\" id=\"data-", name, "\">"));
  write_text();
  write("</script>\n");
}

}  // namespace

void WriteHtmlPage(const HtmlPage& page, absl::FunctionRef<void()> write_data,
                   PageSink write) {
  const std::string title = EscapeHtml(page.title);
  const auto insert = [&](absl::string_view name) {
    if (name == "title") write(title);
    if (name == "body") write(page.body);
    if (name == "data") write_data();
    if (name == "library_license") write(PageLibraryLicense());
    if (name == "library") write(PageLibrary());
    if (name == "script") {
      write(PageScript());
      write(page.script);
    }
  };
  Expand(
      PageFrame(),
      [&](absl::string_view name) {
        if (name == "title") write(title);
        if (name == "kind" && !page.kind.empty()) {
          write(absl::StrCat(" - ", EscapeHtml(page.kind)));
        }
        if (name == "style") {
          write(PageStyle());
          write(page.style);
        }
        if (name == "body" && page.script.empty()) write(page.body);
        if (name == "body" && !page.script.empty()) {
          Expand(PageApplication(), insert, write);
        }
      },
      write);
}

void WritePageJson(absl::string_view name, absl::string_view json,
                   PageSink write) {
  // In JSON these only occur inside strings.
  WriteElement(
      "application/json", name,
      [&] {
        write(absl::StrReplaceAll(
            json, {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}}));
      },
      write);
}

std::string JsonStrings(absl::Span<const std::string> strings) {
  std::string json = "[";
  for (const std::string& text : strings) {
    if (json.size() > 1) json += ',';
    AppendJsonString(text, &json);
  }
  return json + "]";
}

namespace internal {

void WritePageBytes(absl::string_view name, absl::string_view bytes,
                    PageSink write) {
  WriteElement(
      "text/plain", name,
      [&] {
        while (!bytes.empty()) {
          const size_t size = std::min(bytes.size(), kPieceBytes);
          write(absl::Base64Escape(bytes.substr(0, size)));
          bytes.remove_prefix(size);
        }
      },
      write);
}

}  // namespace internal
}  // namespace warpclust
