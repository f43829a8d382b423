// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as CSV, waiting and not, and in small blocks. The records and
// the errors are those of a naive parser, one character at a time.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/csv/csv_reader.h"
#include "base/io/csv/csv_records.h"
#include "base/io/lines/line_reader.h"

namespace {

using Fields = std::vector<std::string>;

// A record, or an error: no fields.
struct Record {
  bool operator==(const Record&) const = default;

  int64_t line = 0;
  Fields fields;
};

char NaiveSeparator(absl::string_view line) {
  for (const char separator : {',', ';', '\t'}) {
    int quotes = 0;
    for (const char c : line) {
      quotes += c == '"';
      if (c == separator && quotes % 2 == 0) return separator;
    }
  }
  return ',';
}

std::vector<Record> NaiveRecords(const std::vector<std::string>& lines) {
  enum class State { kBegin, kPlain, kQuoted, kClosed, kError };
  std::vector<Record> records;
  Record record;
  State state = State::kBegin;
  size_t columns = 0;
  char separator = ',';
  for (size_t l = 0; l < lines.size(); ++l) {
    const std::string& line = lines[l];
    if (state == State::kQuoted) {
      record.fields.back() += '\n';
    } else {
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      if (columns == 0) separator = NaiveSeparator(line);
      record = {static_cast<int64_t>(l) + 1, {""}};
      state = State::kBegin;
    }
    for (size_t i = 0; i < line.size() && state != State::kError; ++i) {
      const char c = line[i];
      std::string& field = record.fields.back();
      if (state == State::kQuoted) {
        if (c != '"') {
          field += c;
        } else if (i + 1 < line.size() && line[i + 1] == '"') {
          field += line[++i];
        } else {
          state = State::kClosed;
        }
      } else if (c == separator) {
        record.fields.emplace_back();
        state = State::kBegin;
      } else if (state == State::kClosed) {
        state = State::kError;
      } else if (state == State::kBegin && c == '"') {
        state = State::kQuoted;
      } else {
        field += c;
        state = State::kPlain;
      }
    }
    if (state == State::kQuoted) continue;
    if (state != State::kError && columns == 0) columns = record.fields.size();
    if (state == State::kError || record.fields.size() != columns) {
      record.fields.clear();
    }
    records.push_back(record);
  }
  if (state == State::kQuoted) records.push_back({record.line, {}});
  return records;
}

std::vector<Record> ReadRecords(std::string bytes, bool may_wait) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(bytes));
  warpclust::CsvReader csv(&lines);
  std::vector<Record> records;
  Fields fields;
  for (;;) {
    const absl::StatusOr<bool> more =
        may_wait ? csv.Next(&fields) : csv.NextNow(&fields);
    if (!more.ok()) {
      if (!absl::IsInvalidArgument(more.status())) std::abort();
      records.push_back({csv.line_number(), {}});
    } else if (*more) {
      if (fields.empty()) std::abort();
      records.push_back({csv.line_number(), fields});
    } else if (lines.ended()) {
      return records;
    } else {
      std::abort();
    }
  }
}

// Up to the first error.
std::vector<Record> ReadInBlocks(std::string bytes) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(bytes));
  lines.SetBlockBytes(3);
  warpclust::CsvLines csv;
  using Records = std::vector<Record>;
  Records records;
  const absl::Status status = warpclust::ForEachCsvBlock<Records>(
      &lines, &csv, /*num_threads=*/3,
      [](warpclust::CsvRecord record, Records* block) {
        block->push_back({record.last_line, std::move(record.fields)});
      },
      [&](Records block) {
        records.insert(records.end(), block.begin(), block.end());
        return absl::OkStatus();
      });
  if (!status.ok()) records.push_back({0, {}});
  return records;
}

// That the last lines of records differ from the first ones does not matter.
bool SameUpToAnError(const std::vector<Record>& a,
                     const std::vector<Record>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (i == b.size() || a[i].fields != b[i].fields) return false;
    if (a[i].fields.empty()) return true;
  }
  return a.size() == b.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> lines;
  warpclust::LineReader reader = warpclust::LineReader::FromString(bytes);
  absl::string_view line;
  while (reader.Next(&line)) lines.emplace_back(line);
  // The fuzzer of LineReader is for these.
  if (!reader.status().ok()) return 0;
  const std::vector<Record> expected = NaiveRecords(lines);
  if (ReadRecords(bytes, /*may_wait=*/true) != expected) std::abort();
  if (ReadRecords(bytes, /*may_wait=*/false) != expected) std::abort();
  if (!SameUpToAnError(ReadInBlocks(bytes), expected)) std::abort();
  return 0;
}
