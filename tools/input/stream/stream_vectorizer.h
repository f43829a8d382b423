// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StreamVectorizer: turns the blocks of a document stream into weighted
// vectors, in one pass. How the stream is cut into blocks does not matter, nor
// does the number of threads.
//
// Terms are numbered in order of first appearance, or by a given vocabulary,
// which drops all other terms. Terms of svmlight are its indices minus 1.
//
//   tf                     counts, or the weights of the input
//   tfidf                  frequencies up to and including the document itself
//                          (sparse/weighting/running_frequencies.h)
//   tfidf, vocabulary      the frequencies of the vocabulary
//                          (sparse/weighting/weighting.h)
//
// Memory: the distinct words, and 8 bytes per term. Move-only.

#ifndef WARPCLUST_TOOLS_INPUT_STREAM_STREAM_VECTORIZER_H_
#define WARPCLUST_TOOLS_INPUT_STREAM_STREAM_VECTORIZER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/stream_term_counter.h"
#include "sparse/text/term_frequencies.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/running_frequencies.h"
#include "sparse/weighting/weighting.h"
#include "tools/input/stream/document_stream.h"

namespace warpclust {

class StreamVectorizer {
 public:
  // Most terms of tfidf without a vocabulary.
  static constexpr int32_t kMaxCountedTerms = 1 << 26;

  // What it has learned from the stream; unused with a given vocabulary.
  struct Knowledge {
    Vocabulary vocabulary;  // Of texts.
    RunningFrequencies frequencies;
  };

  // Texts are counted by up to `num_threads` threads (0: all cores).
  // InvalidArgument if the language is unknown, or `given` lacks the
  // frequencies that tfidf needs.
  static absl::StatusOr<StreamVectorizer> Create(
      Weighting weighting, const AnalyzerOptions& analyzer,
      absl::optional<TermFrequencies> given, Knowledge knowledge,
      int num_threads = 1);

  // Counts full words, for Words. Call it before the first Vectorize.
  void KeepWords() { counter_.KeepWords(); }
  // Words begins anew.
  void ForgetWordCounts() { counter_.ForgetWordCounts(); }
  // What to show for each term: of texts, the most frequent word
  // (sparse/text/full_words.h) or, if none was counted, the term itself; of
  // vectors, the term of the given vocabulary. Empty for vectors without one.
  std::vector<std::string> Words() const;

  // The rows of `block`, whose texts or vectors it takes. InvalidArgument if a
  // weight overflows a float, or a term is above kMaxCountedTerms.
  absl::StatusOr<DocumentMatrix> Vectorize(DocumentBlock* block);

  const Knowledge& knowledge() const { return knowledge_; }
  // The text of a term, or its index if it has none.
  std::string TermName(int32_t term) const;

 private:
  explicit StreamVectorizer(StreamTermCounter counter)
      : counter_(std::move(counter)) {}

  DocumentMatrix Count(DocumentBlock* block);
  // That of the terms: the given one, or the one that grows.
  const Vocabulary& vocabulary() const {
    return given_.has_value() ? given_->vocabulary : knowledge_.vocabulary;
  }

  Weighting weighting_ = Weighting::kTf;
  StreamTermCounter counter_;
  absl::optional<TermFrequencies> given_;
  // ln(n / df) of given_, for tfidf.
  std::vector<double> factors_;
  Knowledge knowledge_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_STREAM_STREAM_VECTORIZER_H_
