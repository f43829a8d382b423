// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermCounter: texts to rows of term counts, one text at a time, for streams
// and for whatever else decides itself how terms are numbered.
//
// Cost: linear; each distinct word is looked up in the stop words, stemmed and
// numbered once. Memory: the distinct words. A count above 2^24 is rounded to a
// float. Thread-safety: one thread at a time. Move-only.

#ifndef WARPCLUST_SPARSE_TEXT_TERM_COUNTER_H_
#define WARPCLUST_SPARSE_TEXT_TERM_COUNTER_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class TermCounter {
 public:
  // For a term that is not to be counted.
  static constexpr int32_t kDropped = -1;

  explicit TermCounter(Analyzer analyzer);

  // Appends a row to `documents`, empty if the text has no terms, ascending by
  // column; num_terms is the caller's. `number` gives a term its column or
  // kDropped; its answers are remembered.
  void Append(absl::string_view text,
              absl::FunctionRef<int32_t(absl::string_view)> number,
              DocumentMatrix* documents);

 private:
  Analyzer analyzer_;
  Vocabulary words_;
  std::vector<int32_t> column_of_word_;
  // How often each column occurred in the current text, and which did.
  std::vector<int64_t> counts_;
  std::vector<int32_t> columns_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_TERM_COUNTER_H_
