// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StreamTermCounter: the texts of a stream to rows of term counts, a block at a
// time, on several threads. Terms are numbered in the order in which they first
// appear in the stream, so neither threads nor blocks show in the result.
//
// Each thread takes a part of a block. It finds the terms of earlier blocks in
// the vocabulary, and numbers others by itself; then these get their numbers,
// part after part. A block of few bytes is counted by one thread, without
// delay.
//
// Cost: linear; each distinct word is looked up in the stop words and stemmed
// once per thread. Memory: the distinct words, once per thread. Move-only. One
// thread at a time calls it.

#ifndef WARPCLUST_SPARSE_TEXT_STREAM_TERM_COUNTER_H_
#define WARPCLUST_SPARSE_TEXT_STREAM_TERM_COUNTER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/term_counter.h"
#include "sparse/text/text_blocks.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class StreamTermCounter {
 public:
  // For at most `num_threads` threads; 0: all cores. InvalidArgument as
  // Analyzer::Create.
  static absl::StatusOr<StreamTermCounter> Create(
      const AnalyzerOptions& options, int num_threads);

  // As those of TermCounter, except that `use` gets a word once per thread that
  // met it.
  void KeepWords();
  void ForgetWordCounts();
  void ForEachKeptWord(absl::FunctionRef<void(absl::string_view word,
                                              int32_t column, int64_t count)>
                           use) const;

  // One row per text; adds new terms to `*vocabulary`, which is that of all
  // calls.
  DocumentMatrix Count(absl::Span<const absl::string_view> texts,
                       Vocabulary* vocabulary);
  // The same without the terms that `vocabulary` does not hold.
  DocumentMatrix CountKnown(absl::Span<const absl::string_view> texts,
                            const Vocabulary& vocabulary);

 private:
  explicit StreamTermCounter(std::vector<TermCounter> counters)
      : counters_(std::move(counters)) {}

  std::vector<TextBlock<absl::string_view>> Split(
      absl::Span<const absl::string_view> texts) const;

  // One per thread.
  std::vector<TermCounter> counters_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_STREAM_TERM_COUNTER_H_
