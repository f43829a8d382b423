// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv_records.h"

#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/csv_quotes.h"
#include "base/io/line_blocks.h"
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

using Prepare = absl::FunctionRef<void(std::vector<std::string>* fields)>;
using Take = absl::FunctionRef<absl::Status(CsvRecord)>;

constexpr int64_t kAllLines = std::numeric_limits<int64_t>::max();

// Takes the next `most` lines in this thread.
absl::Status TakeLines(LineReader* lines, int64_t most, CsvLines* csv,
                       Prepare prepare, Take take) {
  absl::string_view line;
  for (; most > 0 && lines->Next(&line); --most) {
    ASSIGN_OR_RETURN(const bool complete, csv->Take(*lines, line));
    if (!complete) continue;
    CsvRecord record = {std::move(csv->fields()), lines->line_number()};
    prepare(&record.fields);
    RETURN_IF_ERROR(take(std::move(record)));
  }
  return absl::OkStatus();
}

// A block, parsed as if it began in quotes or between records.
struct Part {
  LineBlock block;
  bool odd_before = false;
  bool began_in_quotes = false;
  // If it began in quotes: the lines up to the end of that record.
  int64_t first_lines = 0;
  // Of the lines after these, and the first error.
  std::vector<CsvRecord> records;
  absl::Status status;
  // After the last line, if that record ends in the block.
  CsvLines csv;
  bool has_end = false;
};

class RecordsOfBlocks {
 public:
  RecordsOfBlocks(int64_t first_line, CsvLines* csv, Prepare prepare, Take take)
      : parity_(first_line),
        csv_(csv),
        first_record_(csv->After(false)),
        prepare_(prepare),
        take_(take) {}

  Part Parse(LineReader& block) {
    Part part;
    block.NextBlock(&part.block);
    part.odd_before =
        parity_.Before(part.block.first_line, block.line_number() + 1,
                       HasOpenQuote(part.block.bytes));
    part.began_in_quotes =
        quotes_tell_.load() && part.odd_before != inverted_.load();
    CsvLines csv = first_record_.After(part.began_in_quotes);
    bool in_first = part.began_in_quotes;
    LineReader lines = LineReader::FromBlock(part.block);
    absl::string_view line;
    while (part.status.ok() && lines.Next(&line)) {
      const absl::StatusOr<bool> complete = csv.Take(lines, line);
      if (in_first) {
        // An error of this record is found when it is read as a whole.
        ++part.first_lines;
        in_first = csv.in_quotes();
      } else if (!complete.ok()) {
        part.status = complete.status();
      } else if (*complete) {
        part.records.push_back({std::move(csv.fields()), lines.line_number()});
        prepare_(&part.records.back().fields);
      }
    }
    part.has_end = !in_first;
    part.csv = std::move(csv);
    return part;
  }

  absl::Status Merge(Part part) {
    LineReader lines = LineReader::FromBlock(part.block);
    any_in_quotes_ = any_in_quotes_ || csv_->in_quotes();
    if (csv_->in_quotes() != part.began_in_quotes) {
      quotes_tell_.store(any_in_quotes_);
      inverted_.store(csv_->in_quotes() != part.odd_before);
      return TakeLines(&lines, kAllLines, csv_, prepare_, take_);
    }
    RETURN_IF_ERROR(TakeLines(&lines, part.first_lines, csv_, prepare_, take_));
    for (CsvRecord& record : part.records) {
      RETURN_IF_ERROR(take_(std::move(record)));
    }
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
  Prepare prepare_;
  Take take_;
};

}  // namespace

absl::Status ForEachCsvRecord(
    LineReader* lines, CsvLines* csv, int num_threads,
    absl::FunctionRef<void(std::vector<std::string>* fields)> prepare,
    absl::FunctionRef<absl::Status(CsvRecord)> take) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  const bool one_thread = ResolveThreads(num_threads) == 1;
  // Blocks need the number of columns and the separator.
  while (!lines->ended() && (one_thread || !csv->has_first())) {
    RETURN_IF_ERROR(
        TakeLines(lines, one_thread ? kAllLines : 1, csv, prepare, take));
  }
  RecordsOfBlocks records(lines->line_number() + 1, csv, prepare, take);
  RETURN_IF_ERROR(ParseLineBlocks<Part>(
      *lines, num_threads,
      [&](LineReader& block) { return records.Parse(block); },
      [&](Part part) { return records.Merge(std::move(part)); }));
  return csv->End(*lines);
}

}  // namespace warpclust
