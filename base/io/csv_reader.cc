// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv_reader.h"

#include <algorithm>
#include <utility>

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

absl::Status CsvReader::NotClosed() const {
  return absl::InvalidArgumentError(
      absl::StrCat(lines_->name(), ":", record_line_,
                   ": expected a closing quote, found none up to line ",
                   lines_->line_number()));
}

absl::Status CsvReader::ReadQuoted(absl::string_view* line, size_t* begin,
                                   std::string* field) {
  ++*begin;
  for (;;) {
    const size_t quote = line->find('"', *begin);
    absl::StrAppend(field, line->substr(*begin, quote - *begin));
    if (field->size() > kMostFieldBytes) return NotClosed();
    if (quote == absl::string_view::npos) {
      if (!lines_->Next(line)) {
        return lines_->status().ok() ? NotClosed() : lines_->status();
      }
      *field += '\n';
      *begin = 0;
      continue;
    }
    *begin = quote + 1;
    if (*begin == line->size() || (*line)[*begin] != '"') break;
    *field += '"';
    ++*begin;
  }
  if (*begin < line->size() && (*line)[*begin] != separator_) {
    return lines_->Expected(
        "a separator or the end of the line after a closing quote",
        line->substr(*begin));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> CsvReader::Next(std::vector<std::string>* fields) {
  fields->clear();
  absl::string_view line;
  do {
    if (!lines_->Next(&line)) {
      RETURN_IF_ERROR(lines_->status());
      return false;
    }
  } while (line.find_first_not_of(" \t") == absl::string_view::npos);
  record_line_ = lines_->line_number();
  if (num_fields_ == 0) separator_ = SeparatorOf(line);
  for (size_t begin = 0;; ++begin) {
    std::string field;
    if (begin < line.size() && line[begin] == '"') {
      RETURN_IF_ERROR(ReadQuoted(&line, &begin, &field));
    } else {
      const size_t end = std::min(line.find(separator_, begin), line.size());
      field = std::string(line.substr(begin, end - begin));
      begin = end;
    }
    fields->push_back(std::move(field));
    if (begin == line.size()) break;
  }
  if (num_fields_ == 0) {
    num_fields_ = fields->size();
    first_line_ = record_line_;
  }
  if (fields->size() != num_fields_) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines_->name(), ":", record_line_, ": expected ", num_fields_,
        num_fields_ == 1 ? " column" : " columns", " as on line ", first_line_,
        ", found ", fields->size(),
        " (a field that contains a separator needs double quotes)"));
  }
  return true;
}

}  // namespace warpclust
