// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/csv/csv_quotes.h"

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"

namespace warpclust {

bool IsSeparatorLine(absl::string_view line) {
  return line.size() == 5 && absl::StartsWithIgnoreCase(line, "sep=");
}

bool HasOpenQuote(absl::string_view line) {
  bool open = false;
  // By memchr: quotes are few.
  for (size_t i = line.find('"'); i != line.npos; i = line.find('"', i + 1)) {
    open = !open;
  }
  return open;
}

size_t EndOfQuoted(absl::string_view line, size_t begin) {
  for (size_t i = begin + 1; i < line.size(); ++i) {
    if (line[i] != '"') continue;
    if (i + 1 == line.size() || line[i + 1] != '"') return i + 1;
    ++i;
  }
  return absl::string_view::npos;
}

bool IsQuoted(absl::string_view field) {
  return field.size() >= 2 && field[0] == '"' &&
         EndOfQuoted(field, 0) == field.size();
}

std::string Unquoted(absl::string_view field) {
  if (!IsQuoted(field)) return std::string(field);
  return absl::StrReplaceAll(field.substr(1, field.size() - 2),
                             {{"\"\"", "\""}});
}

}  // namespace warpclust
