// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON Lines: one document a line, a JSON object with the fields
//
//   text    a string; required
//   id      a string or an integer; default: the number of documents before
//   labels  an array of strings or numbers; or `label`, one of them
//   time    a string (see base/text/iso_time.h) or an integer: seconds since
//           1970, or milliseconds if seconds would be beyond the year 9999;
//           only if JsonLinesOptions::read_time, else ignored
//
// in any order. Other fields are ignored, whatever they hold; null is as if the
// field were not there. Blank lines are skipped. An integer id is taken as it
// is written: 7 and "7" are the same id.
//
// Errors are InvalidArgument "file:line: expected X, found Y": invalid JSON
// (see base/text/json_cursor.h for how strict), a field of another type or
// given twice, and an id that is empty, holds control characters (it could not
// stand in a table) or occurred before, which names both lines. Ill-formed
// UTF-8 and lone surrogates become U+FFFD.
//
// Cost: linear, and a sort of the labels of each document. Thread-safety: pure
// functions.

#ifndef WARPCLUST_SPARSE_IO_JSON_LINES_H_
#define WARPCLUST_SPARSE_IO_JSON_LINES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/line_reader.h"
#include "sparse/io/text_documents.h"

namespace warpclust {

struct JsonLinesOptions {
  // False: a document without `text` has an empty one; for files of labels.
  bool text_required = true;
  bool read_time = false;
};

// Reads all documents of a file, "-" for standard input. The errors above, and
// those of LineReader.
absl::StatusOr<TextDocuments> ReadJsonLines(
    absl::string_view path, const JsonLinesOptions& options = {});
absl::StatusOr<TextDocuments> ReadJsonLines(
    LineReader& lines, const JsonLinesOptions& options = {});

// One document, as its line has it.
struct JsonDocument {
  std::string text;
  // Absent if the line gives none.
  absl::optional<std::string> id;
  // Without repeats, in order of first appearance.
  std::vector<std::string> labels;
  // Seconds since 1970-01-01 UTC, within +-2^60. Absent if the line gives none,
  // or it is not asked for.
  absl::optional<int64_t> time;
  // The line had a number beyond the year 9999, taken for milliseconds.
  bool time_in_milliseconds = false;
};

// For streams: parses the line that `lines` returned last into `*document`.
// False if the line is blank. Repeated ids are the caller's to find.
absl::StatusOr<bool> ParseJsonDocument(const LineReader& lines,
                                       absl::string_view line,
                                       const JsonLinesOptions& options,
                                       JsonDocument* document);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_JSON_LINES_H_
