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
#include "base/io/csv/csv_column.h"
#include "base/io/csv/csv_reader.h"
#include "base/io/csv/csv_records.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"
#include "sparse/io/unique_ids.h"
#include "tools/cli/cli.h"

namespace warpclust {
namespace {

using Fields = std::vector<std::string>;

constexpr absl::string_view kText = "text";
constexpr absl::string_view kId = "id";
constexpr absl::string_view kTime = "time";
constexpr absl::string_view kTitle = "title";

// The fields of `record` that are `name` in upper or lower case.
std::vector<size_t> FindName(const Fields& record, absl::string_view name) {
  std::vector<size_t> found;
  for (size_t i = 0; i < record.size(); ++i) {
    if (absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(record[i]), name)) {
      found.push_back(i);
    }
  }
  return found;
}

}  // namespace

void AddCsvFlags(FlagSet* flags, CsvColumns* columns, bool times) {
  flags->AddString("text_column", &columns->text, "COLUMN",
                   "CSV: the column of the texts, by its name in the header or "
                   "its number from 1. Default: the column named text.");
  flags->AddString("id_column", &columns->id, "COLUMN",
                   "CSV: the column of the ids. Default: the column named id, "
                   "if there is one.");
  if (!times) return;
  flags->AddString("time_column", &columns->time, "COLUMN",
                   "CSV: the column of the times. Default: the column named "
                   "time, if there is one.");
}

absl::Status CheckCsvFlags(const FlagSet& flags, InputFormat format) {
  if (format == InputFormat::kCsv) return absl::OkStatus();
  return RefuseFlags(flags, {"text_column", "id_column", "time_column"},
                     "is for CSV, and the input is not");
}

// The column that --`flag`=`chosen` names. If `chosen` is empty, the column
// called `by_default`, or kNone.
absl::StatusOr<size_t> CsvDocumentReader::FindColumn(
    absl::string_view flag, absl::string_view chosen,
    absl::string_view by_default) const {
  absl::Status error;
  if (chosen.empty()) {
    const std::vector<size_t> found = FindName(fields_, by_default);
    if (found.empty()) return kNone;
    if (found.size() == 1) return found[0];
    error = absl::InvalidArgumentError(absl::StrCat(
        "expected one column \"", by_default, "\", found ", found.size(),
        " in ", QuoteInput(absl::StrJoin(fields_, ",")),
        "; a number (from 1) chooses a column"));
  } else {
    absl::StatusOr<size_t> found =
        FindCsvColumn(chosen, fields_.size(), fields_);
    if (found.ok()) return found;
    error = found.status();
  }
  return lines_->Annotate(absl::InvalidArgumentError(
      absl::StrCat("--", flag, ": ", error.message())));
}

// "column 2 (body)"
std::string CsvDocumentReader::ColumnName(size_t column) const {
  std::string name = absl::StrCat("column ", column + 1);
  if (layout_.has_header) {
    absl::StrAppend(&name, " (", QuoteInput(fields_[column]), ")");
  }
  return name;
}

absl::Status CsvDocumentReader::FindLayout() {
  ASSIGN_OR_RETURN(layout_.text,
                   FindColumn("text_column", columns_.text, kText));
  if (layout_.text == kNone) {
    return lines_->Annotate(absl::InvalidArgumentError(
        absl::StrCat("expected a header with a column \"text\", found ",
                     QuoteInput(absl::StrJoin(fields_, ",")),
                     "; --text_column=NAME or NUMBER chooses another column, "
                     "--input_format=lines reads each line as a text")));
  }
  ASSIGN_OR_RETURN(layout_.id, FindColumn("id_column", columns_.id, kId));
  if (times_) {
    ASSIGN_OR_RETURN(layout_.time,
                     FindColumn("time_column", columns_.time, kTime));
  }
  const auto is_name = [](absl::string_view column) {
    return !column.empty() && !IsCsvColumnNumber(column);
  };
  layout_.has_header = is_name(columns_.text) || is_name(columns_.id) ||
                       is_name(columns_.time) ||
                       !FindName(fields_, kText).empty() ||
                       !FindName(fields_, kId).empty();
  const std::vector<size_t> titles = FindName(fields_, kTitle);
  if (layout_.has_header && !titles.empty() && titles[0] != layout_.text) {
    layout_.title = titles[0];
  }
  has_layout_ = true;
  if (!note_) return absl::OkStatus();
  note_(absl::StrCat(
      lines_->name(), ": texts from ", ColumnName(layout_.text), ", ids ",
      layout_.id == kNone ? "by number"
                          : absl::StrCat("from ", ColumnName(layout_.id)),
      layout_.time == kNone
          ? ""
          : absl::StrCat(", times from ", ColumnName(layout_.time)),
      layout_.has_header ? "" : "; no header: the first line is a document"));
  return absl::OkStatus();
}

