// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/first_words.h"

#include "absl/strings/match.h"

namespace warpclust {
namespace {

// The bytes of the blank, line end or control character that `text` begins
// with; 0 if it begins with something else.
size_t BlankBytes(absl::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first <= 0x20 || first == 0x7F) return 1;
  // U+0080 to U+009F are control characters.
  if (first == 0xC2 && text.size() > 1 &&
      static_cast<unsigned char>(text[1]) <= 0x9F) {
    return 2;
  }
  if (absl::StartsWith(text, "\u2028") || absl::StartsWith(text, "\u2029")) {
    return 3;
  }
  return 0;
}

}  // namespace

std::string FirstWords(absl::string_view text, size_t most_bytes) {
  std::string result;
  // Where the last word that is complete ends.
  size_t complete = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t blank = BlankBytes(text.substr(i));
    if (blank > 0) {
      complete = result.size();
      i += blank;
      while (i < text.size()) {
        const size_t more = BlankBytes(text.substr(i));
        if (more == 0) break;
        i += more;
      }
      if (!result.empty() && i < text.size()) result.push_back(' ');
      continue;
    }
    // A character of several bytes is taken whole.
    size_t end = i + 1;
    while (end < text.size() &&
           (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
      ++end;
    }
    if (result.size() + (end - i) > most_bytes) {
      if (complete > 0) result.resize(complete);
      return result + "\u2026";
    }
    result.append(text.data() + i, end - i);
    i = end;
  }
  return result;
}

std::string DocumentTitle(absl::string_view title, absl::string_view text) {
  constexpr size_t kMostBytes = 200;
  std::string result = FirstWords(title, kMostBytes);
  return result.empty() ? FirstWords(text) : result;
}

}  // namespace warpclust
