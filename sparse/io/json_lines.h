// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON Lines: one document per line, a JSON object with these fields in any
// order. One array of such objects is read too, however it is cut into lines.
//
//   text    a string; required
//   id      a string or an integer; default: the number of documents before it
//   labels  an array of strings or numbers; or `label`, one of them
//   time    a string (base/text/iso_time.h) or an integer: seconds since 1970,
//           or milliseconds if seconds would be beyond the year 9999; read only
//           if JsonLinesOptions::read_time
//   title   a string; read only if JsonLinesOptions::read_title, ignored if it
//           is something else
//
//   ASSIGN_OR_RETURN(TextDocuments documents, ReadJsonLines("news.jsonl.gz"));
//
// JsonLinesOptions may give text, id and time other names. Other fields and
// null values are ignored; blank lines are skipped. The id 7 is the same as
// "7". Ill-formed UTF-8 and lone surrogates become U+FFFD.
//
// Errors: InvalidArgument "file:line: expected X, found Y" for invalid JSON
// (base/text/json_reader.h says how strict), a field of another type or given
// twice, and an illegal or repeated id (sparse/io/unique_ids.h); those of
// LineReader. Cost: linear. The threads parse blocks of lines; an array is read
// by one.

#ifndef WARPCLUST_SPARSE_IO_JSON_LINES_H_
#define WARPCLUST_SPARSE_IO_JSON_LINES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"
#include "base/text/json_reader.h"
#include "sparse/io/json_texts.h"
#include "sparse/io/text_documents.h"

namespace warpclust {

struct JsonLinesOptions {
  // False: a document without `text` has an empty one. For files of labels.
  bool text_required = true;
  bool read_time = false;
  // Fill JsonDocument::title and TextDocuments::titles.
  bool read_title = false;
  // Fill JsonDocument::labels and TextDocuments::labels. They are checked in
  // any case.
  bool read_labels = true;
  // A document without an id gets an empty one instead of its number, for a
  // caller that knows how many documents come before.
  bool number_documents = true;
  // Names of fields, all different.
  std::string text_field = "text";
  std::string id_field = "id";
  std::string time_field = "time";
  // Fill JsonDocument::line.
  bool keep_line = false;
};

// Lines without a legal document that were left out.
struct SkippedLines {
  static constexpr size_t kListed = 10;

  int64_t count = 0;
  // The first kListed.
  std::vector<int64_t> lines;
  // What is wrong with the first one.
  std::string first_error;

  void Add(int64_t line, const absl::Status& error);
};

// Reads all documents of a file, "-" for standard input. With `skipped`, leaves
// out lines (of an array: objects) that are InvalidArgument and counts them
// there. An array that is not closed, or has something else than objects, stays
// an error.
absl::StatusOr<TextDocuments> ReadJsonLines(
    absl::string_view path, const JsonLinesOptions& options = {},
    SkippedLines* skipped = nullptr, int num_threads = 0);
absl::StatusOr<TextDocuments> ReadJsonLines(
    LineReader& lines, const JsonLinesOptions& options = {},
    SkippedLines* skipped = nullptr, int num_threads = 0);

// What a time is, for messages, and the largest and smallest, ±.
inline constexpr absl::string_view kExpectedTime =
    "a time such as \"2026-03-01T12:30:00Z\", or whole seconds since 1970";
inline constexpr int64_t kLatestTime = int64_t{1} << 60;

// One document as its line gives it.
// A time as JsonDocument::time has it.
struct JsonTime {
  int64_t seconds = 0;
  // It is a number beyond the year 9999, taken for milliseconds.
  bool in_milliseconds = false;
};
// Takes one. False, and value.Fail, for anything else.
bool TakeJsonTime(JsonValue& value, JsonTime* time);
// Takes an id: a string, or an integer as it is written. False, and value.Fail,
// for anything else.
bool TakeJsonId(JsonValue& value, std::string* id);

struct JsonDocument {
  std::string text;
  // Empty if the line has none.
  absl::optional<std::string> id;
  // Without repeats, in order of first appearance. Empty if read_labels is
  // false.
  std::vector<std::string> labels;
  // Seconds since 1970-01-01 UTC, within ±2^60. Empty if the line has none or
  // read_time is false.
  absl::optional<int64_t> time;
  // The line has a number beyond the year 9999, taken for milliseconds.
  bool time_in_milliseconds = false;
  // The title; empty if the line has none, or read_title is false.
  std::string title;
  // If JsonLinesOptions::keep_line: a line of JSON with the same text, id and
  // time under the default names.
  std::string line;
};

// For streams: parses the line that `lines` returned last into `*document`.
// False if the line is blank. Does not check the id.
absl::StatusOr<bool> ParseJsonDocument(const LineReader& lines,
                                       absl::string_view line,
                                       const JsonLinesOptions& options,
                                       JsonDocument* document);
// The same for a text of `JsonTexts`, which knows its line.
absl::StatusOr<bool> ParseJsonDocument(const LineReader& lines,
                                       const JsonText& text,
                                       const JsonLinesOptions& options,
                                       JsonDocument* document);
// At the end of the input: the error of an array that is not closed, in the
// object that is cut off if there is one.
absl::Status CheckJsonEnd(const LineReader& lines, const JsonTexts& texts,
                          const JsonLinesOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_JSON_LINES_H_
