// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/json_texts.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"

namespace warpclust {
namespace {

constexpr absl::string_view kBlanks = " \t\r";

}  // namespace

bool MayBeJsonArray(LineReader& lines) {
  absl::string_view start = lines.Peek();
  absl::ConsumePrefix(&start, "\xEF\xBB\xBF");
  const size_t first = start.find_first_not_of(" \t\r\n");
  return first == absl::string_view::npos || start[first] == '[';
}

absl::Status ReadJsonText(
    const LineReader& lines, const JsonText& text,
    absl::FunctionRef<bool(absl::string_view key, JsonValue& value)> take) {
  const absl::optional<JsonError> error =
      ReadJsonObject(text.text, take, text.columns_before);
  if (!error.has_value()) return absl::OkStatus();
  return ExpectedInput(lines.name(), text.line + error->line, error->expected,
                       error->found);
}

void JsonTexts::Feed(absl::string_view line) {
  line_ = line;
  at_ = 0;
  has_line_ = true;
}

// Strict JSON has no line end in a string, so none goes on in the next line.
bool JsonTexts::PassObject() {
  bool in_string = false;
  for (; at_ < line_.size(); ++at_) {
    const char c = line_[at_];
    if (in_string) {
      if (c == '\\') {
        ++at_;
      } else {
        in_string = c != '"';
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth_;
    } else if (c == '}' && --depth_ == 0) {
      ++at_;
      return true;
    }
  }
  at_ = line_.size();
  return false;
}

absl::StatusOr<bool> JsonTexts::Next(const LineReader& lines, JsonText* text) {
  while (has_line_) {
    if (state_ == State::kLines) {
      has_line_ = false;
      *text = {line_, lines.line_number(), 0};
      return true;
    }
    if (state_ == State::kObject) {
      const size_t begin = at_;
      const bool complete = PassObject();
      const absl::string_view part = line_.substr(begin, at_ - begin);
      if (!complete) {
        absl::StrAppend(&earlier_lines_, part, "\n");
        has_line_ = false;
        return false;
      }
      state_ = State::kAfter;
      text->text = part;
      if (!earlier_lines_.empty()) {
        absl::StrAppend(&earlier_lines_, part);
        text->text = earlier_lines_;
      }
      text->line = first_line_;
      text->columns_before = columns_before_;
      return true;
    }
    at_ = line_.find_first_not_of(kBlanks, at_);
    if (at_ == absl::string_view::npos) {
      has_line_ = false;
      return false;
    }
    const char c = line_[at_];
    const auto expected = [&](absl::string_view what) {
      return lines.Expected(absl::StrCat(what, " at column ", at_ + 1),
                            line_.substr(at_));
    };
    switch (state_) {
      case State::kStart:
        state_ = c == '[' ? State::kFirst : State::kLines;
        if (c == '[') ++at_;
        break;
      case State::kFirst:
      case State::kElement:
        if (c == ']' && state_ == State::kFirst) {
          state_ = State::kEnd;
          ++at_;
          break;
        }
        if (c != '{') return expected("a JSON object");
        state_ = State::kObject;
        earlier_lines_.clear();
        first_line_ = lines.line_number();
        columns_before_ = at_;
        depth_ = 0;
        break;
      case State::kAfter:
        if (c != ',' && c != ']') return expected("',' or ']'");
        state_ = c == ',' ? State::kElement : State::kEnd;
        ++at_;
        break;
      default:
        return expected("the end of the input, after a JSON array,");
    }
  }
  return false;
}

bool JsonTexts::CutOff(JsonText* text) const {
  if (state_ != State::kObject) return false;
  *text = {earlier_lines_, first_line_, columns_before_};
  return true;
}

absl::Status JsonTexts::CheckEnd(const LineReader& lines) const {
  if (!is_array() || state_ == State::kEnd) return absl::OkStatus();
  return lines.Expected("']' at the end of a JSON array", "");
}

}  // namespace warpclust
