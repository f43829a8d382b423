// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UTF-8: decoding, encoding and repair of text from outside.
//
// Ill-formed bytes (stray continuations, overlong forms, surrogates, code
// points above U+10FFFF) are not errors: each maximal ill-formed part stands
// for one U+FFFD, as the Unicode standard recommends (section 3.9). Cost:
// linear.

#ifndef WARPCLUST_BASE_TEXT_UTF8_H_
#define WARPCLUST_BASE_TEXT_UTF8_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct Utf8CodePoint {
  char32_t value = 0;
  // Bytes taken: 1 to 4.
  int32_t length = 1;
  // False for an ill-formed part; `value` is then U+FFFD.
  bool valid = true;
};

// The code point at the start of `text`, which must not be empty.
Utf8CodePoint DecodeUtf8(absl::string_view text);

// Appends `code_point` (U+FFFD if it is a surrogate or above U+10FFFF).
void AppendUtf8(char32_t code_point, std::string* text);

bool IsValidUtf8(absl::string_view text);

// Whether `text` has an ASCII control character: a byte below 32, or 127.
bool HasControlCharacter(absl::string_view text);

// Replaces each ill-formed part of `*text` by U+FFFD.
void RepairUtf8(std::string* text);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TEXT_UTF8_H_
