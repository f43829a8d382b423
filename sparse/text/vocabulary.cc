// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/vocabulary.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"

namespace warpclust {

Vocabulary Vocabulary::FromDistinct(absl::Span<const absl::string_view> terms) {
  Vocabulary result;
  for (const absl::string_view term : terms) result.terms_.emplace_back(term);
  result.distinct_added_ = std::make_unique<std::once_flag>();
  return result;
}

Vocabulary::Ids& Vocabulary::AllIds() const {
  if (distinct_added_ == nullptr) return ids_;
  std::call_once(*distinct_added_, [this] {
    ids_.reserve(terms_.size());
    for (const std::string& term : terms_) {
      ids_.emplace(term, static_cast<int32_t>(ids_.size()));
    }
  });
  return ids_;
}

int32_t Vocabulary::Add(absl::string_view term) {
  Ids& ids = AllIds();
  const auto found = ids.find(term);
  if (found != ids.end()) return found->second;
  const int32_t id = size();
  terms_.emplace_back(term);
  ids.emplace(terms_.back(), id);
  return id;
}

int32_t Vocabulary::Find(absl::string_view term) const {
  const Ids& ids = AllIds();
  const auto found = ids.find(term);
  return found == ids.end() ? kNotFound : found->second;
}

absl::StatusOr<Vocabulary> ReadVocabulary(absl::string_view path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadVocabulary(lines);
}

absl::StatusOr<Vocabulary> ReadVocabulary(LineReader& lines) {
  Vocabulary vocabulary;
  absl::string_view line;
  while (lines.Next(&line)) {
    if (line.empty()) return lines.Expected("a term", line);
    if (vocabulary.size() == INT32_MAX) {
      return lines.Expected("at most 2^31 - 1 terms", line);
    }
    const int32_t expected_id = vocabulary.size();
    const int32_t id = vocabulary.Add(line);
    if (id != expected_id) {
      // Term i is on line i + 1: every line adds one.
      return lines.Expected(
          absl::StrCat("a term different from that of line ", id + 1), line);
    }
  }
  if (!lines.status().ok()) return lines.status();
  return vocabulary;
}

absl::Status WriteVocabulary(const Vocabulary& vocabulary,
                             absl::string_view path) {
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const absl::string_view term = vocabulary.Term(id);
    if (term.empty() || absl::StrContains(term, '\n') || term.back() == '\r' ||
        (id == 0 && StartsWithFileMark(term))) {
      return absl::InvalidArgumentError(
          absl::StrCat("term ", id, ": expected text of one line, found ",
                       QuoteInput(term)));
    }
  }
  ASSIGN_OR_RETURN(TextWriter writer, TextWriter::Open(path));
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    writer.Write(vocabulary.Term(id));
    writer.Write("\n");
  }
  return writer.Close();
}

}  // namespace warpclust
