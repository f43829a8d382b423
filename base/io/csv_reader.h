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
// Also those of LineReader. Cost: linear. Memory: the longest record.

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

 private:
  // Reads a quoted field that begins at (*line)[*begin], over further lines
  // where it has them. Sets *begin behind the closing quote.
  absl::Status ReadQuoted(absl::string_view* line, size_t* begin,
                          std::string* field);
  absl::Status NotClosed() const;

  LineReader* const lines_;
  char separator_ = ',';
  // Of the first record; 0 before it.
  size_t num_fields_ = 0;
  // The first lines of the first record and of the last.
  int64_t first_line_ = 0;
  int64_t record_line_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_CSV_READER_H_
