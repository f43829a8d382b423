// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the cosine graph: the naive definition, and random documents of
// many shapes.

#ifndef WARPCLUST_GRAPH_TESTING_COSINE_GRAPH_ORACLE_H_
#define WARPCLUST_GRAPH_TESTING_COSINE_GRAPH_ORACLE_H_

#include <cstdint>

#include "base/numbers/decimal.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// All pairs, each by merging the two rows, decided by cosine_decision.h.
// O(n² · row length).
CsrGraph NaiveCosineGraph(const DocumentMatrix& documents, const Decimal& beta);

struct RandomDocumentsOptions {
  uint64_t seed = 0;
  int32_t num_documents = 100;
  int32_t num_terms = 200;
  // Mean number of distinct terms of a document; terms are Zipf-like.
  double mean_terms = 10;
  // Integers in [1, largest_weight], mostly small; else reals in (0,
  // largest_weight].
  bool integer_weights = true;
  float largest_weight = 9;
  // Share of documents without terms.
  double empty_fraction = 0;
};

DocumentMatrix RandomDocuments(const RandomDocumentsOptions& options);

// Documents with 9 of 25 terms, each of weight `weight`. About a third of all
// pairs share three terms: their cosine is exactly 1/3.
DocumentMatrix NineTermDocuments(int32_t num_documents, float weight);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_COSINE_GRAPH_ORACLE_H_
