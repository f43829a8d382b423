// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the dense cosine graph: the naive definition, and random rows of
// many shapes.

#ifndef WARPCLUST_GRAPH_TESTING_DENSE_COSINE_ORACLE_H_
#define WARPCLUST_GRAPH_TESTING_DENSE_COSINE_ORACLE_H_

#include <cstdint>

#include "base/numbers/decimal.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// All pairs, decided by cosine_decision.h. O(n² d).
CsrGraph NaiveDenseCosineGraph(const DenseDocuments& documents,
                               const Decimal& beta);

struct RandomRowsOptions {
  uint64_t seed = 0;
  int32_t num_documents = 100;
  int32_t num_dimensions = 64;
  // Rows are a random direction of this many, plus noise.
  int32_t num_directions = 10;
  // The length of the noise beside a direction's 1.
  double noise = 0.8;
  // Round to integers up to 9 in magnitude.
  bool integers = false;
  bool negative_values = true;
  // All values times this.
  float scale = 1;
  // Shares of rows of zeros, and of rows that repeat the one before.
  double zero_share = 0;
  double repeated_share = 0;
};

DenseDocuments RandomRows(const RandomRowsOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_DENSE_COSINE_ORACLE_H_
