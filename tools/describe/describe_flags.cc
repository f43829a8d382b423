// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/describe/describe_flags.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "sparse/matrix/compact_terms.h"
#include "sparse/text/term_frequencies.h"
#include "tools/cli/cli.h"

namespace warpclust {

void AddTitlesFlag(FlagSet* flags, DescribeFlags* options) {
  flags->AddWritePath(
      "titles", &options->titles, "PATH",
      "Write a line per cluster: its number, size, title and top terms, with "
      "tabs between them.");
}

void AddExplainFlag(FlagSet* flags, DescribeFlags* options) {
  flags->AddOptionalString(
      "explain", &options->explain, "ID",
      "Instead of clusters, write why each document, or the one called ID, is "
      "in its clusters: the center, the cosine with it, and what each shared "
      "term adds to that.");
}

void AddVocabularyFlag(FlagSet* flags, DescribeFlags* options) {
  flags->AddReadPath("vocabulary", &options->vocabulary, "PATH",
                     "For vectors: the word of each column, one per line, as "
                     "vectorize writes it, for the terms of clusters.");
}

std::string NamedDocuments::ColumnName(int32_t column) const {
  if (!words.empty() && !words[column].empty()) return words[column];
  return absl::StrCat(int64_t{columns[column]} + 1);
}

NamedDocuments CompactNamed(DocumentMatrix documents,
                            std::vector<std::string> ids,
                            std::vector<std::string> titles,
                            std::vector<std::string> words, int num_threads) {
  NamedDocuments named;
  named.documents = std::move(documents);
  named.ids = std::move(ids);
  named.titles = std::move(titles);
  named.columns = CompactTerms(&named.documents, num_threads);
  if (!words.empty()) {
    for (const int32_t column : named.columns) {
      named.words.push_back(std::move(words[column]));
    }
  }
  return named;
}

absl::StatusOr<std::vector<std::string>> ReadColumnWords(
    const DescribeFlags& options, absl::string_view input,
    int32_t num_columns) {
  std::vector<std::string> words;
  if (options.vocabulary.empty()) return words;
  ASSIGN_OR_RETURN(const TermFrequencies read,
                   ReadTermFrequencies(options.vocabulary));
  const Vocabulary& vocabulary = read.vocabulary;
  if (vocabulary.size() < num_columns) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.vocabulary, ": expected at least ", num_columns,
                     " terms, the columns of ", InputName(input), ", found ",
                     vocabulary.size()));
  }
  for (int32_t column = 0; column < num_columns; ++column) {
    words.emplace_back(vocabulary.Term(column));
  }
  return words;
}

absl::StatusOr<int32_t> FindDocument(absl::string_view flag,
                                     absl::string_view id,
                                     absl::Span<const std::string> ids) {
  const auto found = std::find(ids.begin(), ids.end(), id);
  if (found == ids.end()) {
    return UsageError(absl::StrCat(
        "--", flag, ": expected the id of a document, found ", QuoteInput(id)));
  }
  return static_cast<int32_t>(found - ids.begin());
}

}  // namespace warpclust
