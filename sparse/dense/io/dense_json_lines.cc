// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_json_lines.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/strings/charconv.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_blocks.h"
#include "base/status/status_macros.h"
#include "base/text/json_reader.h"
#include "base/text/json_text.h"
#include "sparse/io/json_texts.h"
#include "sparse/io/unique_ids.h"
#include "sparse/text/first_words.h"

namespace warpclust {
namespace {

using Kind = JsonValue::Kind;

// Documents of consecutive lines.
struct Part {
  struct Document {
    absl::optional<std::string> id;
    int64_t line;     // Where it begins.
    int64_t id_line;  // Where it ends.
    std::string title;
    absl::optional<JsonTime> time;
  };
  std::vector<Document> documents;
  std::vector<float> values;
  size_t dimensions = 0;  // Of the first document.
  absl::Status status;    // Of what follows them.
};

// Sets `*value` to the float nearest to the number `token`, which is `number`
// in double. False if it is too large.
bool NearestFloat(absl::string_view token, double number, float* value) {
  // Between the largest float and 2^128.
  constexpr double kLargestMiddle = 0x1.ffffffp127;
  if (std::fabs(number) > kLargestMiddle) return false;
  // Rounding twice is rounding once, except in the middle of two floats. Those
  // near 0 have fewer bits.
  constexpr uint64_t kMiddle = uint64_t{1} << 28;
  const bool in_the_middle =
      (absl::bit_cast<uint64_t>(number) & (2 * kMiddle - 1)) == kMiddle;
  if (!in_the_middle &&
      std::fabs(number) >= std::numeric_limits<float>::min()) {
    *value = static_cast<float>(number);
    return true;
  }
  const absl::from_chars_result result =
      absl::from_chars(token.data(), token.data() + token.size(), *value);
  // A number out of range is the largest float, or 0.
  return result.ec != std::errc::result_out_of_range || std::fabs(*value) < 1;
}

bool TakeNumber(JsonValue& json, std::vector<float>* values) {
  double number;
  if (!json.Number(&number)) return false;
  float value = 0;
  if (!NearestFloat(json.token(), number, &value)) {
    return json.Fail("a number that fits in float32");
  }
  values->push_back(value);
  return true;
}

bool TakeVector(JsonValue& json, size_t dimensions,
                std::vector<float>* values) {
  constexpr absl::string_view kExpected = "an array of numbers";
  const size_t first = values->size();
  if (!json.ForEachElement(
          [values](JsonValue& number) { return TakeNumber(number, values); },
          kExpected)) {
    return false;
  }
  const size_t found = values->size() - first;
  if (found > 0 && (dimensions == 0 || found == dimensions)) return true;
  return json.Fail(
      found == 0
          ? std::string(kExpected)
          : absl::StrCat("an array of ", dimensions,
                         " numbers, as in the first document, not of ", found));
}

// Appends the document in `text`, unless it is blank. False after an error.
bool Parse(const LineReader& lines, const JsonText& text,
           const DenseJsonOptions& options, Part* part) {
  if (text.text.find_first_not_of(" \t\r\n") == absl::string_view::npos) {
    return true;
  }
  Part::Document document = {absl::nullopt, text.line, lines.line_number(), "",
                             absl::nullopt};
  std::string own_text;
  const size_t first = part->values.size();
  const auto take = [&](absl::string_view key, JsonValue& value) {
    const Kind kind = value.kind();
    const bool is_time = !options.time_field.empty() &&
                         key == options.time_field && kind != Kind::kNull;
    const bool is_vector = key == options.vector_field;
    if (!is_time && options.read_titles && !is_vector &&
        key != options.id_field && (key == "title" || key == "text") &&
        kind == Kind::kString) {
      return value.String(key == "title" ? &document.title : &own_text);
    }
    if (!is_time &&
        ((!is_vector && key != options.id_field) || kind == Kind::kNull)) {
      return value.Skip();
    }
    if (is_time     ? document.time.has_value()
        : is_vector ? part->values.size() > first
                    : document.id.has_value()) {
      return value.Fail(absl::StrCat("only one field \"", key, "\""));
    }
    if (is_time) return TakeJsonTime(value, &document.time.emplace());
    return is_vector ? TakeVector(value, part->dimensions, &part->values)
                     : TakeJsonId(value, &document.id.emplace());
  };
  part->status = ReadJsonText(lines, text, take);
  if (part->status.ok() && part->values.size() == first) {
    part->status =
        ExpectedInput(lines.name(), text.line,
                      absl::StrCat("a field \"", options.vector_field, "\""),
                      text.text.substr(0, text.text.find('\n')));
  }
  if (!part->status.ok()) {
    part->values.resize(first);
    return false;
  }
  if (options.read_titles) {
    document.title = DocumentTitle(document.title, own_text);
  }
  part->dimensions = part->values.size() - first;
  part->documents.push_back(std::move(document));
  return true;
}

// All documents so far.
struct Collection {
  const std::string& name;
  std::vector<float> values;
  size_t dimensions = 0;
  std::vector<std::string> ids;
  std::vector<int64_t> lines;
  bool number_documents = true;
  bool read_titles = false;
  std::vector<std::string> titles;
  UniqueIds unique;

