// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts as files may have them, which must never become markup, script or a
// turn of direction outside of themselves.

#ifndef WARPCLUST_TOOLS_REPORT_TESTING_HOSTILE_TEXTS_H_
#define WARPCLUST_TOOLS_REPORT_TESTING_HOSTILE_TEXTS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpclust {

inline std::string HostileText(int32_t i) {
  constexpr std::array<absl::string_view, 8> kTexts = {
      "<script>pageErrors.push('script ran')</script>",
      "\"quoted\" 'twice' \\ `${1}`",
      "line\u2028separator\u2029and\nnewline",
      "\u202Eright to left\u202C \u200F",
      "<img src=x onerror=\"pageErrors.push('image')\">",
      "</script><!-- --> ]]> &lt;b&gt;&amp; <b>",
      "{{data}} {{title}}",
      "plain ü 漢字"};
  return std::string(kTexts[i % kTexts.size()]);
}

// `count` different ones.
inline std::vector<std::string> HostileTexts(int32_t count,
                                             absl::string_view prefix) {
  std::vector<std::string> texts;
  for (int32_t i = 0; i < count; ++i) {
    texts.push_back(absl::StrCat(prefix, i, " ", HostileText(i)));
  }
  return texts;
}

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPORT_TESTING_HOSTILE_TEXTS_H_
