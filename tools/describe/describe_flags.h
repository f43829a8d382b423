// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The flags of tools that describe clusters of documents: --titles, --explain,
// --vocabulary.

#ifndef WARPCLUST_TOOLS_DESCRIBE_DESCRIBE_FLAGS_H_
#define WARPCLUST_TOOLS_DESCRIBE_DESCRIBE_FLAGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/cli/flags/flag_set.h"

namespace warpclust {

struct DescribeFlags {
  std::string titles;
  std::string explain;
  std::string vocabulary;
  std::string report;
};

// --titles.
void AddTitlesFlag(FlagSet* flags, DescribeFlags* options);
// --explain[=ID], which writes explanations instead of clusters.
void AddExplainFlag(FlagSet* flags, DescribeFlags* options);
// --vocabulary, the words of the columns of vectors.
void AddVocabularyFlag(FlagSet* flags, DescribeFlags* options);

// What is called what in a collection that was read: its documents with their
// columns numbered anew, and what to call them.
struct NamedDocuments {
  DocumentMatrix documents;
  // Instead of them, if is_dense; without words.
  DenseDocuments dense;
  bool is_dense = false;
  std::vector<std::string> ids;
  std::vector<std::string> titles;
  // The word of each column; empty for vectors without a vocabulary.
  std::vector<std::string> words;
  // The number of each column in the input, from 0.
  std::vector<int32_t> columns;

  // What to call a column in an explanation: its word, or its number from 1.
  std::string ColumnName(int32_t column) const;
};

// CompactTerms on `documents`; `words` has the word of each of its columns, or
// is empty.
NamedDocuments CompactNamed(DocumentMatrix documents,
                            std::vector<std::string> ids,
                            std::vector<std::string> titles,
                            std::vector<std::string> words,
                            int num_threads = 0);

// The words of --vocabulary for `num_columns` columns of `input`; empty if it
// was not given. The errors of ReadTermFrequencies; InvalidArgument if there
// are more columns than words.
absl::StatusOr<std::vector<std::string>> ReadColumnWords(
    const DescribeFlags& options, absl::string_view input, int32_t num_columns);

// The place of `id` among `ids`. UsageError naming --`flag` if it is not there.
absl::StatusOr<int32_t> FindDocument(absl::string_view flag,
                                     absl::string_view id,
                                     absl::Span<const std::string> ids);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DESCRIBE_DESCRIBE_FLAGS_H_
