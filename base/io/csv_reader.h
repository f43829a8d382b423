// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CsvReader: the records of a CSV file with texts (RFC 4180), one at a time.
// For files of numbers, vptree/io/csv_points.h is faster.
//
//   CsvReader csv(&lines);
//   std::vector<std::string> fields;
//   for (;;) {
//     ASSIGN_OR_RETURN(const bool more, csv.Next(&fields));
//     if (!more) break;
//     ...
//   }
//
// The first record decides the separator: a comma if it has one outside quotes,
// else a semicolon, else a tab. A field that begins with a double quote ends
// with one; it may hold separators, line feeds and doubled quotes. A quote
// elsewhere is a character like any other. Blank lines between records are
// skipped. "\r\n" within quotes becomes "\n".
//
// Errors are InvalidArgument "file:line: expected X, found Y": a quote that is
// not closed (the line is that of the record), something else than a separator
// after a closing quote, and a record with more or fewer fields than the first.
// The next call goes on with the next line. Also the errors of LineReader.
// Cost: linear. Memory: the longest record.

#ifndef WARPCLUST_BASE_IO_CSV_READER_H_
#define WARPCLUST_BASE_IO_CSV_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"

namespace warpclust {

class CsvReader {
 public:
  // `lines` must outlive the reader. It stands on the last line of a record
  // after Next.
  explicit CsvReader(LineReader* lines) : lines_(lines) {}

  // Moves to the next record. False at the end of the file.
  absl::StatusOr<bool> Next(std::vector<std::string>* fields);

  // The same without waiting: false also if the next record has not arrived
  // completely; ended() of the lines tells.
  absl::StatusOr<bool> NextNow(std::vector<std::string>* fields);

  // The first line of the last record.
  int64_t line_number() const { return record_line_; }

 private:
  // Takes a line; true if it completes a record, which is then in fields_.
  absl::StatusOr<bool> Take(absl::string_view line);
  // Takes what is left of a quoted field from line[*begin] on, and clears
  // in_quotes_ at its end. Sets *begin behind the closing quote.
  absl::Status TakeQuoted(absl::string_view line, size_t* begin);
  absl::StatusOr<bool> End();
  absl::Status NotClosed() const;

  LineReader* const lines_;
  char separator_ = ',';
  // Of the first record; 0 before it.
  size_t num_fields_ = 0;
  // The first lines of the first record and of the last.
  int64_t first_line_ = 0;
  int64_t record_line_ = 0;
  // The record that is being read, and whether the lines so far end in a quoted
  // field.
  std::vector<std::string> fields_;
  bool in_quotes_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_CSV_READER_H_
