// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ForEachCsvRecord: the records of a CSV file with texts (csv_reader.h), parsed
// by several threads. Use it to read whole files.
//
//   CsvLines csv;
//   RETURN_IF_ERROR(ForEachCsvRecord(
//       &lines, &csv, num_threads,
//       [](std::vector<std::string>* fields) { RepairUtf8(&fields->front()); },
//       [&](CsvRecord record) {
//         texts.push_back(std::move(record.fields.front()));
//         return absl::OkStatus();
//       }));
//
// A record may have several lines, and a block of lines does not tell whether
// it begins in quotes. The thread that parses a block assumes what the quotes
// of all blocks before it say. That is wrong if a field that is not quoted has
// an odd number of them. So the assumption is compared with how the block
// before really ended; if it is wrong, the block is parsed again, and later
// ones assume something else. Records and errors are those of CsvReader.
//
// Cost and memory: those of ParseLineBlocks, and the longest record.

#ifndef WARPCLUST_BASE_IO_CSV_RECORDS_H_
#define WARPCLUST_BASE_IO_CSV_RECORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/io/csv_reader.h"
#include "base/io/line_reader.h"

namespace warpclust {

struct CsvRecord {
  std::vector<std::string> fields;
  int64_t last_line = 0;
};

// Takes the remaining lines of `lines`, after those that `csv` has taken, in
// `num_threads` threads (0: all cores). Calls `prepare` with each record, in
// these threads, and then `take` with each, in order, one at a time. Returns
// the first error, of a record or of `take`, in the order of the lines.
absl::Status ForEachCsvRecord(
    LineReader* lines, CsvLines* csv, int num_threads,
    absl::FunctionRef<void(std::vector<std::string>* fields)> prepare,
    absl::FunctionRef<absl::Status(CsvRecord)> take);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_CSV_RECORDS_H_