  absl::Status Add(Part part) {
    if (dimensions == 0) dimensions = part.dimensions;
    for (Part::Document& document : part.documents) {
      // All documents of a part have as many.
      if (part.dimensions != dimensions) {
        return ExpectedInput(name, document.line,
                             absl::StrCat("an array of ", dimensions,
                                          " numbers, as in the first document"),
                             absl::StrCat(part.dimensions));
      }
      if (ids.size() == std::numeric_limits<int32_t>::max()) {
        return ExpectedInput(name, document.line,
                             "at most 2147483647 documents", "more");
      }
      std::string id;
      if (document.id.has_value() || number_documents) {
        id = document.id.has_value() ? *std::move(document.id)
                                     : absl::StrCat(ids.size());
        RETURN_IF_ERROR(unique.Add(name, document.id_line, id));
      }
      ids.push_back(std::move(id));
      lines.push_back(document.line);
      if (read_titles) titles.push_back(std::move(document.title));
    }
    values.insert(values.end(), part.values.begin(), part.values.end());
    return part.status;
  }
};

absl::Status ReadArray(LineReader& lines, const DenseJsonOptions& options,
                       Collection* collection) {
  JsonTexts texts;
  JsonText text;
  absl::string_view line;
  while (lines.Next(&line)) {
    texts.Feed(line);
    while (true) {
      ASSIGN_OR_RETURN(const bool has_text, texts.Next(lines, &text));
      if (!has_text) break;
      Part part;
      part.dimensions = collection->dimensions;
      Parse(lines, text, options, &part);
      RETURN_IF_ERROR(collection->Add(std::move(part)));
    }
  }
  RETURN_IF_ERROR(lines.status());
  if (texts.CutOff(&text)) {
    Part part;
    Parse(lines, text, options, &part);
    RETURN_IF_ERROR(part.status);
  }
  return texts.CheckEnd(lines);
}

}  // namespace

absl::StatusOr<bool> ParseDenseJsonDocument(const LineReader& lines,
                                            const JsonText& text,
                                            const DenseJsonOptions& options,
                                            size_t dimensions,
                                            DenseJsonDocument* document) {
  Part part;
  part.dimensions = dimensions;
  if (!Parse(lines, text, options, &part)) return part.status;
  if (part.documents.empty()) return false;
  Part::Document& parsed = part.documents.front();
  *document = {std::move(part.values), std::move(parsed.id), parsed.time};
  return true;
}

void AppendDenseJson(const absl::optional<std::string>& id,
                     const absl::optional<int64_t>& time,
                     absl::Span<const float> row, std::string* json) {
  json->push_back('{');
  if (id.has_value()) absl::StrAppend(json, "\"id\":", JsonQuote(*id), ",");
  if (time.has_value()) absl::StrAppend(json, "\"time\":", *time, ",");
  absl::StrAppend(json, "\"embedding\":");
  char separator = '[';
  for (const float value : row) {
    json->push_back(separator);
    separator = ',';
    // The shortest digits that are read as the same float.
    char digits[32];
    const std::to_chars_result end =
        std::to_chars(digits, digits + sizeof(digits), value);
    json->append(digits, end.ptr);
  }
  absl::StrAppend(json, row.empty() ? "[" : "", "]}");
}

absl::StatusOr<DenseJsonDocuments> ReadDenseJsonLines(
    LineReader& lines, const DenseJsonOptions& options, int num_threads) {
  Collection collection = {
      lines.name(),        {}, 0, {}, {}, options.number_documents,
      options.read_titles, {}, {}};
  if (MayBeJsonArray(lines)) {
    RETURN_IF_ERROR(ReadArray(lines, options, &collection));
  } else {
    RETURN_IF_ERROR(ParseLineBlocks<Part>(
        lines, num_threads,
        [&](LineReader& block) {
          Part part;
          absl::string_view line;
          while (part.status.ok() && block.Next(&line)) {
            Parse(block, JsonText{line, block.line_number(), 0}, options,
                  &part);
          }
          if (part.status.ok()) part.status = block.status();
          return part;
        },
        [&](Part part) { return collection.Add(std::move(part)); }));
  }
  DenseJsonDocuments result;
  result.documents =
      MakeDenseDocuments(std::move(collection.values),
                         static_cast<int32_t>(collection.ids.size()));
  result.ids = std::move(collection.ids);
  result.lines = std::move(collection.lines);
  result.titles = std::move(collection.titles);
  return result;
}

}  // namespace warpclust
