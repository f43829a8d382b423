// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/json_writer.h"

#include <charconv>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "graph/io/cover_io.h"

namespace warpclust {
namespace {

std::string Quoted(absl::string_view text) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  return quoted;
}

}  // namespace

void JsonWriter::BeforeValue() {
  if (needs_comma_) sink_->Append(",");
  needs_comma_ = true;
}

void JsonWriter::BeginObject() {
  BeforeValue();
  sink_->Append("{");
  ++depth_;
  needs_comma_ = false;
}

void JsonWriter::EndObject() {
  --depth_;
  if (in_lines_ && depth_ == 0) sink_->Append("\n");
  sink_->Append("}");
  needs_comma_ = true;
}

void JsonWriter::Key(absl::string_view name) {
  BeforeValue();
  if (in_lines_ && depth_ == 1) sink_->Append("\n  ");
  sink_->Append(Quoted(name));
  sink_->Append(":");
  needs_comma_ = false;
}

void JsonWriter::String(absl::string_view value) {
  BeforeValue();
  sink_->Append(Quoted(value));
}

void JsonWriter::Int(int64_t value) {
  BeforeValue();
  sink_->Append(absl::StrCat(value));
}

void JsonWriter::Double(double value) {
  if (!std::isfinite(value)) return Null();
  BeforeValue();
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  sink_->Append(absl::string_view(buffer, result.ptr - buffer));
}

void JsonWriter::Null() { Raw("null"); }

void JsonWriter::Raw(absl::string_view token) {
  BeforeValue();
  sink_->Append(token);
}

}  // namespace warpclust
