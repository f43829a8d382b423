// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/random_embeddings.h"

#include <cmath>
#include <utility>
#include <vector>

#include "base/machine/threads.h"
#include "base/numbers/random.h"

namespace warpclust {
namespace {

constexpr double kDuplicateNoise = 0.05;

// What document i is made from. Its random numbers go on to the noise.
struct Source {
  Random random;
  bool is_duplicate;
  int64_t from;  // The earlier document, or the direction.
};

Source SourceOf(const RandomEmbeddingsOptions& options, int64_t i) {
  Source source = {Random(options.seed, 2 * static_cast<uint64_t>(i)), false,
                   0};
  const Decimal& share = options.near_duplicates;
  source.is_duplicate = i > 0 && source.random.Below(share.denominator) <
                                     static_cast<uint64_t>(share.numerator);
  source.from = static_cast<int64_t>(
      source.random.Below(source.is_duplicate ? i : options.directions));
  return source;
}

void Normalize(absl::Span<double> row) {
  double sum = 0;
  for (const double value : row) sum += value * value;
  const double norm = std::sqrt(sum);
  // Zeros become the first unit vector.
  if (norm == 0) {
    row[0] = 1;
    return;
  }
  for (double& value : row) value /= norm;
}

void FillDoubles(const RandomEmbeddingsOptions& options, int64_t i,
                 absl::Span<double> row) {
  Source source = SourceOf(options, i);
  if (source.is_duplicate) {
    FillDoubles(options, source.from, row);
  } else {
    Random random(options.seed, 2 * static_cast<uint64_t>(source.from) + 1);
    for (double& value : row) value = random.Normal();
    Normalize(row);
  }
  const double deviation =
      (source.is_duplicate ? kDuplicateNoise : options.noise) /
      std::sqrt(static_cast<double>(row.size()));
  for (double& value : row) value += deviation * source.random.Normal();
  Normalize(row);
}

}  // namespace

void RandomEmbeddings::Fill(int64_t i, absl::Span<float> row) const {
  std::vector<double> doubles(row.size());
  FillDoubles(options_, i, absl::MakeSpan(doubles));
  for (size_t k = 0; k < row.size(); ++k) {
    row[k] = static_cast<float>(doubles[k]);
  }
}

int64_t RandomEmbeddings::DirectionOf(int64_t i) const {
  Source source = SourceOf(options_, i);
  while (source.is_duplicate) source = SourceOf(options_, source.from);
  return source.from;
}

DenseDocuments MakeRandomEmbeddings(const RandomEmbeddingsOptions& options,
                                    int32_t num_documents, int num_threads) {
  const RandomEmbeddings embeddings(options);
  const int64_t d = options.dimensions;
  std::vector<float> values(num_documents * d);
#pragma omp parallel for num_threads(ResolveThreads(num_threads))
  for (int32_t i = 0; i < num_documents; ++i) {
    embeddings.Fill(i, absl::MakeSpan(values.data() + i * d, d));
  }
  return MakeDenseDocuments(std::move(values), num_documents);
}

}  // namespace warpclust
