// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JsonCursor: a strict walk over one JSON text (RFC 8259), without a tree. Use
// it to take a few fields out of a line and skip the rest:
//
//   JsonCursor json(line);
//   bool more = json.BeginObject();
//   std::string key, name;
//   while (more && json.NextMember(&key)) {
//     more = key == "name" ? json.String(&name) : json.Skip();
//   }
//   if (!json.End()) return lines.Expected(json.expected(), json.found());
//
// All functions return false at the first error and ever after; expected() and
// found() then say what and where. Unescaped control characters, comments,
// trailing commas, NaN, numbers like "01" or ".5", and values nested more than
// 256 deep are errors. Strings are returned as well-formed UTF-8: ill-formed
// bytes and lone surrogate escapes become U+FFFD. Cost: linear.

#ifndef WARPCLUST_BASE_TEXT_JSON_CURSOR_H_
#define WARPCLUST_BASE_TEXT_JSON_CURSOR_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

class JsonCursor {
 public:
  enum class Kind {
    kObject,
    kArray,
    kString,
    kNumber,
    kTrue,
    kFalse,
    kNull,
    kNone
  };

  // `text` must outlive the cursor. It may have several lines. Before it,
  // `columns_before` bytes of its first line count for columns in errors.
  explicit JsonCursor(absl::string_view text, size_t columns_before = 0)
      : text_(text), columns_before_(columns_before) {}

  // The text that was not taken yet.
  absl::string_view rest() const { return text_.substr(at_); }

  // The kind of the next value, by its first byte; kNone if no value starts so.
  Kind Peek();

  // Enters an object or array; NextMember or NextElement follows.
  bool BeginObject();
  bool BeginArray();

  // Moves to the next member and takes its key, or to the next element; then
  // take or skip its value. False after the last one and at errors: ok() tells
  // which. `key` may be null.
  bool NextMember(std::string* key);
  bool NextElement();

  // Takes a string. `value` may be null.
  bool String(std::string* value);
  // Takes a number, true, false or null, as written.
  bool Literal(absl::string_view* text);
  // Takes any value.
  bool Skip();

  // True if there was no error and only blanks are left.
  bool End();

  bool ok() const { return expected_.empty(); }
  // Of the first error: what was expected, with the column (from 1, in bytes),
  // and the text from there on.
  const std::string& expected() const { return expected_; }
  absl::string_view found() const { return text_.substr(failed_at_); }
  // The line of the first error in the text, from 0.
  size_t error_line() const;

  // Refuses the next value: `expected` was expected.
  bool Fail(absl::string_view expected);

 private:
  void SkipBlanks();
  // Takes `byte` if it comes next.
  bool Take(char byte);
  bool SkipDepth(int depth);
  bool Escape(std::string* value);
  bool HexEscape(char32_t* unit);
  bool FailHere(absl::string_view expected);

  absl::string_view text_;
  size_t columns_before_;
  size_t at_ = 0;
  // True between Begin... and the first NextMember or NextElement.
  bool first_ = false;
  size_t failed_at_ = 0;
  std::string expected_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TEXT_JSON_CURSOR_H_
