// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Beyond this a quote is taken for one that is never closed.
constexpr size_t kMostFieldBytes = size_t{1} << 30;

char SeparatorOf(absl::string_view line) {
  for (const char separator : {',', ';', '\t'}) {
    bool quoted = false;
    for (const char c : line) {
      if (c == separator && !quoted) return separator;
      if (c == '"') quoted = !quoted;
    }
  }
  return ',';
}

}  // namespace

absl::Status CsvLines::NotClosed(const LineReader& lines) const {
  return absl::InvalidArgumentError(
      absl::StrCat(lines.name(), ":", record_line_,
                   ": expected a closing quote, found none up to line ",
                   lines.line_number()));
}

CsvLines CsvLines::After(bool in_quotes) const {
  CsvLines lines = *this;
  lines.fields_.assign(in_quotes ? 1 : 0, "");
  lines.in_quotes_ = in_quotes;
  return lines;
}

absl::Status CsvLines::TakeQuoted(const LineReader& lines,
                                  absl::string_view line, size_t* begin) {
  std::string& field = fields_.back();
  for (;;) {
    const size_t quote = line.find('"', *begin);
    absl::StrAppend(&field, line.substr(*begin, quote - *begin));
    if (field.size() > kMostFieldBytes) {
      in_quotes_ = false;
      return NotClosed(lines);
    }
    if (quote == absl::string_view::npos) return absl::OkStatus();
    *begin = quote + 1;
    if (*begin == line.size() || line[*begin] != '"') break;
    field += '"';
    ++*begin;
  }
  in_quotes_ = false;
  if (*begin < line.size() && line[*begin] != separator_) {
    return lines.Expected(
        "a separator or the end of the line after a closing quote",
        line.substr(*begin));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> CsvLines::Take(const LineReader& lines,
                                    absl::string_view line) {
  size_t begin = 0;
  if (in_quotes_) {
    fields_.back() += '\n';
  } else {
    if (line.find_first_not_of(" \t") == absl::string_view::npos) return false;
    fields_.clear();
    record_line_ = lines.line_number();
    if (num_fields_ == 0) separator_ = SeparatorOf(line);
  }
  for (;; ++begin) {
    if (!in_quotes_) {
      fields_.emplace_back();
      in_quotes_ = begin < line.size() && line[begin] == '"';
      if (in_quotes_) ++begin;
    }
    if (in_quotes_) {
      RETURN_IF_ERROR(TakeQuoted(lines, line, &begin));
      if (in_quotes_) return false;
    } else {
      const size_t end = std::min(line.find(separator_, begin), line.size());
      fields_.back() = std::string(line.substr(begin, end - begin));
      begin = end;
    }
    if (begin == line.size()) break;
  }
  if (num_fields_ == 0) {
    num_fields_ = fields_.size();
    first_line_ = record_line_;
  }
  if (fields_.size() != num_fields_) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ":", record_line_, ": expected ", num_fields_,
        num_fields_ == 1 ? " column" : " columns", " as on line ", first_line_,
        ", found ", fields_.size(),
        " (a field that contains a separator needs double quotes)"));
  }
  return true;
}

absl::Status CsvLines::End(const LineReader& lines) {
  if (!in_quotes_) return absl::OkStatus();
  in_quotes_ = false;
  return NotClosed(lines);
}

absl::StatusOr<bool> CsvReader::End() {
  RETURN_IF_ERROR(lines_->status());
  RETURN_IF_ERROR(csv_.End(*lines_));
  return false;
}

absl::StatusOr<bool> CsvReader::Next(std::vector<std::string>* fields) {
  fields->clear();
  absl::string_view line;
  while (lines_->Next(&line)) {
    ASSIGN_OR_RETURN(const bool complete, csv_.Take(*lines_, line));
    if (!complete) continue;
    fields->swap(csv_.fields());
    return true;
  }
  return End();
}

absl::StatusOr<bool> CsvReader::NextNow(std::vector<std::string>* fields) {
  fields->clear();
  absl::string_view line;
  while (lines_->NextNow(&line)) {
    ASSIGN_OR_RETURN(const bool complete, csv_.Take(*lines_, line));
    if (!complete) continue;
    fields->swap(csv_.fields());
    return true;
  }
  if (!lines_->ended()) return false;
  return End();
}

}  // namespace warpclust
