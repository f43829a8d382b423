// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EmbeddingMixture: generated embeddings for benchmarks: rows around random
// directions of the sphere, about `rows_per_direction` around each. Two rows of
// a direction have a cosine of about 1 / (1 + noise²), others of about 0.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_EMBEDDING_MIXTURE_H_
#define WARPCLUST_GRAPH_BENCHMARKS_EMBEDDING_MIXTURE_H_

#include <cstdint>

#include "sparse/dense/dense_documents.h"

namespace warpclust {

struct EmbeddingMixtureOptions {
  int32_t num_documents = 2000;
  int32_t num_dimensions = 384;
  int32_t rows_per_direction = 20;
  // The length of the noise beside a direction of length 1.
  double noise = 0.5;
  uint64_t seed = 1;
};

// All cores; the rows do not depend on their number.
DenseDocuments EmbeddingMixture(const EmbeddingMixtureOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_EMBEDDING_MIXTURE_H_
