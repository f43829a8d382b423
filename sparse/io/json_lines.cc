// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/json_lines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_blocks.h"
#include "base/status/status_macros.h"
#include "base/text/iso_time.h"
#include "base/text/json_reader.h"
#include "sparse/io/collect_texts.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {
namespace {

using Kind = JsonValue::Kind;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Keeps the first of equal labels, in order.
void DropRepeats(std::vector<std::string>* labels) {
  if (labels->size() < 2) return;
  absl::flat_hash_set<std::string> seen;
  std::erase_if(*labels, [&](const std::string& label) {
    return !seen.insert(label).second;
  });
}

// Takes one label, a string or a number, and keeps it unless `labels` is null.
bool TakeLabel(JsonValue& value, std::vector<std::string>* labels) {
  absl::string_view label = value.token();
  const bool taken =
      value.kind() == Kind::kNumber
          ? value.Number(nullptr)
          : value.StringView(&label, "a string or a number as label");
  if (taken && labels != nullptr) labels->emplace_back(label);
  return taken;
}

bool TakeLabels(JsonValue& value, std::vector<std::string>* labels) {
  return value.ForEachElement(
      [labels](JsonValue& label) { return TakeLabel(label, labels); },
      "an array of labels");
}

bool TakeDocumentTime(JsonValue& value, JsonDocument* document) {
  JsonTime time;
  if (!TakeJsonTime(value, &time)) return false;
  document->time = time.seconds;
  document->time_in_milliseconds = time.in_milliseconds;
  return true;
}

// The place of a field in the masks of TakeMember; kOther for any other key.
constexpr int kText = 0, kId = 1, kLabels = 2, kLabel = 3, kTime = 4,
              kOther = 5;

int FieldOf(absl::string_view key, const JsonLinesOptions& options) {
  if (key == options.text_field) return kText;
  if (key == options.id_field) return kId;
  if (key == "labels") return kLabels;
  if (key == "label") return kLabel;
  return key == options.time_field ? kTime : kOther;
}

// Takes the value of one member. `seen` has a bit for each field that occurred.
bool TakeMember(JsonValue& value, absl::string_view key,
                const JsonLinesOptions& options, unsigned* seen,
                JsonDocument* document) {
  const int field = FieldOf(key, options);
  if (field == kOther) {
    if (options.read_title && key == "title" && value.kind() == Kind::kString) {
      return value.String(&document->title);
    }
    return value.Skip();
  }
  if (value.kind() == Kind::kNull) return value.Skip();
  if (field == kTime && !options.read_time) return value.Skip();
  if ((*seen & 1u << field) != 0) {
    return value.Fail(absl::StrCat("only one field \"", key, "\""));
  }
  *seen |= 1u << field;
  std::vector<std::string>* const labels =
      options.read_labels ? &document->labels : nullptr;
  switch (field) {
    case kText:
      return value.String(&document->text, "a string as text");
    case kId:
      return TakeJsonId(value, &document->id.emplace());
    case kLabels:
      return TakeLabels(value, labels);
    case kLabel:
      return TakeLabel(value, labels);
    default:
      return TakeDocumentTime(value, document);
  }
}

// TakeMember that also appends the field to `line`, under its default name.
bool TakeAndKeepMember(JsonValue& value, absl::string_view key,
                       const JsonLinesOptions& options, unsigned* seen,
                       JsonDocument* document) {
  if (!TakeMember(value, key, options, seen, document)) return false;
  absl::string_view name;
  if (key == options.text_field) {
    name = "text";
  } else if (key == options.id_field) {
    name = "id";
  } else if (key == options.time_field && options.read_time) {
    name = "time";
  }
  // The values of these fields are strings and numbers.
  if (name.empty() || value.kind() == Kind::kNull) return true;
  absl::StrAppend(&document->line, document->line.empty() ? "{\"" : ",\"", name,
                  "\":", value.token());
  return true;
}

}  // namespace

bool TakeJsonId(JsonValue& value, std::string* id) {
  const absl::string_view token = value.token();
  if (value.kind() != Kind::kNumber || absl::StrContains(token, '.') ||
      absl::StrContains(token, 'e') || absl::StrContains(token, 'E')) {
    return value.String(id, "a string or an integer as id");
  }
  *id = std::string(token);
  return value.Number(nullptr);
}

bool TakeJsonTime(JsonValue& value, JsonTime* time) {
  // Of the year 9999. What is later is milliseconds, as many programs write.
  constexpr int64_t kLatestSecond = 253402300799;
  int64_t seconds;
  if (value.kind() == Kind::kString) {
    absl::string_view text;
    if (!value.StringView(&text)) return false;
    if (const absl::optional<int64_t> parsed = ParseIsoTime(text)) {
      *time = {*parsed, false};
      return true;
    }
  } else if (absl::SimpleAtoi(value.token(), &seconds) &&
             seconds >= -kLatestTime && seconds <= kLatestTime) {
    const bool in_milliseconds = seconds > kLatestSecond;
    *time = {in_milliseconds ? seconds / 1000 : seconds, in_milliseconds};
    return value.Number(nullptr);
  }
  return value.Fail(kExpectedTime);
}

