// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The format of documents and edges by their first bytes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/io/csv/csv_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "tools/input/format_guess.h"
#include "tools/input/input_format.h"
#include "tools/input/input_head.h"

namespace warpclust {
namespace {

constexpr int kHeadLines = 20;
constexpr absl::string_view kVertexMark = "#vertex\t";

// The rule for a format that the content shows.
absl::string_view ContentRule(InputFormat format) {
  switch (format) {
    case InputFormat::kJsonLines:
      return "it begins with an object";
    case InputFormat::kSvmlight:
      return "its first lines are `label index:value ...`";
    case InputFormat::kMatrixMarket:
      return "it begins with %%MatrixMarket";
    case InputFormat::kEdges:
      return "its first lines are `u v [weight]`";
    default:
      return "no other format fits";
  }
}

bool IsNumber(absl::string_view text) {
  double value = 0;
  return absl::SimpleAtod(text, &value);
}

// `label index:value ...`, or a label alone.
bool LooksLikeSvmlight(const std::vector<absl::string_view>& fields) {
  for (size_t i = 1; i < fields.size(); ++i) {
    const std::vector<absl::string_view> pair = absl::StrSplit(fields[i], ':');
    if (pair.size() != 2) return false;
    if (!IsNumber(pair[0]) && pair[0] != "qid") return false;
    if (!IsNumber(pair[1])) return false;
  }
  return true;
}

// `u v` with numbered vertices, or `u v weight` with vertices of any name.
bool LooksLikeEdge(const std::vector<absl::string_view>& fields) {
  if (fields.size() == 2) {
    int64_t id = 0;
    return absl::SimpleAtoi(fields[0], &id) && absl::SimpleAtoi(fields[1], &id);
  }
  return fields.size() == 3 && IsNumber(fields[2]);
}

// Whether `text` begins the first object of a JSON array: "[{", or "{" after a
// line "[".
bool StartsObjects(const std::vector<std::string>& seen,
                   absl::string_view text) {
  if (seen.size() == 1) return seen[0] == "[" && text[0] == '{';
  return seen.empty() && absl::ConsumePrefix(&text, "[") &&
         absl::StartsWith(absl::StripLeadingAsciiWhitespace(text), "{");
}

// Content of no other format is read as lines of text. Without this check, an
// archive would be clustered too.
absl::Status CheckIsText(absl::string_view name, absl::string_view text) {
  if (const absl::string_view what = ForeignFile(text); !what.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": expected text, plain or compressed by gzip or zstd, found ",
        what));
  }
  // The readers report UTF-16 with its line.
  if (!CheckIsNotUtf16(text).ok()) return absl::OkStatus();
  if (text.find('\0') != absl::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(name,
                     ": expected text, plain or compressed by gzip or zstd, "
                     "found a NUL byte "
                     "(--input_format=lines reads any bytes)"));
  }
  return absl::OkStatus();
}

// 2 or 3 if that is the number of words of each of the first lines, at least
// three; otherwise 0. `text` may be cut short.
size_t WordsPerLine(absl::string_view text) {
  size_t words = 0;
  int lines = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const bool is_last = line.data() + line.size() == text.data() + text.size();
    if (lines == kHeadLines || (is_last && text.size() >= kHeadBytes)) break;
    const std::vector<absl::string_view> columns =
        absl::StrSplit(line, absl::ByAnyChar(" \t\r,"), absl::SkipEmpty());
    if (columns.empty() || columns[0][0] == '#' || columns[0][0] == '%') {
      continue;
    }
    if (lines > 0 && columns.size() != words) return 0;
    words = columns.size();
    ++lines;
  }
  return lines >= 3 && (words == 2 || words == 3) ? words : 0;
}

// Whether `field` could name a column.
bool LooksLikeName(absl::string_view field) {
  field = absl::StripAsciiWhitespace(field);
  return !field.empty() && !absl::ascii_isdigit(field[0]) &&
         absl::c_all_of(field, [](char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
         });
}

