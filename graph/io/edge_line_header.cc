// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Which first lines of an edge list are headers.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "graph/io/edge_line_parser.h"
#include "graph/io/edge_words.h"

namespace warpclust {
namespace {

// Names of columns in headers, in lower case.
constexpr absl::string_view kSources[] = {"source",  "src",     "from", "node1",
                                          "vertex1", "from_id", "id1",  "u"};
constexpr absl::string_view kTargets[] = {
    "target", "dst", "dest", "to", "node2", "vertex2", "to_id", "id2", "v"};
constexpr absl::string_view kWeights[] = {"weight", "sign",  "rating",
                                          "value",  "score", "w"};

template <size_t kCount>
bool IsOneOf(absl::string_view text, const absl::string_view (&names)[kCount]) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](absl::string_view name) {
                       return absl::EqualsIgnoreCase(text, name);
                     });
}

// Whether a comma is between two digits.
bool HasDecimalComma(absl::string_view line) {
  for (size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] == ',' && absl::ascii_isdigit(line[i - 1]) &&
        absl::ascii_isdigit(line[i + 1])) {
      return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> EdgeLineParser::TakeHeader(const LineReader& lines,
                                                absl::string_view line,
                                                int count) {
  if (count < 2) return false;
  int source = kNone, target = kNone, weight = kNone;
  bool has_number = false;
  const int known = std::min(count, kMostColumns);
  for (int i = known - 1; i >= 0; --i) {
    const absl::string_view name = Field(i);
    if (IsOneOf(name, kSources)) source = i;
    if (IsOneOf(name, kTargets)) target = i;
    if (IsOneOf(name, kWeights)) weight = i;
    has_number = has_number || IsNumber(name) || SignOf(name) != 0;
  }
  // "u v" may be an edge.
  const bool named = source != kNone && target != kNone && !has_number &&
                     (count > 2 || Field(source).size() > 1);
  if (!named) {
    if (count > 3) {
      if (HasDecimalComma(line) && absl::StrContains(line, '\t')) {
        return lines.Expected("weights with a decimal point, not a comma",
                              line);
      }
      return lines.Expected(
          "2 or 3 columns (two vertices and a weight), or a header such as "
          "source,target,weight that names them",
          line);
    }
    if (count < 3 || !IsWord(Field(2)) || SignOf(Field(2)) != 0 ||
        IsNumber(Field(0)) || IsNumber(Field(1))) {
      return false;
    }
    header_pending_ = true;
    header_weight_ = std::string(Field(2));
  } else {
    if (weight == kNone && count == 3 && source < 2 && target < 2) weight = 2;
    if (weight == kNone && count > 2) {
      return lines.Expected(
          "a header with a column of weights (weight, sign, rating, value or "
          "score)",
          line);
    }
    u_column_ = source;
    v_column_ = target;
    weight_column_ = weight;
    skipped_header_ = true;
  }
  if (separator_ != 0) {
    // A semicolon.
  } else if (absl::StrContains(line, ',')) {
    separator_ = ',';
  } else if (absl::StrContains(line, '\t')) {
    separator_ = '\t';
  }
  num_columns_ = count;
  first_line_ = lines.line_number();
  header_ = std::string(absl::StripAsciiWhitespace(line));
  return true;
}

absl::Status EdgeLineParser::HeaderError(const LineReader& lines) const {
  return absl::InvalidArgumentError(
      absl::StrCat(lines.name(), ":", first_line_, ": expected ", kExpectedSign,
                   ", found ", QuoteInput(header_weight_)));
}

absl::Status EdgeLineParser::CheckHeader(const LineReader& lines) const {
  if (header_pending_) return HeaderError(lines);
  if (!may_be_header_ || !has_numbers_) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      lines.name(), ":", first_line_, ": expected two numbers as in all other ",
      "lines, found ", QuoteInput(header_), " (before a header put #)"));
}

}  // namespace warpclust
