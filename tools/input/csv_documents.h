// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadCsvDocuments: documents from CSV (base/io/csv_reader.h), one per record.
//
// A column is chosen by its name in the header or by its number, from 1. The
// first record is a header if a column is chosen by name, or if one of its
// fields is `text` or `id` in upper or lower case. By default the text is in
// the column `text` and the id in the column `id`; without an id column, ids
// are the numbers of the documents, from 0. Ill-formed UTF-8 becomes U+FFFD.

#ifndef WARPCLUST_TOOLS_INPUT_CSV_DOCUMENTS_H_
#define WARPCLUST_TOOLS_INPUT_CSV_DOCUMENTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/io/line_reader.h"
#include "sparse/io/text_documents.h"
#include "tools/cli/flag_set.h"
#include "tools/input/input_format.h"

namespace warpclust {

// --text_column and --id_column. Empty: by the header.
struct CsvColumns {
  std::string text;
  std::string id;
  // Without an id column: ids are numbers, or empty.
  bool number_documents = true;
};

void AddCsvFlags(FlagSet* flags, CsvColumns* columns);

// Reads the remaining lines. `note` takes which columns are read.
// InvalidArgument naming file and line for a column that is missing
// or not unique, for an illegal or repeated id (of a record over several lines,
// the last line), and the errors of CsvReader.
absl::StatusOr<TextDocuments> ReadCsvDocuments(LineReader& lines,
                                               const CsvColumns& columns,
                                               const FormatNote& note = {});

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_CSV_DOCUMENTS_H_
