// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadJsonObject: walks over the members of one JSON object (RFC 8259), without
// a tree, by simdjson. Use it to take a few fields out of a line:
//
//   std::string name;
//   const absl::optional<JsonError> error = ReadJsonObject(
//       line, [&](absl::string_view key, JsonValue& value) {
//         return key == "name" ? value.String(&name) : value.Skip();
//       });
//   if (error) return lines.Expected(error->expected, error->found);
//
// The whole text is checked, what is skipped included. Unescaped control
// characters, comments, trailing commas, NaN, numbers like "01" or ".5",
// numbers beyond the range of double, and values nested more than 256 deep are
// errors; so is a text of more than 4 GiB. Strings are returned as well-formed
// UTF-8: ill-formed bytes and lone surrogate escapes become U+FFFD.
//
// Cost: linear. Memory: eight times the text, in each thread; up to 8 MiB are
// kept for the next text.

#ifndef WARPCLUST_BASE_TEXT_JSON_READER_H_
#define WARPCLUST_BASE_TEXT_JSON_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace warpclust {

namespace internal {
class JsonWalk;
}  // namespace internal

// The first error of a text.
struct JsonError {
  // With the column, from 1, in bytes: "',' or '}' at column 7".
  std::string expected;
  // The text from there on, at most to the end of the line.
  std::string found;
  // The line of the text, from 0.
  int64_t line = 0;
};

// A value, to be taken by one of its functions, once. They return false, and
// the walk ends, if it is something else than `expected` or is no JSON.
class JsonValue {
 public:
  enum class Kind { kObject, kArray, kString, kNumber, kBool, kNull, kNone };

  // By the first byte; kNone if no value begins so.
  Kind kind() const;
  // As written: a string with its quotes, or a number. Valid until the walk
  // ends. Of an object or array: its bracket.
  absl::string_view token() const { return token_; }

  // `text` may be null.
  bool String(std::string* text, absl::string_view expected = "a string");
  // Valid until the next string or key, or until the function that was given
  // the value returns.
  bool StringView(absl::string_view* text,
                  absl::string_view expected = "a string");
  // `number` may be null.
  bool Number(double* number, absl::string_view expected = "a number");
  bool ForEachElement(absl::FunctionRef<bool(JsonValue&)> take,
                      absl::string_view expected = "a JSON array");
  // `key` is valid until `take` returns.
  bool ForEachMember(
      absl::FunctionRef<bool(absl::string_view key, JsonValue& value)> take,
      absl::string_view expected = "a JSON object");
  // Any value.
  bool Skip();

  // Refuses the value: `expected` was expected. Returns false.
  bool Fail(absl::string_view expected);

 private:
  friend class internal::JsonWalk;
  JsonValue(internal::JsonWalk* walk, void* value, absl::string_view token)
      : walk_(walk), value_(value), token_(token) {}

  internal::JsonWalk* walk_;
  void* value_;  // simdjson's.
  absl::string_view token_;
};

// Calls `take` with each member of the object that is all of `text`, in order
// and with repeated keys, until it returns false. Returns the first error, or
// none. Before the text, `columns_before` bytes of its first line count for
// columns. The text may have several lines. `take` must not call
// ReadJsonObject.
absl::optional<JsonError> ReadJsonObject(
    absl::string_view text,
    absl::FunctionRef<bool(absl::string_view key, JsonValue& value)> take,
    size_t columns_before = 0);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TEXT_JSON_READER_H_
