// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VectorizeTexts: texts to term counts. Use it between a text reader and
// ApplyWeighting.
//
//   ASSIGN_OR_RETURN(VectorizedTexts vectors, VectorizeTexts(documents.texts));
//
// Terms are numbered in ascending order of their bytes, so that the columns do
// not depend on the order of documents.
//
// Cost: one pass over the texts; each distinct word is looked up in the stop
// words and stemmed once. Memory: the matrix twice, and the distinct words once
// and once per thread. A count above 2^24 is rounded to a float.

#ifndef WARPCLUST_SPARSE_TEXT_VECTORIZER_H_
#define WARPCLUST_SPARSE_TEXT_VECTORIZER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

struct VectorizedTexts {
  // Row d counts the terms of text d; a text without terms is an empty row.
  DocumentMatrix documents;
  // Column t counts vocabulary.Term(t).
  Vocabulary vocabulary;
  // If asked for: the word to show for each column (full_words.h).
  std::vector<std::string> words;
};

// InvalidArgument as Analyzer::Create. `work`, unless null, counts the texts.
// `keep_words` asks for VectorizedTexts::words, at the cost of a count per
// word.
absl::StatusOr<VectorizedTexts> VectorizeTexts(
    absl::Span<const std::string> texts, const AnalyzerOptions& options = {},
    WorkShare* work = nullptr, int num_threads = 0, bool keep_words = false);

// The same, without the texts afterwards: a thread that has counted one frees
// it and leaves an empty string. Otherwise one thread frees them all in the
// end.
absl::StatusOr<VectorizedTexts> VectorizeAndFree(
    std::vector<std::string>* texts, const AnalyzerOptions& options = {},
    WorkShare* work = nullptr, int num_threads = 0, bool keep_words = false);

// The counts over a given vocabulary, made with the same options. Terms that it
// does not hold are dropped; num_terms is its size.
absl::StatusOr<DocumentMatrix> VectorizeTexts(
    absl::Span<const std::string> texts, const AnalyzerOptions& options,
    const Vocabulary& vocabulary, WorkShare* work = nullptr,
    int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_VECTORIZER_H_
