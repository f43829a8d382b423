// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CsvReader: the records of a CSV file with texts (RFC 4180), one at a time.
// csv_records.h reads them with several threads. For files of numbers,
// vptree/io/csv_points.h is faster.
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

#ifndef WARPCLUST_BASE_IO_CSV_CSV_READER_H_
#define WARPCLUST_BASE_IO_CSV_CSV_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

// The records of lines that come from anywhere.
class CsvLines {
 public:
  // Takes a line, on which `lines` stands. True if it completes a record, which
  // is then in fields(). The errors of a record.
  absl::StatusOr<bool> Take(const LineReader& lines, absl::string_view line);
  // To be called after the last line, on which `lines` stands. The error of a
  // quote that is not closed.
  absl::Status End(const LineReader& lines);

  std::vector<std::string>& fields() { return fields_; }
  // The first line of the last record.
  int64_t line_number() const { return record_line_; }
  // The lines so far end in a quoted field.
  bool in_quotes() const { return in_quotes_; }
  // The first record was completed.
  bool has_first() const { return num_fields_ > 0; }
  // The same first record, for lines that begin after another one: in a quoted
  // field or between records.
  CsvLines After(bool in_quotes) const;

 private:
  // Takes what is left of a quoted field from line[*begin] on, and clears
  // in_quotes_ at its end. Sets *begin behind the closing quote.
  absl::Status TakeQuoted(const LineReader& lines, absl::string_view line,
                          size_t* begin);
  absl::Status NotClosed(const LineReader& lines) const;

  char separator_ = ',';
  // Of the first record; 0 before it.
  size_t num_fields_ = 0;
  // The first lines of the first record and of the last.
  int64_t first_line_ = 0;
  int64_t record_line_ = 0;
  // The record that is being read.
  std::vector<std::string> fields_;
  bool in_quotes_ = false;
};

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
  int64_t line_number() const { return csv_.line_number(); }

  // To continue in another way.
  CsvLines& csv_lines() { return csv_; }

 private:
  absl::StatusOr<bool> End();

  LineReader* const lines_;
  CsvLines csv_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_CSV_CSV_READER_H_
