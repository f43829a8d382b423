// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/csv_documents.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/io/csv_column.h"
#include "base/io/csv_reader.h"
#include "base/io/line_reader.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {
namespace {

using Fields = std::vector<std::string>;

constexpr size_t kNone = static_cast<size_t>(-1);
constexpr absl::string_view kText = "text";
constexpr absl::string_view kId = "id";

// The number of fields of `record` that are `name` in upper or lower case, and
// the first of them.
std::pair<size_t, size_t> FindName(const Fields& record,
                                   absl::string_view name) {
  size_t count = 0, first = kNone;
  for (size_t i = 0; i < record.size(); ++i) {
    if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(record[i]), name)) {
      continue;
    }
    if (count++ == 0) first = i;
  }
  return {count, first};
}

// The column that --`flag`=`chosen` names. If `chosen` is empty, the column
// called `by_default`, or kNone.
absl::StatusOr<size_t> FindColumn(const LineReader& lines, const Fields& first,
                                  absl::string_view flag,
                                  absl::string_view chosen,
                                  absl::string_view by_default) {
  absl::Status error;
  if (chosen.empty()) {
    const auto [count, column] = FindName(first, by_default);
    if (count < 2) return column;
    error = absl::InvalidArgumentError(
        absl::StrCat("expected one column \"", by_default, "\", found ", count,
                     " in ", QuoteInput(absl::StrJoin(first, ",")),
                     "; a number (from 1) chooses a column"));
  } else {
    absl::StatusOr<size_t> found = FindCsvColumn(chosen, first.size(), first);
    if (found.ok()) return found;
    error = found.status();
  }
  return lines.Annotate(absl::InvalidArgumentError(
      absl::StrCat("--", flag, ": ", error.message())));
}

struct Layout {
  size_t text = kNone;
  size_t id = kNone;
  bool has_header = false;
};

absl::StatusOr<Layout> FindLayout(const LineReader& lines, const Fields& first,
                                  const CsvColumns& columns) {
  Layout layout;
  ASSIGN_OR_RETURN(layout.text, FindColumn(lines, first, "text_column",
                                           columns.text, kText));
  if (layout.text == kNone) {
    return lines.Annotate(absl::InvalidArgumentError(
        absl::StrCat("expected a header with a column \"text\", found ",
                     QuoteInput(absl::StrJoin(first, ",")),
                     "; --text_column=NAME or NUMBER chooses another column, "
                     "--input_format=lines reads each line as a text")));
  }
  ASSIGN_OR_RETURN(layout.id,
                   FindColumn(lines, first, "id_column", columns.id, kId));
  const auto is_name = [](absl::string_view column) {
    return !column.empty() && !IsCsvColumnNumber(column);
  };
  layout.has_header = is_name(columns.text) || is_name(columns.id) ||
                      FindName(first, kText).first > 0 ||
                      FindName(first, kId).first > 0;
  return layout;
}

// "column 2 (body)"
std::string ColumnName(const Layout& layout, const Fields& first,
                       size_t column) {
  std::string name = absl::StrCat("column ", column + 1);
  if (layout.has_header) {
    absl::StrAppend(&name, " (", QuoteInput(first[column]), ")");
  }
  return name;
}

}  // namespace

void AddCsvFlags(FlagSet* flags, CsvColumns* columns) {
  flags->AddString("text_column", &columns->text, "COLUMN",
                   "CSV: the column of the texts, by its name in the header or "
                   "its number from 1. Default: the column named text.");
  flags->AddString("id_column", &columns->id, "COLUMN",
                   "CSV: the column of the ids. Default: the column named id, "
                   "if there is one.");
}

absl::StatusOr<TextDocuments> ReadCsvDocuments(LineReader& lines,
                                               const CsvColumns& columns,
                                               const FormatNote& note) {
  CsvReader csv(&lines);
  TextDocuments result;
  Fields fields;
  ASSIGN_OR_RETURN(bool more, csv.Next(&fields));
  if (!more) return result;
  ASSIGN_OR_RETURN(const Layout layout, FindLayout(lines, fields, columns));
  if (note) {
    note(absl::StrCat(
        lines.name(), ": texts from ", ColumnName(layout, fields, layout.text),
        ", ids ",
        layout.id == kNone
            ? "by number"
            : absl::StrCat("from ", ColumnName(layout, fields, layout.id)),
        layout.has_header ? ""
                          : "; no header: the first line is a "
                            "document"));
  }
  if (layout.has_header) {
    ASSIGN_OR_RETURN(more, csv.Next(&fields));
  }
  UniqueIds unique;
  while (more) {
    std::string id;
    if (layout.id != kNone) {
      id = fields[layout.id];
      RepairUtf8(&id);
    } else if (columns.number_documents) {
      id = absl::StrCat(result.ids.size());
    }
    if (layout.id != kNone || columns.number_documents) {
      RETURN_IF_ERROR(unique.Add(lines, id));
    }
    result.ids.push_back(std::move(id));
    // A column may be both.
    RepairUtf8(&fields[layout.text]);
    result.texts.push_back(std::move(fields[layout.text]));
    ASSIGN_OR_RETURN(more, csv.Next(&fields));
  }
  result.labels.resize(result.texts.size());
  return result;
}

}  // namespace warpclust
