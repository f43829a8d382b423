// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JsonTexts: the JSON text of each document, from the lines of JSON Lines or of
// an array of objects. An input is an array if its first byte that is no blank
// is '['. Its objects may have several lines, or share one.
//
//   JsonTexts texts;
//   while (lines.Next(&line)) {
//     texts.Feed(line);
//     JsonText text;
//     while (*texts.Next(lines, &text)) Parse(text);
//   }
//   RETURN_IF_ERROR(texts.CheckEnd(lines));
//
// Objects are found by their braces. Errors inside them are left to their
// parser.
// Cost: linear. Memory: the longest object that has several lines.

#ifndef WARPCLUST_SPARSE_IO_JSON_TEXTS_H_
#define WARPCLUST_SPARSE_IO_JSON_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/text/json_reader.h"

namespace warpclust {

// Whether the input, of which nothing was taken, may be an array: its objects
// then do not end with lines.
bool MayBeJsonArray(LineReader& lines);

struct JsonText {
  // A line, or an object with a line feed after each of its lines but the last.
  absl::string_view text;
  // Where it begins: the line, and the bytes before it in this line.
  int64_t line = 0;
  size_t columns_before = 0;
};

// ReadJsonObject of `text`; InvalidArgument naming the file of `lines` and the
// line of the first error.
absl::Status ReadJsonText(
    const LineReader& lines, const JsonText& text,
    absl::FunctionRef<bool(absl::string_view key, JsonValue& value)> take);

class JsonTexts {
 public:
  // Takes the next line, which must be valid while Next returns true.
  void Feed(absl::string_view line);

  // True: `*text` is the next document, valid until the next call. False: feed
  // another line. `lines` returned the line last. InvalidArgument
  // "file:line: ..." for anything else than objects in an array, and for
  // anything behind it.
  absl::StatusOr<bool> Next(const LineReader& lines, JsonText* text);

  // Call it after the last line. InvalidArgument if the array does not end.
  absl::Status CheckEnd(const LineReader& lines) const;

  // The document that the end of the input cut off, if there is one.
  bool CutOff(JsonText* text) const;

  // Each further line is a text.
  bool is_lines() const { return state_ == State::kLines; }
  bool is_array() const {
    return state_ != State::kStart && state_ != State::kLines;
  }

 private:
  enum class State {
    kStart,    // Nothing but blanks so far.
    kLines,    // Each line is a text.
    kFirst,    // After '['.
    kElement,  // After ','.
    kObject,   // In an object.
    kAfter,    // After an object.
    kEnd,      // After ']'.
  };

  // Passes the part of an object that is in the line. True at its end.
  bool PassObject();

  State state_ = State::kStart;
  bool has_line_ = false;
  absl::string_view line_;
  size_t at_ = 0;
  // Of the object.
  std::string earlier_lines_;
  int64_t first_line_ = 0;
  size_t columns_before_ = 0;
  int64_t depth_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_JSON_TEXTS_H_