absl::StatusOr<bool> CsvDocumentReader::Take(CsvDocument* document) {
  if (!has_layout_) {
    RETURN_IF_ERROR(FindLayout());
    if (layout_.has_header) return false;
  }
  Repair(&fields_);
  Pick(&fields_, document);
  return true;
}

void CsvDocumentReader::Repair(Fields* fields) const {
  for (const size_t column : {layout_.text, layout_.id, layout_.title}) {
    if (column != kNone) RepairUtf8(&(*fields)[column]);
  }
}

void CsvDocumentReader::Pick(Fields* fields, CsvDocument* document) const {
  document->id.reset();
  if (layout_.id != kNone) document->id = (*fields)[layout_.id];
  document->time.clear();
  if (layout_.time != kNone) {
    document->time =
        std::string(absl::StripAsciiWhitespace((*fields)[layout_.time]));
  }
  document->title.clear();
  if (layout_.title != kNone) document->title = (*fields)[layout_.title];
  // Last: a column may be both.
  document->text = std::move((*fields)[layout_.text]);
}

absl::StatusOr<bool> CsvDocumentReader::Next(CsvDocument* document) {
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, csv_.Next(&fields_));
    if (!more) return false;
    ASSIGN_OR_RETURN(const bool taken, Take(document));
    if (taken) return true;
  }
}

absl::StatusOr<bool> CsvDocumentReader::NextNow(CsvDocument* document) {
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, csv_.NextNow(&fields_));
    if (!more) return false;
    ASSIGN_OR_RETURN(const bool taken, Take(document));
    if (taken) return true;
  }
}

absl::Status CsvDocumentReader::ReadRest(
    int num_threads,
    absl::FunctionRef<void(CsvDocument, int64_t last_line, TextPart*)> add,
    absl::FunctionRef<absl::Status(TextPart)> take) {
  return ForEachCsvBlock<TextPart>(
      lines_, &csv_.csv_lines(), num_threads,
      [&](CsvRecord record, TextPart* part) {
        Repair(&record.fields);
        CsvDocument document;
        Pick(&record.fields, &document);
        add(std::move(document), record.last_line, part);
      },
      take);
}

absl::StatusOr<TextDocuments> ReadCsvDocuments(LineReader& lines,
                                               const CsvColumns& columns,
                                               const FormatNote& note,
                                               bool titles, int num_threads) {
  CsvDocumentReader reader(&lines, columns, /*times=*/false, note);
  TextCollector collector(
      {.name = lines.name(), .titles = titles, .num_threads = num_threads});
  const auto add = [&](CsvDocument document, int64_t line, TextPart* part) {
    TextDocuments& documents = part->documents;
    if (document.id.has_value()) {
      const absl::Status status =
          CheckDocumentId(lines.name(), line, *document.id);
      if (!status.ok()) {
        part->bad.push_back({documents.ids.size(), line, status});
        return;
      }
    }
    documents.ids.push_back(std::move(document.id).value_or(""));
    documents.texts.push_back(std::move(document.text));
    documents.labels.emplace_back();
    if (titles) documents.titles.push_back(std::move(document.title));
    part->lines.push_back({line, line});
  };
  const auto take = [&](TextPart part) {
    return collector.Add(std::move(part));
  };
  CsvDocument first;
  ASSIGN_OR_RETURN(const bool has_first, reader.Next(&first));
  absl::Status end;
  if (has_first) {
    TextPart part;
    add(std::move(first), lines.line_number(), &part);
    end = take(std::move(part));
    if (end.ok()) end = reader.ReadRest(num_threads, add, take);
  }
  return collector.Finish(end);
}

}  // namespace warpclust
