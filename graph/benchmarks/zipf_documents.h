// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ZipfDocuments: a large collection for benchmarks, made in seconds. Every
// document has the same number of distinct terms, drawn independently by a
// Zipf-Mandelbrot law: the probability of term t is proportional to
// 1 / (t + 1 + offset) ^ exponent. There are no topics, so few pairs are
// similar, and the join's work is that of the term lists alone.
//
// Document d depends on the seed and on d only, not on the number of threads.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_ZIPF_DOCUMENTS_H_
#define WARPCLUST_GRAPH_BENCHMARKS_ZIPF_DOCUMENTS_H_

#include <cstdint>

#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct ZipfDocumentsOptions {
  int32_t num_documents = 1000000;
  int32_t num_terms = 1000000;
  // At most a quarter of num_terms.
  int32_t terms_per_document = 76;
  double exponent = 1;
  // 0 is Zipf's law; 3 to 10 resemble a collection without stop words.
  double offset = 0;
  uint64_t seed = 1;
};

// Weights are counts: 1, 2, 3, … with probability 2/3, 2/9, 2/27, …
DocumentMatrix ZipfDocuments(const ZipfDocumentsOptions& options);

// 2,000 documents, 20,000 terms, offset 5.
DocumentMatrix SmallZipfDocuments();

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_ZIPF_DOCUMENTS_H_
