// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/document_stream.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "base/text/iso_time.h"
#include "base/text/json_text.h"
#include "base/text/utf8.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/svmlight.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {
namespace {

// How often `stop` is asked while nothing arrives. A signal ends a wait early.
constexpr int kWaitMilliseconds = 200;

absl::Status CheckFormat(absl::string_view name, InputFormat format) {
  if (format == InputFormat::kJsonLines || format == InputFormat::kLines ||
      format == InputFormat::kSvmlight || format == InputFormat::kCsv ||
      format == InputFormat::kJsonVectors) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      name, ": expected a stream with one document per line, found ",
      format == InputFormat::kDirectory ? "a directory"
                                        : InputFormatName(format)));
}

}  // namespace

DocumentStream::DocumentStream(LineReader lines, InputFormat format,
                               const Options& options)
    : lines_(std::make_unique<LineReader>(std::move(lines))),
      format_(format),
      ids_for_table_(options.ids_for_table),
      keep_lines_(options.keep_lines),
      json_(options.json),
      options_(JsonOptions(options.json)) {
  options_.read_time = options.read_times;
  options_.read_title = options.read_titles;
  vector_options_.vector_field = options.vector_field;
  vector_options_.id_field = options.json.id_field;
  if (options.read_times) vector_options_.time_field = options.json.time_field;
  if (format == InputFormat::kJsonLines && options.num_threads != 1) {
    ahead_ = std::make_unique<JsonLinesAhead>(options.num_threads);
  }
  if (format != InputFormat::kCsv) return;
  csv_ = std::make_unique<CsvDocumentReader>(lines_.get(), options.csv,
                                             options.read_times, options.note);
  format_ = InputFormat::kJsonLines;
}

absl::StatusOr<DocumentStream> DocumentStream::Open(absl::string_view path,
                                                    InputFormat format,
                                                    const Options& options) {
  RETURN_IF_ERROR(CheckFormat(path, format));
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path, options.work));
  return DocumentStream(std::move(lines), format, options);
}

absl::Status CheckTableId(absl::string_view name, int64_t line,
                          absl::string_view id) {
  if (!absl::StartsWith(id, "#") && !StartsWithFileMark(id)) {
    return absl::OkStatus();
  }
  return ExpectedInput(
      name, line,
      "an id that does not start with # or a byte order mark (--format=json "
      "takes any)",
      id);
}

absl::StatusOr<DocumentStream> DocumentStream::FromString(
    absl::string_view lines, absl::string_view name, InputFormat format) {
  RETURN_IF_ERROR(CheckFormat(name, format));
  // An empty line first, so that no document is taken for a byte order mark.
  LineReader reader = LineReader::FromString(absl::StrCat("\n", lines), name);
  absl::string_view empty;
  reader.Next(&empty);
  return DocumentStream(std::move(reader), format, Options());
}

DocumentStream DocumentStream::FromRows(DenseDocuments rows, bool keep_lines) {
  DocumentStream stream(LineReader::FromString("", "rows"),
                        InputFormat::kJsonVectors, Options());
  stream.rows_ = std::move(rows);
  stream.keep_lines_ = keep_lines;
  return stream;
}

DocumentBlock DocumentStream::ReadRows(const Limits& limits) {
  DocumentBlock block;
  const int64_t dimensions = rows_->num_dimensions;
  const int64_t most =
      limits.fill ? limits.documents
                  : std::min(limits.documents,
                             limits.bytes / (int64_t{sizeof(float)} *
                                             std::max<int64_t>(dimensions, 1)));
  const int64_t count = std::min<int64_t>(std::max<int64_t>(most, 1),
                                          rows_->num_rows - next_row_);
  if (count == 0) return block;
  block.rows = *rows_;
  block.rows.num_rows = static_cast<int32_t>(count);
  block.rows.values =
      rows_->values.subspan(next_row_ * dimensions, count * dimensions);
  block.ids.resize(count);
  block.times.resize(count, DocumentBlock::kNoTime);
  for (int32_t i = 0; i < count; ++i) {
    block.line_numbers.push_back(int64_t{next_row_} + i + 1);
    if (!keep_lines_) continue;
    AppendDenseJson(absl::nullopt, absl::nullopt, block.rows.Row(i),
                    &block.lines);
    block.lines += '\n';
  }
  next_row_ += static_cast<int32_t>(count);
  return block;
}

