// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunningFrequencies: TF-IDF in one pass over a stream, where document
// frequencies are not known beforehand:
//
//   w = float(tf * ln(1 + n / df))
//
// n is the number of documents so far and df the number of them with the term,
// both with the document itself; the product is rounded from double. The 1
// keeps the first documents, and terms of every document, above zero. A weight
// beyond the largest float becomes that float. Use weighting.h if all documents
// are known.
//
// Cost: a logarithm per entry. Memory: 8 bytes per term. The order of documents
// decides, not how they are split into calls; ln is the C library's.

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
  // Continues after `num_documents` documents; frequencies[t] in [0,
  // num_documents] of them have term t.
  RunningFrequencies(int64_t num_documents, std::vector<int64_t> frequencies)
      : num_documents_(num_documents), frequencies_(std::move(frequencies)) {}

  // Counts and weights the rows of `*documents`, in order.
  void Weigh(DocumentMatrix* documents);

  int64_t num_documents() const { return num_documents_; }
  // One per term, up to the last term that occurred.
  const std::vector<int64_t>& frequencies() const { return frequencies_; }

 private:
  int64_t num_documents_ = 0;
  std::vector<int64_t> frequencies_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_WEIGHTING_RUNNING_FREQUENCIES_H_
