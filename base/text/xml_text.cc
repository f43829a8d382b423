// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/xml_text.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "base/text/utf8.h"

namespace warpclust {

void AppendXmlText(absl::string_view text, std::string* xml) {
  std::string repaired(text);
  RepairUtf8(&repaired);
  for (size_t i = 0; i < repaired.size(); ++i) {
    const char c = repaired[i];
    switch (c) {
      case '&':
        xml->append("&amp;");
        continue;
      case '<':
        xml->append("&lt;");
        continue;
      case '>':
        xml->append("&gt;");
        continue;
      case '"':
        xml->append("&quot;");
        continue;
      case '\'':
        xml->append("&#39;");
        continue;
      case '\t':
        xml->append("&#9;");
        continue;
      case '\n':
        xml->append("&#10;");
        continue;
      case '\r':
        xml->append("&#13;");
        continue;
      default:
        break;
    }
    const absl::string_view rest = absl::string_view(repaired).substr(i);
    if (static_cast<unsigned char>(c) < 0x20) {
      xml->append("\uFFFD");
    } else if (absl::StartsWith(rest, "\xEF\xBF\xBE") ||
               absl::StartsWith(rest, "\xEF\xBF\xBF")) {
      xml->append("\uFFFD");
      i += 2;
    } else {
      xml->push_back(c);
    }
  }
}

std::string XmlText(absl::string_view text) {
  std::string xml;
  AppendXmlText(text, &xml);
  return xml;
}

}  // namespace warpclust
