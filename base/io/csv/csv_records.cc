// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_records.h"

#include <atomic>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/csv/csv_quotes.h"
#include "base/io/lines/line_blocks.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Whether the quotes before each block of consecutive lines are odd in number.
class QuoteParity {
 public:
  explicit QuoteParity(int64_t first_line) : next_line_(first_line) {}

  // Of the block of lines [first, end), which itself has an odd number if
  // `odd`. Waits until all blocks before were asked about.
  bool Before(int64_t first, int64_t end, bool odd) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return next_line_ == first; });
    next_line_ = end;
    changed_.notify_all();
    return std::exchange(odd_, odd_ != odd);
  }

 private:
  std::mutex mutex_;  // Guards all below.
  std::condition_variable changed_;
  int64_t next_line_;
  bool odd_ = false;
};

// What the caller does with blocks of records.
struct Caller {
  absl::FunctionRef<std::shared_ptr<void>()> make;
  absl::FunctionRef<void(CsvRecord, void* block)> add;
  absl::FunctionRef<absl::Status(void* block)> take;
};

constexpr int64_t kAllLines = std::numeric_limits<int64_t>::max();

// Adds the records of the next `most` lines to `block`.
absl::Status AddLines(LineReader* lines, int64_t most, CsvLines* csv,
                      const Caller& caller, void* block) {
  absl::string_view line;
  for (; most > 0 && lines->Next(&line); --most) {
    ASSIGN_OR_RETURN(const bool complete, csv->Take(*lines, line));
    if (!complete) continue;
    caller.add({std::move(csv->fields()), lines->line_number()}, block);
  }
  return absl::OkStatus();
}

// Takes the records of the next `most` lines as a block of their own.
absl::Status TakeLines(LineReader* lines, int64_t most, CsvLines* csv,
                       const Caller& caller) {
  const std::shared_ptr<void> block = caller.make();
  const absl::Status status = AddLines(lines, most, csv, caller, block.get());
  RETURN_IF_ERROR(caller.take(block.get()));
  return status;
}

// A block, parsed as if it began in quotes or between records.
struct Part {
  LineBlock block;
  bool odd_before = false;
  bool began_in_quotes = false;
  // If it began in quotes: the lines up to the end of that record.
  int64_t first_lines = 0;
  // The records of the lines after these, and the first error.
  std::shared_ptr<void> records;
  absl::Status status;
  // After the last line, if that record ends in the block.
  CsvLines csv;
  bool has_end = false;
};

class RecordsOfBlocks {
 public:
  RecordsOfBlocks(int64_t first_line, CsvLines* csv, const Caller& caller)
      : parity_(first_line),
        csv_(csv),
        first_record_(csv->After(false)),
        caller_(caller) {}

  Part Parse(LineReader& block) {
    Part part;
    block.NextBlock(&part.block);
    part.odd_before =
        parity_.Before(part.block.first_line, block.line_number() + 1,
                       HasOpenQuote(part.block.bytes));
    part.began_in_quotes =
        quotes_tell_.load() && part.odd_before != inverted_.load();
    CsvLines csv = first_record_.After(part.began_in_quotes);
    LineReader lines = LineReader::FromBlock(part.block);
    absl::string_view line;
    while (csv.in_quotes() && lines.Next(&line)) {
      // An error of this record is found when it is read as a whole.
      (void)csv.Take(lines, line);
      ++part.first_lines;
    }
    part.has_end = !csv.in_quotes();
    part.records = caller_.make();
    part.status =
        AddLines(&lines, kAllLines, &csv, caller_, part.records.get());
    part.csv = std::move(csv);
    return part;
  }

  absl::Status Merge(Part part) {
    LineReader lines = LineReader::FromBlock(part.block);
    any_in_quotes_ = any_in_quotes_ || csv_->in_quotes();
    if (csv_->in_quotes() != part.began_in_quotes) {
      quotes_tell_.store(any_in_quotes_);
      inverted_.store(csv_->in_quotes() != part.odd_before);
      return TakeLines(&lines, kAllLines, csv_, caller_);
    }
    if (part.first_lines > 0) {
      RETURN_IF_ERROR(TakeLines(&lines, part.first_lines, csv_, caller_));
    }
    RETURN_IF_ERROR(caller_.take(part.records.get()));
    RETURN_IF_ERROR(part.status);
    if (part.has_end) *csv_ = std::move(part.csv);
    return absl::OkStatus();
  }

 private:
  QuoteParity parity_;
  // The assumptions. Quotes do not tell after they misled, unless some block
  // began in quotes. Inverted: an even number of quotes before opens a field.
  std::atomic<bool> quotes_tell_{true};
  std::atomic<bool> inverted_{false};
  bool any_in_quotes_ = false;  // Of the blocks that are merged.
  CsvLines* const csv_;         // After the blocks that are merged.
  const CsvLines first_record_;
  const Caller& caller_;
};

}  // namespace

absl::Status internal::ForEachCsvBlock(
    LineReader* lines, CsvLines* csv, int num_threads,
    absl::FunctionRef<std::shared_ptr<void>()> make,
    absl::FunctionRef<void(CsvRecord, void* block)> add,
    absl::FunctionRef<absl::Status(void* block)> take) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  const Caller caller = {make, add, take};
  const bool one_thread = ResolveThreads(num_threads) == 1;
  // Blocks need the number of columns and the separator.
  while (!lines->ended() && (one_thread || !csv->has_first())) {
    RETURN_IF_ERROR(TakeLines(lines, one_thread ? kAllLines : 1, csv, caller));
  }
  RecordsOfBlocks records(lines->line_number() + 1, csv, caller);
  RETURN_IF_ERROR(ParseLineBlocks<Part>(
      *lines, num_threads,
      [&](LineReader& block) { return records.Parse(block); },
      [&](Part part) { return records.Merge(std::move(part)); }));
  return csv->End(*lines);
}

}  // namespace warpclust
