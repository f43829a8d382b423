// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StreamVectorizer: blocks of a document stream to weighted vectors, in one
// pass. Terms are numbered in order of first appearance, or by a vocabulary
// given; those of svmlight are its indices less 1.
//
//   tf                      counts, or the weights given
//   tfidf                   sparse/weighting/running_frequencies.h: frequencies
//   up to and
//                           including the document itself
//   tfidf and a vocabulary  its frequencies, as sparse/weighting/weighting.h
//
// With a vocabulary, terms that it does not have are dropped.
//
// Determinism: however the stream is cut into blocks. Memory: the distinct
// words, 8 bytes a term. Thread-safety: one thread at a time. Move-only.

#ifndef WARPCLUST_TOOLS_INPUT_STREAM_VECTORIZER_H_
#define WARPCLUST_TOOLS_INPUT_STREAM_VECTORIZER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/term_counter.h"
#include "sparse/text/term_frequencies.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/running_frequencies.h"
#include "sparse/weighting/weighting.h"
#include "tools/input/document_stream.h"

namespace warpclust {

class StreamVectorizer {
 public:
  // tfidf that counts itself takes terms below this.
  static constexpr int32_t kMaxCountedTerms = 1 << 26;

  // What it learned from a stream; nothing of it with a vocabulary given.
  struct Knowledge {
    // Of texts.
    Vocabulary vocabulary;
    RunningFrequencies frequencies;
  };

  // InvalidArgument if the language is unknown, or frequencies are needed that
  // `given` does not have.
  static absl::StatusOr<StreamVectorizer> Create(
      Weighting weighting, const AnalyzerOptions& analyzer,
      absl::optional<TermFrequencies> given, Knowledge knowledge);

  // The rows of `block`, whose texts it takes. InvalidArgument if a weight by a
  // given vocabulary overflows a float, or a term is too large to count.
  absl::StatusOr<DocumentMatrix> Vectorize(DocumentBlock* block);

  const Knowledge& knowledge() const { return knowledge_; }
  // A term of the stream, for people: its index if it has no text.
  std::string TermName(int32_t term) const;

 private:
  explicit StreamVectorizer(Analyzer analyzer)
      : counter_(std::move(analyzer)) {}

  DocumentMatrix Count(DocumentBlock* block);

  Weighting weighting_ = Weighting::kTf;
  TermCounter counter_;
  absl::optional<TermFrequencies> given_;
  // ln(n / df) of given_, if that is the weighting.
  std::vector<double> factors_;
  Knowledge knowledge_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_STREAM_VECTORIZER_H_
