// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/edge_line_parser.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/io/csv/csv_quotes.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"
#include "graph/io/edge_words.h"

namespace warpclust {
namespace {

constexpr absl::string_view kVertexComment = "#vertex\t";
constexpr int kEmptyColumn = -1;

bool IsBlank(char c) { return c == ' ' || c == '\t'; }
bool IsSeparator(char c) { return IsBlank(c) || c == ','; }

// Whether a weight is read, or refused as a number and not as a word.
bool LooksLikeWeight(absl::string_view text) {
  return SignOf(text) != 0 || !HasNoDigit(text);
}

// The number of columns of a first line between semicolons, as spreadsheets
// write where commas stand before decimals; 0 if something else separates. Tabs
// win, and so do blanks and commas if there are only two columns: a name may
// have a semicolon.
int SemicolonColumns(absl::string_view line) {
  int count = 1;
  bool others = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const size_t end = EndOfQuoted(line, i);
      if (end != absl::string_view::npos) i = end - 1;
      continue;
    }
    if (line[i] == '\t') return 0;
    if (line[i] == ';') ++count;
    others = others || IsSeparator(line[i]);
  }
  return count > 2 || (count == 2 && !others) ? count : 0;
}

absl::Status TooManyVertices(const LineReader& lines) {
  return lines.Annotate(absl::ResourceExhaustedError(
      "expected fewer than 2^31 different vertices"));
}

}  // namespace

// A run of separators counts as one. kEmptyColumn if it has two commas, or one
// at an end of the line.
int EdgeLineParser::SplitAtSeparators(absl::string_view line) {
  const bool quotes = csv_ && !mode_.has_vertex_comments;
  int count = 0;
  size_t i = 0;
  while (true) {
    int commas = 0;
    for (; i < line.size() && IsSeparator(line[i]); ++i) {
      commas += line[i] == ',' ? 1 : 0;
    }
    const bool at_end = i == line.size();
    if (commas > (count == 0 || at_end ? 0 : 1)) return kEmptyColumn;
    if (at_end) return count;
    const size_t begin = i;
    if (quotes && line[i] == '"') {
      const size_t end = EndOfQuoted(line, i);
      if (end == line.size() || (end < line.size() && IsSeparator(line[end]))) {
        i = end;
      }
    }
    while (i < line.size() && !IsSeparator(line[i])) ++i;
    if (count < kMostColumns) columns_[count] = line.substr(begin, i - begin);
    ++count;
  }
}

// Single tabs separate.
int EdgeLineParser::SplitAtTabs(absl::string_view line) {
  int count = 0;
  for (const absl::string_view column : absl::StrSplit(line, '\t')) {
    if (column.empty()) return kEmptyColumn;
    if (count < kMostColumns) columns_[count] = column;
    ++count;
  }
  return count;
}

// `separator_` separates. Columns may be empty.
int EdgeLineParser::SplitAtSeparator(absl::string_view line) {
  if (absl::StripAsciiWhitespace(line).empty()) return 0;
  int count = 0;
  size_t i = 0;
  while (true) {
    while (i < line.size() && IsBlank(line[i]) && line[i] != separator_) ++i;
    const size_t begin = i;
    if (i < line.size() && line[i] == '"') {
      const size_t end = EndOfQuoted(line, i);
      if (end != absl::string_view::npos) i = end;
    }
    while (i < line.size() && line[i] != separator_) ++i;
    if (count < kMostColumns) {
      columns_[count] =
          absl::StripTrailingAsciiWhitespace(line.substr(begin, i - begin));
    }
    ++count;
    if (i == line.size()) return count;
    ++i;
  }
}

