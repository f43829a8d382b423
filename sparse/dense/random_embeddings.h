// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RandomEmbeddings: seeded unit vectors that cluster like embeddings: a mixture
// of random directions on the sphere, with near duplicates. For benchmarks and
// synthetic data.
//
//   RandomEmbeddings embeddings({.dimensions = 384, .directions = 500});
//   embeddings.Fill(7, row);  // document 7
//
// A document is its direction plus noise, by default of half its length:
// documents of one direction have cosines of about 0.8 and others of about 0. A
// near duplicate is an earlier document plus noise of a twentieth: a cosine
// above 0.99. Document i depends only on the options and on i, so threads may
// fill different rows; the same bytes on every machine.
//
// Cost: O(dimensions) per row. Memory: none.

#ifndef WARPCLUST_SPARSE_DENSE_RANDOM_EMBEDDINGS_H_
#define WARPCLUST_SPARSE_DENSE_RANDOM_EMBEDDINGS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

struct RandomEmbeddingsOptions {
  int32_t dimensions = 384;  // At least 1.
  int64_t directions = 50;   // At least 1.
  // Length of the noise: documents of one direction have cosines of about
  // 1 / (1 + noise²).
  double noise = 0.5;
  Decimal near_duplicates = "0";  // Their share, in [0, 1].
  uint64_t seed = 1;
};

class RandomEmbeddings {
 public:
  explicit RandomEmbeddings(const RandomEmbeddingsOptions& options)
      : options_(options) {}

  // Sets `row`, as long as a document has dimensions, to document i.
  void Fill(int64_t i, absl::Span<float> row) const;

  // The direction of document i; a near duplicate has that of its original.
  int64_t DirectionOf(int64_t i) const;

 private:
  RandomEmbeddingsOptions options_;
};

// The first `num_documents` documents.
DenseDocuments MakeRandomEmbeddings(const RandomEmbeddingsOptions& options,
                                    int32_t num_documents, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_RANDOM_EMBEDDINGS_H_