void SkippedLines::Add(int64_t line, const absl::Status& error) {
  if (count++ == 0) first_error = std::string(error.message());
  if (lines.size() < kListed) lines.push_back(line);
}

absl::StatusOr<bool> ParseJsonDocument(const LineReader& lines,
                                       absl::string_view line,
                                       const JsonLinesOptions& options,
                                       JsonDocument* document) {
  return ParseJsonDocument(lines, JsonText{line, lines.line_number(), 0},
                           options, document);
}

absl::StatusOr<bool> ParseJsonDocument(const LineReader& lines,
                                       const JsonText& text,
                                       const JsonLinesOptions& options,
                                       JsonDocument* document) {
  if (std::all_of(text.text.begin(), text.text.end(), IsBlank)) return false;
  document->text.clear();
  document->id.reset();
  document->labels.clear();
  document->time.reset();
  document->time_in_milliseconds = false;
  document->title.clear();
  document->line.clear();
  unsigned seen = 0;
  RETURN_IF_ERROR(
      ReadJsonText(lines, text, [&](absl::string_view key, JsonValue& value) {
        return options.keep_line
                   ? TakeAndKeepMember(value, key, options, &seen, document)
                   : TakeMember(value, key, options, &seen, document);
      }));
  if (options.text_required && (seen & 1u << kText) == 0) {
    return ExpectedInput(lines.name(), text.line,
                         absl::StrCat("a field \"", options.text_field, "\""),
                         text.text.substr(0, text.text.find('\n')));
  }
  if (options.keep_line) {
    absl::StrAppend(&document->line, document->line.empty() ? "{}" : "}");
  }
  DropRepeats(&document->labels);
  return true;
}

absl::Status CheckJsonEnd(const LineReader& lines, const JsonTexts& texts,
                          const JsonLinesOptions& options) {
  JsonText text;
  if (texts.CutOff(&text)) {
    JsonDocument document;
    RETURN_IF_ERROR(
        ParseJsonDocument(lines, text, options, &document).status());
  }
  return texts.CheckEnd(lines);
}

namespace {

// Appends what `text` holds, unless it is blank.
void Parse(const LineReader& lines, const JsonText& text,
           const JsonLinesOptions& options, TextPart* part) {
  JsonDocument document;
  const absl::StatusOr<bool> found =
      ParseJsonDocument(lines, text, options, &document);
  if (found.ok() && !*found) return;
  const int64_t last_line = lines.line_number();
  absl::Status status = found.status();
  if (status.ok() && document.id.has_value()) {
    status = CheckDocumentId(lines.name(), last_line, *document.id);
  }
  TextDocuments& documents = part->documents;
  if (!status.ok()) {
    part->bad.push_back({documents.ids.size(), text.line, status});
    return;
  }
  documents.ids.push_back(std::move(document.id).value_or(""));
  documents.texts.push_back(std::move(document.text));
  if (options.read_labels) {
    documents.labels.push_back(std::move(document.labels));
  }
  if (options.read_title) documents.titles.push_back(std::move(document.title));
  part->lines.push_back({text.line, last_line});
}

absl::Status ReadArray(LineReader& lines, const JsonLinesOptions& options,
                       TextCollector* collector) {
  JsonTexts texts;
  JsonText text;
  absl::string_view line;
  while (lines.Next(&line)) {
    TextPart part;
    texts.Feed(line);
    while (true) {
      const absl::StatusOr<bool> has_text = texts.Next(lines, &text);
      part.status = has_text.status();
      if (!has_text.ok() || !*has_text) break;
      Parse(lines, text, options, &part);
    }
    if (part.lines.empty() && part.bad.empty() && part.status.ok()) continue;
    RETURN_IF_ERROR(collector->Add(std::move(part)));
  }
  RETURN_IF_ERROR(lines.status());
  return CheckJsonEnd(lines, texts, options);
}

}  // namespace

absl::StatusOr<TextDocuments> ReadJsonLines(LineReader& lines,
                                            const JsonLinesOptions& options,
                                            SkippedLines* skipped,
                                            int num_threads) {
  TextCollector::Options how = {.name = lines.name(),
                                .number_documents = options.number_documents,
                                .titles = options.read_title,
                                .labels = options.read_labels,
                                .num_threads = num_threads};
  if (skipped != nullptr) {
    how.skip = [skipped](int64_t line, const absl::Status& status) {
      skipped->Add(line, status);
    };
  }
  TextCollector collector(std::move(how));
  if (MayBeJsonArray(lines)) {
    return collector.Finish(ReadArray(lines, options, &collector));
  }
  return collector.Finish(ParseLineBlocks<TextPart>(
      lines, num_threads,
      [&](LineReader& block) {
        TextPart part;
        absl::string_view line;
        while (block.Next(&line)) {
          Parse(block, JsonText{line, block.line_number(), 0}, options, &part);
          if (!part.bad.empty() && skipped == nullptr) break;
        }
        part.status = block.status();
        return part;
      },
      [&](TextPart part) { return collector.Add(std::move(part)); }));
}

absl::StatusOr<TextDocuments> ReadJsonLines(absl::string_view path,
                                            const JsonLinesOptions& options,
                                            SkippedLines* skipped,
                                            int num_threads) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadJsonLines(lines, options, skipped, num_threads);
}

}  // namespace warpclust