absl::Status DocumentStream::CheckId(int64_t line, absl::string_view id) const {
  absl::Status status = CheckDocumentId(lines_->name(), line, id);
  if (!status.ok() || !ids_for_table_) return status;
  return CheckTableId(lines_->name(), line, id);
}

absl::StatusOr<bool> DocumentStream::AppendVector(const JsonText& text,
                                                  DocumentBlock* block) {
  DenseJsonDocument document;
  absl::StatusOr<bool> parsed = ParseDenseJsonDocument(
      *lines_, text, vector_options_, dimensions_, &document);
  if (!parsed.ok() || !*parsed) return parsed;
  if (document.id.has_value()) {
    RETURN_IF_ERROR(CheckId(lines_->line_number(), *document.id));
  }
  dimensions_ = document.values.size();
  values_.insert(values_.end(), document.values.begin(), document.values.end());
  absl::optional<int64_t> time;
  if (document.time.has_value()) {
    time = document.time->seconds;
    block->times_in_milliseconds += document.time->in_milliseconds;
  }
  if (!keep_lines_) {
    // No store takes them.
  } else if (texts_.is_array() || json_.renames_fields() ||
             vector_options_.vector_field != DenseJsonOptions().vector_field) {
    AppendDenseJson(document.id, time, document.values, &block->lines);
    block->lines += '\n';
  } else {
    absl::StrAppend(&block->lines, text.text, "\n");
  }
  block->ids.push_back(document.id.value_or(""));
  block->times.push_back(time.value_or(DocumentBlock::kNoTime));
  block->line_numbers.push_back(text.line);
  return true;
}

absl::StatusOr<bool> DocumentStream::Append(const JsonText& text,
                                            DocumentBlock* block) {
  if (format_ == InputFormat::kJsonVectors) return AppendVector(text, block);
  absl::string_view line = text.text;
  JsonLinesAhead::Line now;  // If it is not parsed yet.
  std::string id;
  int64_t time = DocumentBlock::kNoTime;
  if (format_ == InputFormat::kSvmlight) {
    std::vector<std::string> labels;
    absl::StatusOr<bool> appended =
        AppendSvmLightRow(*lines_, line, &block->vectors, &labels);
    if (!appended.ok() || !*appended) return appended;
  } else if (format_ == InputFormat::kLines) {
    std::string repaired(line);
    RepairUtf8(&repaired);
    block->texts.push_back(std::move(repaired));
    if (options_.read_title) block->titles.emplace_back();
  } else {
    if (parsed_ == nullptr) {
      options_.keep_line =
          keep_lines_ && (texts_.is_array() || json_.renames_fields());
      now.parsed = ParseJsonDocument(*lines_, text, options_, &now.document);
    }
    JsonLinesAhead::Line& json = parsed_ == nullptr ? now : *parsed_;
    if (!json.parsed.ok() || !*json.parsed) return json.parsed;
    JsonDocument& document = json.document;
    if (document.id.has_value()) {
      const int64_t last =
          parsed_ == nullptr ? lines_->line_number() : text.line;
      RETURN_IF_ERROR(CheckId(last, *document.id));
      id = *std::move(document.id);
    }
    time = document.time.value_or(time);
    block->times_in_milliseconds += document.time_in_milliseconds;
    block->texts.push_back(std::move(document.text));
    if (options_.read_title) {
      block->titles.push_back(
          std::move(csv_ != nullptr ? record_title_ : document.title));
    }
    if (options_.keep_line) line = document.line;
  }
  block->ids.push_back(std::move(id));
  block->times.push_back(time);
  block->line_numbers.push_back(text.line);
  if (keep_lines_) absl::StrAppend(&block->lines, line, "\n");
  return true;
}

