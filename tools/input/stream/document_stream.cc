// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/document_stream.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
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

// Of the lines that are parsed at once: they stay in the cache, and their texts
// are in memory that malloc has at hand.
constexpr int64_t kMostBatchBytes = int64_t{1} << 21;
// Fewer are not worth a thread.
constexpr int64_t kLinesPerThread = 64;

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

template <typename T>
void MoveTo(std::vector<T>* all, std::vector<T>& part) {
  all->insert(all->end(), std::make_move_iterator(part.begin()),
              std::make_move_iterator(part.end()));
}

// Appends the documents of `part`, which have texts.
void AppendTexts(DocumentBlock part, DocumentBlock* block) {
  if (block->size() == 0) {
    *block = std::move(part);
    return;
  }
  block->lines += part.lines;
  MoveTo(&block->ids, part.ids);
  MoveTo(&block->times, part.times);
  block->times_in_milliseconds += part.times_in_milliseconds;
  MoveTo(&block->line_numbers, part.line_numbers);
  MoveTo(&block->texts, part.texts);
  block->arena.Append(std::move(part.arena));
  MoveTo(&block->titles, part.titles);
}

// `bytes`: of their texts at most, unless they are repaired.
void Reserve(int64_t documents, int64_t bytes, DocumentBlock* block) {
  block->ids.reserve(documents);
  block->times.reserve(documents);
  block->line_numbers.reserve(documents);
  block->texts.reserve(documents);
  block->arena.Reserve(bytes);
}

}  // namespace

