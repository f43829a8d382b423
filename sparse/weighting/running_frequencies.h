// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunningFrequencies: TF-IDF in one pass over a stream, when nobody knows yet
// in how many documents a term will occur:
//
//   w = float(tf * ln(1 + n / df))
//
// in double before rounding; n documents so far, df of them with the term, both
// with the document itself. The 1 keeps the first documents, and terms of every
// document, from weighing nothing; weighting.h, which knows all documents
// beforehand, needs none. A weight beyond the largest float becomes that one.
//
// Cost: a logarithm an entry. Memory: 8 bytes a term. Determinism: the order of
// documents decides, however they are cut into calls; ln is the C library's.
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_SPARSE_WEIGHTING_RUNNING_FREQUENCIES_H_
#define WARPCLUST_SPARSE_WEIGHTING_RUNNING_FREQUENCIES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class RunningFrequencies {
 public:
  RunningFrequencies() = default;
  // Goes on from `num_documents` documents, frequencies[t] of them with term t:
  // from 0 to num_documents.
  RunningFrequencies(int64_t num_documents, std::vector<int64_t> frequencies)
      : num_documents_(num_documents), frequencies_(std::move(frequencies)) {}

  // Counts and weighs the rows of `documents`, in order.
  void Weigh(DocumentMatrix* documents);

  int64_t num_documents() const { return num_documents_; }
  // One a term; none beyond the last that occurred.
  const std::vector<int64_t>& frequencies() const { return frequencies_; }

 private:
  int64_t num_documents_ = 0;
  std::vector<int64_t> frequencies_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_WEIGHTING_RUNNING_FREQUENCIES_H_
