// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Documents from CSV (base/io/csv/csv_reader.h), one per record:
// ReadCsvDocuments reads all, CsvDocumentReader one after the other, also from
// a live pipe.
//
// A column is chosen by its name in the header or by its number, from 1. The
// first record is a header if a column is chosen by name, or if one of its
// fields is `text` or `id` in upper or lower case. By default the text is in
// the column `text`, the id in the column `id`, and the time, where it is read,
// in the column `time`. Ill-formed UTF-8 becomes U+FFFD.

#ifndef WARPCLUST_TOOLS_INPUT_CSV_DOCUMENTS_H_
#define WARPCLUST_TOOLS_INPUT_CSV_DOCUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/csv/csv_reader.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/collect_texts.h"
#include "sparse/io/text_documents.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/input/input_format.h"

namespace warpclust {

// --text_column, --id_column, --time_column. Empty: by the header.
struct CsvColumns {
  std::string text = {};
  std::string id = {};
  std::string time = {};

  bool any() const { return !(text.empty() && id.empty() && time.empty()); }
};

// --time_column only with `times`.
void AddCsvFlags(FlagSet* flags, CsvColumns* columns, bool times);

// UsageError for such a flag unless the input is CSV.
absl::Status CheckCsvFlags(const FlagSet& flags, InputFormat format);

struct CsvDocument {
  std::string text;
  // Empty without an id column.
  absl::optional<std::string> id;
  // Empty if it is not read.
  std::string time;
  // Of the column `title`; empty without one.
  std::string title;
};

class CsvDocumentReader {
 public:
  // `lines` must outlive the reader. Times are read if `times`. `note` takes
  // which columns are read.
  CsvDocumentReader(LineReader* lines, const CsvColumns& columns, bool times,
                    const FormatNote& note)
      : lines_(lines),
        csv_(lines),
        columns_(columns),
        times_(times),
        note_(note) {}

  // Moves to the next document; false at the end. Ids are not checked.
  // InvalidArgument naming file and line for a column that is missing or not
  // unique, and the errors of CsvReader.
  absl::StatusOr<bool> Next(CsvDocument* document);
  // The same without waiting, as CsvReader::NextNow.
  absl::StatusOr<bool> NextNow(CsvDocument* document);
  // Reads all further documents in `num_threads` threads (0: all cores), which
  // add them to parts, with the last line of each. Passes the parts to `take`,
  // in order. has_layout() must be true. Returns the first error, also of
  // `take`, after the documents before it.
  absl::Status ReadRest(
      int num_threads,
      absl::FunctionRef<void(CsvDocument, int64_t last_line, TextPart*)> add,
      absl::FunctionRef<absl::Status(TextPart)> take);

  // The first line of the last record.
  int64_t line_number() const { return csv_.line_number(); }
  // The columns are known: an error is one of a record.
  bool has_layout() const { return has_layout_; }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  // Columns from 0, or kNone.
  struct Layout {
    size_t text = kNone;
    size_t id = kNone;
    size_t time = kNone;
    size_t title = kNone;
    bool has_header = false;
  };

  absl::Status FindLayout();
  absl::StatusOr<size_t> FindColumn(absl::string_view flag,
                                    absl::string_view chosen,
                                    absl::string_view by_default) const;
  std::string ColumnName(size_t column) const;
  // Takes the record in fields_; false if it is the header.
  absl::StatusOr<bool> Take(CsvDocument* document);
  // Makes UTF-8 of the fields that are read, and takes them.
  void Repair(std::vector<std::string>* fields) const;
  void Pick(std::vector<std::string>* fields, CsvDocument* document) const;

  LineReader* const lines_;
  CsvReader csv_;
  const CsvColumns columns_;
  const bool times_;
  const FormatNote note_;
  bool has_layout_ = false;
  Layout layout_;
  std::vector<std::string> fields_;
};

// Reads the remaining lines, with the titles if they are wanted. The errors of
// CsvDocumentReader, and InvalidArgument for an illegal or repeated id (of a
// record over several lines, the last line). `num_threads`: 0 for all cores.
absl::StatusOr<TextDocuments> ReadCsvDocuments(LineReader& lines,
                                               const CsvColumns& columns,
                                               const FormatNote& note = {},
                                               bool titles = false,
                                               int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_CSV_DOCUMENTS_H_
