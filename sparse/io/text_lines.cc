// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/text_lines.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"

namespace warpclust {

absl::StatusOr<TextDocuments> ReadTextLines(LineReader& lines) {
  TextDocuments result;
  absl::string_view line;
  while (lines.Next(&line)) {
    if (result.ids.size() == INT32_MAX) {
      return lines.Expected("at most 2^31 - 1 documents", line);
    }
    std::string text(line);
    RepairUtf8(&text);
    result.ids.push_back(absl::StrCat(result.ids.size()));
    result.texts.push_back(std::move(text));
  }
  if (!lines.status().ok()) return lines.status();
  result.labels.resize(result.texts.size());
  return result;
}

absl::StatusOr<TextDocuments> ReadTextLines(absl::string_view path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadTextLines(lines);
}

}  // namespace warpclust
