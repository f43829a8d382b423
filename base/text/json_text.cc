// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_text.h"

#include <charconv>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/text/utf8.h"

namespace warpclust {

void AppendJsonString(absl::string_view text, std::string* json) {
  constexpr char kHex[] = "0123456789abcdef";
  json->push_back('"');
  while (!text.empty()) {
    const unsigned char c = static_cast<unsigned char>(text[0]);
    if (c == '"' || c == '\\') {
      json->push_back('\\');
      json->push_back(static_cast<char>(c));
      text.remove_prefix(1);
    } else if (c < 0x20) {
      absl::StrAppend(json, "\\u00", absl::string_view(&kHex[c >> 4], 1),
                      absl::string_view(&kHex[c & 15], 1));
      text.remove_prefix(1);
    } else if (c < 0x80) {
      json->push_back(static_cast<char>(c));
      text.remove_prefix(1);
    } else {
      const Utf8CodePoint point = DecodeUtf8(text);
      AppendUtf8(point.value, json);
      text.remove_prefix(point.length);
    }
  }
  json->push_back('"');
}

std::string JsonQuote(absl::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

std::string JsonDouble(double value) {
  if (!std::isfinite(value)) return "null";
  char digits[32];
  return std::string(digits,
                     std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

std::string JsonObject(absl::Span<const JsonField> fields) {
  std::string json = "{";
  for (const JsonField& field : fields) {
    if (json.size() > 1) json += ',';
    AppendJsonString(field.name, &json);
    absl::StrAppend(&json, ":", field.json);
  }
  json += '}';
  return json;
}

}  // namespace warpclust
