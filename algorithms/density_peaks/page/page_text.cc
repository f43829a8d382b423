// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/page_text.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace warpclust {
namespace {

// A multiple of 3, so that only the last piece is padded.
constexpr size_t kPieceBytes = 3 * 65536;

}  // namespace

std::string JsonString(absl::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '<' || c == '>' || c == '&') {
      absl::StrAppendFormat(&out, "\\u%04x", byte);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
  return out;
}

std::string JsonNumber(double value) {
  // Not StrFormat, which formats some doubles by printf, with the decimal point
  // of the caller's locale. "-1.2345678901234567e-308" has 24 characters.
  char digits[32];
  const std::to_chars_result end = std::to_chars(
      digits, digits + sizeof(digits), value, std::chars_format::general, 17);
  return std::string(digits, end.ptr);
}

void WriteBase64(absl::string_view bytes,
                 absl::FunctionRef<void(absl::string_view)> write) {
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), kPieceBytes);
    write(absl::Base64Escape(bytes.substr(0, size)));
    bytes.remove_prefix(size);
  }
}

}  // namespace warpclust
