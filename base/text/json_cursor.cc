// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_cursor.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/text/utf8.h"

namespace warpclust {
namespace {

constexpr int kDeepest = 256;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The length of the number at the start of `text` by the grammar of RFC 8259; 0
// without a number.
size_t NumberLength(absl::string_view text) {
  size_t i = 0;
  const auto digits = [&] {
    const size_t start = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return i > start;
  };
  if (i < text.size() && text[i] == '-') ++i;
  if (i < text.size() && text[i] == '0') {
    ++i;
    if (i < text.size() && IsDigit(text[i])) return 0;
  } else if (!digits()) {
    return 0;
  }
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!digits()) return 0;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return 0;
  }
  return i;
}

}  // namespace

bool JsonCursor::FailHere(absl::string_view expected) {
  if (ok()) {
    failed_at_ = at_;
    const size_t line_end = text_.substr(0, at_).rfind('\n');
    const size_t column = line_end == absl::string_view::npos
                              ? columns_before_ + at_ + 1
                              : at_ - line_end;
    expected_ = absl::StrCat(expected, " at column ", column);
  }
  return false;
}

size_t JsonCursor::error_line() const {
  const absl::string_view before = text_.substr(0, failed_at_);
  return static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
}

bool JsonCursor::Fail(absl::string_view expected) {
  SkipBlanks();
  return FailHere(expected);
}

void JsonCursor::SkipBlanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                text_[at_] == '\r' || text_[at_] == '\n')) {
    ++at_;
  }
}

bool JsonCursor::Take(char byte) {
  SkipBlanks();
  if (at_ == text_.size() || text_[at_] != byte) return false;
  ++at_;
  return true;
}

JsonCursor::Kind JsonCursor::Peek() {
  SkipBlanks();
  if (at_ == text_.size()) return Kind::kNone;
  switch (text_[at_]) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kString;
    case 't':
      return Kind::kTrue;
    case 'f':
      return Kind::kFalse;
    case 'n':
      return Kind::kNull;
    default:
      return text_[at_] == '-' || IsDigit(text_[at_]) ? Kind::kNumber
                                                      : Kind::kNone;
  }
}

bool JsonCursor::BeginObject() {
  if (!ok()) return false;
  if (!Take('{')) return FailHere("a JSON object");
  first_ = true;
  return true;
}

bool JsonCursor::BeginArray() {
  if (!ok()) return false;
  if (!Take('[')) return FailHere("a JSON array");
  first_ = true;
  return true;
}

bool JsonCursor::NextMember(std::string* key) {
  if (!ok()) return false;
  const bool first = first_;
  first_ = false;
  if (Take('}')) return false;
  if (!first && !Take(',')) return FailHere("',' or '}'");
  if (Peek() != Kind::kString) {
    return FailHere(first ? "a key or '}'" : "a key");
  }
  if (!String(key)) return false;
  if (!Take(':')) return FailHere("':'");
  return true;
}

bool JsonCursor::NextElement() {
  if (!ok()) return false;
  const bool first = first_;
  first_ = false;
  if (Take(']')) return false;
  if (!first && !Take(',')) return FailHere("',' or ']'");
  return true;
}

bool JsonCursor::HexEscape(char32_t* unit) {
  *unit = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    char32_t digit;
    if (IsDigit(c)) {
      digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = c - 'A' + 10;
    } else {
      return FailHere("a hexadecimal digit");
    }
    *unit = *unit * 16 + digit;
    ++at_;
  }
  return true;
}

// Takes what follows a backslash.
bool JsonCursor::Escape(std::string* value) {
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  constexpr absl::string_view kNames = "\"\\/bfnrt";
  constexpr absl::string_view kBytes = "\"\\/\b\f\n\r\t";
  const size_t name = c == '\0' ? kNames.npos : kNames.find(c);
  if (name != kNames.npos) {
    ++at_;
    if (value != nullptr) value->push_back(kBytes[name]);
    return true;
  }
  if (c != 'u') return FailHere("one of \"\\/bfnrtu after a backslash");
  ++at_;
  char32_t unit;
  if (!HexEscape(&unit)) return false;
  if (unit >= 0xD800 && unit < 0xDC00 && text_.substr(at_, 2) == "\\u") {
    const size_t before = at_;
    at_ += 2;
    char32_t low;
    if (!HexEscape(&low)) return false;
    if (low >= 0xDC00 && low < 0xE000) {
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else {
      at_ = before;  // Not a pair: the second is a value of its own.
    }
  }
  if (value != nullptr) AppendUtf8(unit, value);
  return true;
}

bool JsonCursor::String(std::string* value) {
  if (!ok()) return false;
  if (value != nullptr) value->clear();
  if (!Take('"')) return FailHere("a string");
  for (;;) {
    const size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           static_cast<unsigned char>(text_[at_]) >= 0x20) {
      ++at_;
    }
    if (value != nullptr) value->append(text_.data() + start, at_ - start);
    if (at_ == text_.size()) return FailHere("'\"' to end the string");
    if (text_[at_] == '"') break;
    if (text_[at_] != '\\') return FailHere("an escaped control character");
    ++at_;
    if (!Escape(value)) return false;
  }
  ++at_;
  if (value != nullptr) RepairUtf8(value);
  return true;
}

bool JsonCursor::Literal(absl::string_view* text) {
  if (!ok()) return false;
  const Kind kind = Peek();
  const absl::string_view rest = text_.substr(at_);
  size_t length = 0;
  if (kind == Kind::kNumber) {
    length = NumberLength(rest);
    if (length == 0) return FailHere("a JSON number");
  } else {
    for (const absl::string_view word : {"true", "false", "null"}) {
      if (rest.substr(0, word.size()) == word) length = word.size();
    }
    if (length == 0) return FailHere("a JSON value");
  }
  *text = rest.substr(0, length);
  at_ += length;
  return true;
}

bool JsonCursor::SkipDepth(int depth) {
  const Kind kind = Peek();
  if (kind == Kind::kString) return String(nullptr);
  if (kind != Kind::kObject && kind != Kind::kArray) {
    absl::string_view ignored;
    return Literal(&ignored);
  }
  if (depth == kDeepest) return FailHere("at most 256 levels of nesting");
  if (kind == Kind::kObject) {
    BeginObject();
    while (NextMember(nullptr)) {
      if (!SkipDepth(depth + 1)) return false;
    }
  } else {
    BeginArray();
    while (NextElement()) {
      if (!SkipDepth(depth + 1)) return false;
    }
  }
  return ok();
}

bool JsonCursor::Skip() { return ok() && SkipDepth(0); }

bool JsonCursor::End() {
  if (!ok()) return false;
  SkipBlanks();
  if (at_ < text_.size()) return FailHere("the end of the line");
  return true;
}

}  // namespace warpclust