absl::StatusOr<DocumentStream::Got> DocumentStream::NextRecord(JsonText* text) {
  CsvDocument document;
  const absl::StatusOr<bool> more = csv_->NextNow(&document);
  text->line = csv_->line_number();
  if (!more.ok()) {
    // Without a layout, or with a quote that is never closed, there is no next
    // record.
    if (!csv_->has_layout() || lines_->ended()) return more.status();
    bad_ = more.status();
    return Got::kBad;
  }
  if (!*more) return lines_->ended() ? Got::kEnd : Got::kNothingYet;
  // Not in the record, which is kept.
  record_title_ = std::move(document.title);
  record_ = absl::StrCat("{\"text\":", JsonQuote(document.text));
  if (document.id.has_value()) {
    absl::StrAppend(&record_, ",\"id\":", JsonQuote(*document.id));
  }
  if (!document.time.empty()) {
    int64_t seconds = 0;
    const bool is_number = absl::SimpleAtoi(document.time, &seconds);
    if (is_number ? seconds < -kLatestTime || seconds > kLatestTime
                  : !ParseIsoTime(document.time).has_value()) {
      bad_ = lines_->Expected(kExpectedTime, document.time);
      return Got::kBad;
    }
    absl::StrAppend(
        &record_, ",\"time\":",
        is_number ? absl::StrCat(seconds) : JsonQuote(document.time));
  }
  record_ += '}';
  text->text = record_;
  text->columns_before = 0;
  return Got::kText;
}

absl::StatusOr<DocumentStream::Got> DocumentStream::NextText(JsonText* text) {
  if (csv_ != nullptr) return NextRecord(text);
  const bool is_json = format_ == InputFormat::kJsonLines ||
                       format_ == InputFormat::kJsonVectors;
  // The options are those of the first line, which was no array.
  if (ahead_ != nullptr && texts_.is_lines()) {
    parsed_ = ahead_->Next(*lines_, options_);
    if (parsed_ != nullptr) {
      *text = parsed_->text;
      return Got::kText;
    }
  }
  while (true) {
    if (is_json) {
      ASSIGN_OR_RETURN(const bool has_text, texts_.Next(*lines_, text));
      if (has_text) return Got::kText;
    }
    absl::string_view line;
    if (!lines_->NextNow(&line)) {
      if (!lines_->ended()) return Got::kNothingYet;
      if (!lines_->status().ok()) return lines_->status();
      RETURN_IF_ERROR(CheckJsonEnd(*lines_, texts_, options_));
      return Got::kEnd;
    }
    if (!is_json) {
      *text = {line, lines_->line_number(), 0};
      return Got::kText;
    }
    texts_.Feed(line);
  }
}

absl::StatusOr<DocumentBlock> DocumentStream::Read(
    const Limits& limits, const std::function<bool()>& stop) {
  if (rows_.has_value()) return stop() ? DocumentBlock() : ReadRows(limits);
  DocumentBlock block;
  int64_t bytes = 0;
  values_.clear();
  JsonText text;
  const SkippedLines skipped_before = skipped_;
  while (error_.ok() && !ended_ && block.size() < limits.documents &&
         skipped_.count < limits.skipped_lines &&
         (limits.fill || bytes < limits.bytes)) {
    const absl::StatusOr<Got> got = NextText(&text);
    if (!got.ok()) {
      error_ = got.status();
      break;
    }
    if (*got == Got::kEnd) {
      ended_ = true;
      break;
    }
    if (*got == Got::kNothingYet) {
      if (block.size() > 0 && !limits.fill) break;
      // A part of a block is dropped if whole blocks are asked for.
      if (stop()) {
        if (block.size() > 0) skipped_ = skipped_before;
        return DocumentBlock();
      }
      lines_->Wait(kWaitMilliseconds);
      continue;
    }
    const absl::Status status =
        *got == Got::kBad ? bad_ : Append(text, &block).status();
    bytes += static_cast<int64_t>(text.text.size()) + 1;
    if (status.ok()) continue;
    if (json_.skip_bad_lines && absl::IsInvalidArgument(status)) {
      skipped_.Add(text.line, status);
    } else {
      error_ = HintJsonFlags(status, format_ == InputFormat::kJsonVectors
                                         ? "vector_field"
                                         : "text_field");
    }
  }
  if (block.size() == 0 && !error_.ok()) return error_;
  if (format_ == InputFormat::kJsonVectors) {
    block.rows = MakeDenseDocuments(std::exchange(values_, {}),
                                    static_cast<int32_t>(block.size()));
  }
  return block;
}

}  // namespace warpclust