bool EdgeLineParser::TakeNumbers(absl::string_view line, EdgeLine* edge) {
  const bool usual =
      IsSettled() && separator_ == 0 && !mode_.tabs_separate &&
      u_column_ == 0 && v_column_ == 1 &&
      (num_columns_ == 2 || (num_columns_ == 3 && weight_column_ == 2));
  if (!usual) return false;
  const char* at = line.data();
  const char* const end = at + line.size();
  const auto take_number = [&](absl::string_view* name) {
    const char* const begin = at;
    while (at != end && absl::ascii_isdigit(*at)) ++at;
    *name = absl::string_view(begin, at - begin);
    return at != begin;
  };
  const auto take_separators = [&] {
    const char* const begin = at;
    int commas = 0;
    for (; at != end && IsSeparator(*at); ++at) commas += *at == ',' ? 1 : 0;
    return at != begin && commas <= 1;
  };
  if (!take_number(&edge->u_name) || !take_separators() ||
      !take_number(&edge->v_name)) {
    return false;
  }
  edge->weight = absl::string_view();
  if (num_columns_ == 2) return at == end;
  if (!take_separators() || at == end || *at == '"') return false;
  edge->weight = absl::string_view(at, end - at);
  return std::none_of(at, end, IsSeparator);
}

absl::string_view EdgeLineParser::Field(int i) {
  const absl::string_view field = columns_[i];
  if (!csv_ || mode_.has_vertex_comments || !IsQuoted(field)) return field;
  const absl::string_view inner = field.substr(1, field.size() - 2);
  if (!absl::StrContains(inner, '"')) return inner;
  const int place = i == u_column_ ? 0 : i == v_column_ ? 1 : 2;
  return unquoted_[place] = Unquoted(field);
}

absl::StatusOr<bool> EdgeLineParser::Parse(const LineReader& lines,
                                           absl::string_view line,
                                           EdgeLine* edge) {
  if (line.empty()) return false;
  if (line[0] == '#' || line[0] == '%') {
    if (!absl::StartsWith(line, kVertexComment)) return false;
    const absl::string_view name = line.substr(kVertexComment.size());
    if (name.empty() || HasControlCharacter(name)) {
      return lines.Expected("the name of a vertex, without control characters",
                            name);
    }
    mode_.has_vertex_comments = csv_;
    mode_.tabs_separate = mode_.tabs_separate ||
                          name.find_first_of(" ,") != absl::string_view::npos;
    if (!Number(name, nullptr)) return TooManyVertices(lines);
    return false;
  }
  if (TakeNumbers(line, edge)) {
    has_numbers_ = may_be_header_;
    return true;
  }
  if (csv_ && lines.line_number() == 1 && IsSeparatorLine(line)) return false;
  if (csv_ && num_columns_ == 0 && !mode_.has_vertex_comments &&
      SemicolonColumns(line) > 0) {
    separator_ = ';';
  }
  const int count = mode_.tabs_separate ? SplitAtTabs(line)
                    : separator_ != 0   ? SplitAtSeparator(line)
                                        : SplitAtSeparators(line);
  if (count == 0) return false;
  if (count == kEmptyColumn) {
    return lines.Expected("columns that are not empty", line);
  }
  if (csv_ && num_columns_ == 0 && !mode_.has_vertex_comments) {
    ASSIGN_OR_RETURN(const bool header, TakeHeader(lines, line, count));
    if (header) return false;
  }
  if (num_columns_ == 0 && (count == 2 || count == 3)) {
    num_columns_ = count;
    first_line_ = lines.line_number();
  }
  if (count != num_columns_ && csv_ && HasOpenQuote(line)) {
    return lines.Expected("a closing quote in the same line", line);
  }
  if (count != num_columns_) {
    return lines.Expected(
        num_columns_ == 0
            ? "2 or 3 columns"
            : absl::StrCat(num_columns_, " columns as in line ", first_line_),
        line);
  }
  edge->u_name = Field(u_column_);
  edge->v_name = Field(v_column_);
  edge->weight = absl::string_view();
  if (count > 2 && weight_column_ != kNone) {
    edge->weight = Field(weight_column_);
  }
  if (first_line_ == lines.line_number()) {
    may_be_header_ =
        count == 2 && HasNoDigit(edge->u_name) && HasNoDigit(edge->v_name);
    if (may_be_header_) {
      header_ = absl::StrCat(edge->u_name, " ", edge->v_name);
    }
  } else if (may_be_header_) {
    has_numbers_ = IsNumber(edge->u_name) && IsNumber(edge->v_name);
    may_be_header_ = has_numbers_;
  }
  if (header_pending_) {
    if (!LooksLikeWeight(edge->weight)) return HeaderError(lines);
    header_pending_ = false;
    skipped_header_ = true;
  }
  for (const absl::string_view name : {edge->u_name, edge->v_name}) {
    if (HasControlCharacter(name)) {
      return lines.Expected("a name without control characters", name);
    }
    if (name.empty()) return lines.Expected("names that are not empty", line);
  }
  if (count > 2 && edge->weight.empty()) {
    return lines.Expected("a weight", line);
  }
  return true;
}

