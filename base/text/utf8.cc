// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/utf8.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/ascii.h"

namespace warpclust {
namespace {

// The length of the run of ASCII bytes at the start of `text`.
size_t AsciiPrefix(absl::string_view text) {
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & 0x8080808080808080u) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i;
}

// The offset of the first ill-formed byte, or text.size().
size_t ValidPrefix(absl::string_view text) {
  size_t i = 0;
  for (;;) {
    i += AsciiPrefix(text.substr(i));
    if (i == text.size()) return i;
    const Utf8CodePoint point = DecodeUtf8(text.substr(i));
    if (!point.valid) return i;
    i += point.length;
  }
}

}  // namespace

Utf8CodePoint DecodeUtf8(absl::string_view text) {
  const auto byte = [text](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  int32_t length;
  char32_t value;
  // The range of the second byte excludes overlong forms, surrogates and what
  // lies above U+10FFFF (Unicode standard, table 3-7).
  unsigned char low = 0x80, high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    value = lead & 0x1F;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    value = lead & 0x0F;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    value = lead & 0x07;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {kReplacementCharacter, 1, false};
  }
  for (int32_t i = 1; i < length; ++i) {
    if (static_cast<size_t>(i) >= text.size() || byte(i) < low ||
        byte(i) > high) {
      return {kReplacementCharacter, i, false};
    }
    value = (value << 6) | (byte(i) & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {value, length, true};
}

void AppendUtf8(char32_t code_point, std::string* text) {
  char32_t c = code_point;
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = kReplacementCharacter;
  if (c < 0x80) {
    text->push_back(static_cast<char>(c));
    return;
  }
  if (c < 0x800) {
    text->push_back(static_cast<char>(0xC0 | (c >> 6)));
  } else {
    if (c < 0x10000) {
      text->push_back(static_cast<char>(0xE0 | (c >> 12)));
    } else {
      text->push_back(static_cast<char>(0xF0 | (c >> 18)));
      text->push_back(static_cast<char>(0x80 | ((c >> 12) & 0x3F)));
    }
    text->push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
  }
  text->push_back(static_cast<char>(0x80 | (c & 0x3F)));
}

bool IsValidUtf8(absl::string_view text) {
  return ValidPrefix(text) == text.size();
}

bool HasControlCharacter(absl::string_view text) {
  return std::any_of(text.begin(), text.end(), absl::ascii_iscntrl);
}

void RepairUtf8(std::string* text) {
  size_t good = ValidPrefix(*text);
  if (good == text->size()) return;
  std::string repaired;
  repaired.reserve(text->size() + 16);
  absl::string_view rest = *text;
  while (!rest.empty()) {
    good = ValidPrefix(rest);
    repaired.append(rest.data(), good);
    rest.remove_prefix(good);
    if (rest.empty()) break;
    AppendUtf8(kReplacementCharacter, &repaired);
    rest.remove_prefix(DecodeUtf8(rest).length);
  }
  *text = std::move(repaired);
}

}  // namespace warpclust
