// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/benchmarks/embedding_mixture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/numbers/random.h"

namespace warpclust {
namespace {

// Adds a random vector of about this length, the same for the same seed.
void AddNoise(uint64_t seed, double length, int32_t dimensions, float* row) {
  Random random(seed);
  const double scale = length / std::sqrt(std::max(dimensions, 1));
  for (int32_t k = 0; k < dimensions; ++k) {
    row[k] += static_cast<float>(scale * random.Normal());
  }
}

}  // namespace

DenseDocuments EmbeddingMixture(const EmbeddingMixtureOptions& options) {
  const int32_t n = options.num_documents;
  const int32_t d = options.num_dimensions;
  const uint64_t directions =
      std::max<uint64_t>(1, n / std::max(1, options.rows_per_direction));
  std::vector<float> values(static_cast<size_t>(n) * d);
#pragma omp parallel for
  for (int32_t i = 0; i < n; ++i) {
    const uint64_t seed =
        options.seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(i);
    const uint64_t direction = Random(seed).Below(directions);
    float* const row = values.data() + static_cast<size_t>(i) * d;
    AddNoise(~options.seed * 0xD1B54A32D192ED03u + direction, 1, d, row);
    AddNoise(seed ^ 0x5555555555555555u, options.noise, d, row);
  }
  return MakeDenseDocuments(std::move(values), n);
}

}  // namespace warpclust