DocumentStream::DocumentStream(LineReader lines, InputFormat format,
                               const Options& options)
    : lines_(std::make_unique<LineReader>(std::move(lines))),
      format_(format),
      ids_for_table_(options.ids_for_table),
      keep_lines_(options.keep_lines),
      json_(options.json),
      options_(JsonOptions(options.json)),
      num_threads_(options.num_threads) {
  options_.read_labels = false;
  options_.read_time = options.read_times;
  options_.read_title = options.read_titles;
  vector_options_.vector_field = options.vector_field;
  vector_options_.id_field = options.json.id_field;
  if (options.read_times) vector_options_.time_field = options.json.time_field;
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

absl::StatusOr<bool> DocumentStream::AppendJson(const JsonText& text,
                                                int64_t last_line,
                                                JsonDocument* document,
                                                DocumentBlock* block) const {
  absl::StatusOr<bool> parsed =
      ParseJsonDocument(*lines_, text, options_, document);
  if (!parsed.ok() || !*parsed) return parsed;
  if (document->id.has_value()) {
    RETURN_IF_ERROR(CheckId(last_line, *document->id));
  }
  block->ids.push_back(std::move(document->id).value_or(""));
  block->times.push_back(document->time.value_or(DocumentBlock::kNoTime));
  block->times_in_milliseconds += document->time_in_milliseconds;
  block->line_numbers.push_back(text.line);
  block->texts.push_back(block->arena.Add(document->text));
  if (options_.read_title) {
    block->titles.push_back(std::move(document->title));
  }
  if (keep_lines_) {
    absl::StrAppend(&block->lines,
                    options_.keep_line ? document->line : text.text, "\n");
  }
  return true;
}

absl::StatusOr<bool> DocumentStream::Append(const JsonText& text,
                                            DocumentBlock* block) {
  if (format_ == InputFormat::kJsonVectors) return AppendVector(text, block);
  if (format_ == InputFormat::kJsonLines) {
    options_.keep_line =
        keep_lines_ && (texts_.is_array() || json_.renames_fields());
    absl::StatusOr<bool> appended =
        AppendJson(text, lines_->line_number(), &document_, block);
    if (appended.ok() && *appended && csv_ != nullptr && options_.read_title) {
      block->titles.back() = std::move(record_title_);
    }
    return appended;
  }
  if (format_ == InputFormat::kSvmlight) {
    std::vector<std::string> labels;
    absl::StatusOr<bool> appended =
        AppendSvmLightRow(*lines_, text.text, &block->vectors, &labels);
    if (!appended.ok() || !*appended) return appended;
  } else {
    std::string repaired(text.text);
    RepairUtf8(&repaired);
    block->texts.push_back(block->arena.Add(repaired));
    if (options_.read_title) block->titles.emplace_back();
  }
  block->ids.emplace_back();
  block->times.push_back(DocumentBlock::kNoTime);
  block->line_numbers.push_back(text.line);
  if (keep_lines_) absl::StrAppend(&block->lines, text.text, "\n");
  return true;
}

bool DocumentStream::CanTakeLines(const Limits& limits) const {
  // With a limit of bad lines, the block must end at the last of them.
  return format_ == InputFormat::kJsonLines && csv_ == nullptr &&
         texts_.is_lines() && limits.skipped_lines == INT64_MAX;
}

void DocumentStream::ParseLines(int64_t begin, int64_t end,
                                DocumentBlock* block,
                                std::vector<BadLine>* bad) const {
  JsonDocument document;
  for (int64_t i = begin; i < end; ++i) {
    const JsonText text = batch_.Line(i);
    const absl::Status status =
        AppendJson(text, text.line, &document, block).status();
    if (status.ok()) continue;
    bad->push_back({text.line, status});
    if (EndsStream(status)) return;
  }
}

bool DocumentStream::TakeLines(const Limits& limits, int64_t* bytes,
                               DocumentBlock* block) {
  Stopwatch stopwatch;
  batch_.Take(*lines_, limits.documents - block->size(),
              limits.fill ? kMostBatchBytes
                          : std::min(kMostBatchBytes, limits.bytes - *bytes));
  const int64_t count = batch_.size();
  if (count == 0) return false;
  stopwatch.Lap("read block");
  *bytes += batch_.NumBytes(0, count);
  struct Part {
    DocumentBlock block;
    std::vector<BadLine> bad;
  };
  const int num_parts = ThreadsFor(count, kLinesPerThread, num_threads_);
  std::vector<Part> parts(num_parts);
#pragma omp parallel for num_threads(num_parts) schedule(static, 1)
  for (int p = 0; p < num_parts; ++p) {
    Stopwatch parsing;
    Part part;  // On the stack: threads share no cache line.
    const int64_t begin = count * p / num_parts;
    const int64_t end = count * (p + 1) / num_parts;
    // The first part of a block becomes the block, which others join.
    Reserve(p == 0 && block->size() == 0 ? std::min(limits.documents, 2 * count)
                                         : end - begin,
            batch_.NumBytes(begin, end), &part.block);
    ParseLines(begin, end, &part.block, &part.bad);
    parts[p] = std::move(part);
    parsing.Lap("parse block");
  }
  stopwatch.Lap();
  for (Part& part : parts) {
    AppendTexts(std::move(part.block), block);
    for (const BadLine& line : part.bad) TakeBad(line);
    if (!error_.ok()) break;
  }
  stopwatch.Lap("merge block");
  return true;
}

bool DocumentStream::EndsStream(const absl::Status& status) const {
  return !json_.skip_bad_lines || !absl::IsInvalidArgument(status);
}

void DocumentStream::TakeBad(const BadLine& bad) {
  if (!EndsStream(bad.status)) return skipped_.Add(bad.line, bad.status);
  error_ = HintJsonFlags(bad.status, format_ == InputFormat::kJsonVectors
                                         ? "vector_field"
                                         : "text_field");
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
    // The options are those of the first line, which was no array.
    if (CanTakeLines(limits) && TakeLines(limits, &bytes, &block)) continue;
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
    if (!status.ok()) TakeBad({text.line, status});
  }
  if (block.size() == 0 && !error_.ok()) return error_;
  if (format_ == InputFormat::kJsonVectors) {
    block.rows = MakeDenseDocuments(std::exchange(values_, {}),
                                    static_cast<int32_t>(block.size()));
  }
  return block;
}

}  // namespace warpclust
