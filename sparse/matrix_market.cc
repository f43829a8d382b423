// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix_market.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "sparse/number_fields.h"

namespace warpclust {
namespace {

struct Entry {
  int32_t row;
  int32_t column;
  float weight;
  uint32_t line;  // Modulo 2^32: for messages only.
};

struct Size {
  int32_t rows = 0;
  int32_t columns = 0;
  int64_t entries = 0;
};

std::vector<absl::string_view> Fields(absl::string_view line) {
  return absl::StrSplit(line, absl::ByAnyChar(" \t\r\v\f"), absl::SkipEmpty());
}

// Moves to the next line that is not blank and not a comment; false at the end.
bool NextContent(LineReader& lines, std::vector<absl::string_view>* fields,
                 absl::string_view* line) {
  while (lines.Next(line)) {
    if (!line->empty() && line->front() == '%') continue;
    *fields = Fields(*line);
    if (!fields->empty()) return true;
  }
  return false;
}

// Reads the first line. True if entries have values.
absl::StatusOr<bool> ReadHeader(LineReader& lines) {
  constexpr absl::string_view kExpected =
      "'%%MatrixMarket matrix coordinate real|integer|pattern general'";
  absl::string_view line;
  if (!lines.Next(&line)) {
    if (!lines.status().ok()) return lines.status();
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ":1: expected ", kExpected, ", found an empty file"));
  }
  const std::string lower = absl::AsciiStrToLower(line);
  const std::vector<absl::string_view> words = Fields(lower);
  const bool good =
      words.size() == 5 && words[0] == "%%matrixmarket" &&
      words[1] == "matrix" && words[2] == "coordinate" &&
      (words[3] == "real" || words[3] == "integer" || words[3] == "pattern") &&
      words[4] == "general";
  if (!good) return lines.Expected(kExpected, line);
  return words[3] != "pattern";
}

absl::StatusOr<Size> ReadSize(LineReader& lines) {
  std::vector<absl::string_view> fields;
  absl::string_view line;
  if (!NextContent(lines, &fields, &line)) {
    if (!lines.status().ok()) return lines.status();
    return lines.Annotate(absl::InvalidArgumentError(
        "expected 'rows columns entries' next, found the end of the file"));
  }
  if (fields.size() != 3) {
    return lines.Expected("'rows columns entries'", line);
  }
  int64_t numbers[3];
  for (int i = 0; i < 3; ++i) {
    const char* expected = ParseCountField(fields[i], &numbers[i]);
    // Entries may be more than rows or columns can be.
    if (expected != nullptr && i == 2 && fields[i].size() <= 18 &&
        std::all_of(fields[i].begin(), fields[i].end(), absl::ascii_isdigit)) {
      numbers[i] = 0;
      for (char c : fields[i]) numbers[i] = numbers[i] * 10 + (c - '0');
      expected = nullptr;
    }
    if (expected != nullptr) return lines.Expected(expected, fields[i]);
  }
  // Not an overflow: at most 10^18 entries.
  const int64_t most_rows = numbers[2] > (int64_t{1} << 31)
                                ? INT32_MAX
                                : (1 << 20) + 1024 * numbers[2];
  if (numbers[0] > most_rows) {
    return lines.Expected(
        absl::StrCat("at most ", most_rows, " rows with so few entries"),
        fields[0]);
  }
  return Size{static_cast<int32_t>(numbers[0]),
              static_cast<int32_t>(numbers[1]), numbers[2]};
}

// A 1-based index of at most `limit`, as a 0-based one.
absl::Status ParseIndex(const LineReader& lines, absl::string_view field,
                        int32_t limit, absl::string_view what, int32_t* index) {
  int32_t parsed;
  if (ParseIndexField(field, &parsed) != nullptr || parsed > limit) {
    return lines.Expected(absl::StrCat("a ", what, " from 1 to ", limit),
                          field);
  }
  *index = parsed - 1;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Entry>> ReadEntries(LineReader& lines,
                                               const Size& size,
                                               bool has_values) {
  std::vector<Entry> entries;
  std::vector<absl::string_view> fields;
  absl::string_view line;
  while (NextContent(lines, &fields, &line)) {
    if (static_cast<int64_t>(entries.size()) == size.entries) {
      return lines.Expected(
          absl::StrCat("the end of the file after ", size.entries, " entries"),
          line);
    }
    if (fields.size() != (has_values ? 3 : 2)) {
      return lines.Expected(has_values ? "'row column value'" : "'row column'",
                            line);
    }
    Entry entry = {0, 0, 1.0f, static_cast<uint32_t>(lines.line_number())};
    absl::Status good =
        ParseIndex(lines, fields[0], size.rows, "row", &entry.row);
    if (!good.ok()) return good;
    good = ParseIndex(lines, fields[1], size.columns, "column", &entry.column);
    if (!good.ok()) return good;
    if (has_values) {
      const char* expected = ParseWeightField(fields[2], &entry.weight);
      if (expected != nullptr) return lines.Expected(expected, fields[2]);
    }
    entries.push_back(entry);
  }
  if (!lines.status().ok()) return lines.status();
  if (static_cast<int64_t>(entries.size()) < size.entries) {
    return lines.Annotate(absl::InvalidArgumentError(
        absl::StrCat("expected ", size.entries, " entries, found ",
                     entries.size(), " and the end of the file")));
  }
  return entries;
}

}  // namespace

absl::StatusOr<LabelledDocuments> ReadMatrixMarket(LineReader& lines) {
  absl::StatusOr<bool> has_values = ReadHeader(lines);
  if (!has_values.ok()) return has_values.status();
  absl::StatusOr<Size> size = ReadSize(lines);
  if (!size.ok()) return size.status();
  absl::StatusOr<std::vector<Entry>> entries =
      ReadEntries(lines, *size, *has_values);
  if (!entries.ok()) return entries.status();

  // Stable, so that of two equal entries the later line comes second.
  const auto before = [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  if (!std::is_sorted(entries->begin(), entries->end(), before)) {
    std::stable_sort(entries->begin(), entries->end(), before);
  }
  LabelledDocuments result;
  DocumentMatrix& documents = result.documents;
  documents.num_terms = size->columns;
  documents.offsets.assign(size->rows + size_t{1}, 0);
  for (size_t i = 0; i < entries->size(); ++i) {
    const Entry& entry = (*entries)[i];
    if (i > 0 && !before((*entries)[i - 1], entry)) {
      return absl::InvalidArgumentError(
          absl::StrCat(lines.name(), ":", entry.line, ": expected one entry ",
                       entry.row + 1, " ", entry.column + 1,
                       ", found it on line ", (*entries)[i - 1].line, " too"));
    }
    if (entry.weight == 0) continue;
    documents.terms.push_back(entry.column);
    documents.weights.push_back(entry.weight);
    ++documents.offsets[entry.row + 1];
  }
  for (int32_t d = 0; d < size->rows; ++d) {
    documents.offsets[d + 1] += documents.offsets[d];
    result.ids.push_back(absl::StrCat(d));
  }
  result.labels.resize(size->rows);
  return result;
}

absl::StatusOr<LabelledDocuments> ReadMatrixMarket(absl::string_view path) {
  absl::StatusOr<LineReader> lines = LineReader::Open(path);
  if (!lines.ok()) return lines.status();
  return ReadMatrixMarket(*lines);
}

}  // namespace warpclust