bool EdgeLineParser::HasRoomForWaiting() const {
  // A block is too short for too many names.
  return block_names_.has_value() ||
         ids_.size() <= std::numeric_limits<int32_t>::max() - kMostWaiting;
}

bool EdgeLineParser::Number(absl::string_view name, int32_t* vertex) {
  const int32_t number = IdMap::PlainNumber(name);
  if (num_waiting_ == kMostWaiting) Settle();
  if (number >= 0 && HasRoomForWaiting()) {
    waiting_[num_waiting_++] = {number, vertex};
    if (block_names_.has_value()) {
      block_names_->PrefetchNumber(number);
    } else {
      ids_.PrefetchNumber(number);
    }
    return true;
  }
  Settle();
  const int32_t id =
      block_names_.has_value() ? block_names_->Add(name) : ids_.Add(name);
  if (vertex != nullptr) *vertex = id;
  return block_names_.has_value() || id >= 0;
}

void EdgeLineParser::Settle() {
  for (int32_t i = 0; i < num_waiting_; ++i) {
    const auto [number, vertex] = waiting_[i];
    const int32_t id = block_names_.has_value()
                           ? block_names_->AddNumber(number)
                           : ids_.AddNumber(number);
    if (vertex != nullptr) *vertex = id;
  }
  num_waiting_ = 0;
}

absl::Status EdgeLineParser::NumberEnds(const LineReader& lines,
                                        const EdgeLine& edge, int32_t* u,
                                        int32_t* v) {
  if (Number(edge.u_name, u) && Number(edge.v_name, v)) return absl::OkStatus();
  return TooManyVertices(lines);
}

EdgeLineParser EdgeLineParser::ForBlock() {
  Settle();
  IdMap::Others others = ids_.ForOthers();
  IdMap ids = std::exchange(ids_, IdMap());
  EdgeLineParser block = *this;
  ids_ = std::move(ids);
  block.block_names_ = std::move(others);
  block.first_mode_ = mode_;
  block.has_numbers_ = false;
  return block;
}

bool EdgeLineParser::FindVertices(EdgeLineParser* block,
                                  std::vector<int32_t>* ids) const {
  IdMap::Others& names = *block->block_names_;
  names.KeepOnlyNames();
  ids->resize(names.size());
  bool all = true;
  for (int32_t i = 0; i < names.size(); ++i) {
    (*ids)[i] = ids_.FindOf(names, i);
    all = all && (*ids)[i] >= 0;
  }
  if (all) {
    names = IdMap::Others();
  } else {
    block->found_ = *ids;
  }
  return all;
}

bool EdgeLineParser::Append(const EdgeLineParser& block,
                            std::vector<int32_t>* ids) {
  Settle();
  if (block.first_mode_ != mode_) return false;
  const IdMap::Others& names = *block.block_names_;
  if (names.size() > std::numeric_limits<int32_t>::max() - ids_.size()) {
    return false;
  }
  *ids = block.found_;
  ids->resize(names.size(), -1);
  for (int32_t i = 0; i < names.size(); ++i) {
    if ((*ids)[i] < 0) (*ids)[i] = ids_.AddOf(names, i);
  }
  mode_ = block.mode_;
  may_be_header_ = may_be_header_ && block.may_be_header_;
  has_numbers_ = may_be_header_ && (has_numbers_ || block.has_numbers_);
  return true;
}

absl::Status LoopError(const LineReader& lines, const EdgeLine& edge) {
  return lines.Expected("two different vertices",
                        absl::StrCat(edge.u_name, " ", edge.v_name));
}

}  // namespace warpclust