// For an input without a name: `guess`, or CSV if `text`, its begin, has a
// header that names a column text and records of as many columns.
FormatGuess GuessCsv(absl::string_view text, FormatGuess guess) {
  // The last line may be cut off.
  LineReader lines =
      LineReader::FromString(std::string(text.substr(0, text.rfind('\n') + 1)));
  CsvReader csv(&lines);
  std::vector<std::string> header;
  std::vector<std::string> fields;
  absl::StatusOr<bool> more = csv.Next(&header);
  if (!more.ok() || header.size() < 2) return guess;
  int records = 1;
  while ((more = csv.Next(&fields)).ok() && *more) ++records;
  // At the end, a quoted field may be cut off.
  if (!more.ok() && !lines.ended()) return guess;
  const auto is_text = [](absl::string_view field) {
    return absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(field), "text");
  };
  if (absl::c_all_of(header, LooksLikeName) &&
      absl::c_any_of(header, is_text)) {
    return {InputFormat::kCsv, "its first line names a column text"};
  }
  if (records >= 3) {
    guess.rule =
        "no other format fits; it may be CSV, without a header that names a "
        "column text: --input_format=csv";
  }
  return guess;
}

}  // namespace

absl::Status FoundGraph(absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat(name,
                   ": expected documents, found the edges of a graph "
                   "(--input_format=lines reads them as texts)"));
}

absl::StatusOr<FormatGuess> GuessByContent(absl::string_view name,
                                           const std::string& head,
                                           bool edges_allowed, bool has_name) {
  FormatGuess guess;
  guess.format = DetectContentFormat(head, edges_allowed);
  guess.rule = std::string(ContentRule(guess.format));
  if (guess.format == InputFormat::kLines) {
    const std::string text = Inflated(head);
    RETURN_IF_ERROR(CheckIsText(name, text));
    // How similarity_graph begins.
    if (absl::StartsWith(text, kVertexMark)) return FoundGraph(name);
    guess.ambiguous_words = WordsPerLine(text);
    if (!has_name) return GuessCsv(text, std::move(guess));
  }
  return guess;
}

InputFormat DetectContentFormat(absl::string_view head, bool edges_allowed) {
  LineReader lines = LineReader::FromString(std::string(head));
  std::vector<std::string> seen;
  absl::string_view line;
  // The last line may be cut short: it counts only if it is the only one.
  while (seen.size() <= kHeadLines && lines.Next(&line)) {
    if (seen.empty() && absl::StartsWithIgnoreCase(line, "%%MatrixMarket")) {
      return InputFormat::kMatrixMarket;
    }
    // How similarity_graph begins; the edges may be far below.
    if (edges_allowed && absl::StartsWith(line, kVertexMark)) {
      return InputFormat::kEdges;
    }
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    if (seen.empty() && !text.empty() && text[0] == '{') {
      return InputFormat::kJsonLines;
    }
    // An array of objects, which the reader of JSON Lines reads too.
    if (!text.empty() && StartsObjects(seen, text)) {
      return InputFormat::kJsonLines;
    }
    if (!text.empty() && text[0] != '#' && text[0] != '%') {
      seen.emplace_back(text);
    }
  }
  if (seen.size() > 1) seen.pop_back();
  bool svmlight = !seen.empty(), edges = edges_allowed && !seen.empty();
  bool has_pairs = false;
  for (const std::string& text : seen) {
    const absl::string_view data = absl::StripAsciiWhitespace(
        absl::string_view(text).substr(0, text.find('#')));
    // Commas separate the columns of an edge, and the labels of a svmlight
    // line.
    const std::vector<absl::string_view> words =
        absl::StrSplit(data, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    const std::vector<absl::string_view> columns =
        absl::StrSplit(data, absl::ByAnyChar(" \t,"), absl::SkipEmpty());
    svmlight = svmlight && LooksLikeSvmlight(words);
    has_pairs = has_pairs || words.size() > 1;
    edges = edges && LooksLikeEdge(columns);
  }
  if (svmlight && has_pairs) return InputFormat::kSvmlight;
  return edges ? InputFormat::kEdges : InputFormat::kLines;
}

}  // namespace warpclust
