// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ForEachCsvBlock: the records of a CSV file with texts (csv_reader.h), parsed
// and collected by several threads. Use it to read whole files.
//
//   using Texts = std::vector<std::string>;
//   CsvLines csv;
//   RETURN_IF_ERROR(ForEachCsvBlock<Texts>(
//       &lines, &csv, num_threads,
//       [](CsvRecord record, Texts* texts) {
//         texts->push_back(std::move(record.fields.front()));
//       },
//       [&](Texts texts) { ... append ...; return absl::OkStatus(); }));
//
// A record may have several lines, and a block of lines does not tell whether
// it begins in quotes. The thread that parses a block assumes what the quotes
// of all blocks before it say. That is wrong if a field that is not quoted has
// an odd number of them. So the assumption is compared with how the block
// before really ended; if it is wrong, the block is parsed again, and later
// ones assume something else. Records and errors are those of CsvReader.
//
// Cost and memory: those of ParseLineBlocks, and the longest record.

#ifndef WARPCLUST_BASE_IO_CSV_CSV_RECORDS_H_
#define WARPCLUST_BASE_IO_CSV_CSV_RECORDS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/io/csv/csv_reader.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

struct CsvRecord {
  std::vector<std::string> fields;
  int64_t last_line = 0;
};

namespace internal {

// The same for a block of any type, which `make` makes.
absl::Status ForEachCsvBlock(
    LineReader* lines, CsvLines* csv, int num_threads,
    absl::FunctionRef<std::shared_ptr<void>()> make,
    absl::FunctionRef<void(CsvRecord, void* block)> add,
    absl::FunctionRef<absl::Status(void* block)> take);

}  // namespace internal

// Takes the remaining lines of `lines`, after those that `csv` has taken, in
// `num_threads` threads (0: all cores). Calls `add` with each record and the
// block that it comes into, in these threads: in order for a block, side by
// side for different ones. Calls `take` with the blocks, in order, one at a
// time. Returns the first error, of a record or of `take`, in the order of the
// lines; the records before that of a record were taken.
template <typename Block>
absl::Status ForEachCsvBlock(LineReader* lines, CsvLines* csv, int num_threads,
                             absl::FunctionRef<void(CsvRecord, Block*)> add,
                             absl::FunctionRef<absl::Status(Block)> take) {
  return internal::ForEachCsvBlock(
      lines, csv, num_threads, [] { return std::make_shared<Block>(); },
      [&](CsvRecord record, void* block) {
        add(std::move(record), static_cast<Block*>(block));
      },
      [&](void* block) {
        return take(std::move(*static_cast<Block*>(block)));
      });
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_CSV_CSV_RECORDS_H_
