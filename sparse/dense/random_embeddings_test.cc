// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/random_embeddings.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

double Cosine(absl::Span<const float> a, absl::Span<const float> b) {
  double dot = 0;
  for (size_t k = 0; k < a.size(); ++k) dot += double{a[k]} * b[k];
  return dot;
}

TEST(RandomEmbeddingsTest, UnitVectorsInDirections) {
  RandomEmbeddingsOptions options;
  options.dimensions = 256;
  options.directions = 5;
  const DenseDocuments documents = MakeRandomEmbeddings(options, 60, 2);
  const RandomEmbeddings embeddings(options);
  std::vector<int> members(5);
  for (int32_t i = 0; i < 60; ++i) {
    ++members[embeddings.DirectionOf(i)];
    EXPECT_NEAR(Cosine(documents.Row(i), documents.Row(i)), 1, 1e-6);
    for (int32_t j = 0; j < i; ++j) {
      const bool same = embeddings.DirectionOf(i) == embeddings.DirectionOf(j);
      EXPECT_NEAR(Cosine(documents.Row(i), documents.Row(j)), same ? 0.8 : 0,
                  0.25);
    }
  }
  for (const int count : members) EXPECT_GT(count, 0);
}

TEST(RandomEmbeddingsTest, NearDuplicates) {
  RandomEmbeddingsOptions options;
  options.directions = 1000;
  options.near_duplicates = "0.3";
  options.seed = 2;
  const DenseDocuments documents = MakeRandomEmbeddings(options, 200, 1);
  int duplicates = 0;
  for (int32_t i = 0; i < 200; ++i) {
    for (int32_t j = 0; j < i; ++j) {
      if (Cosine(documents.Row(i), documents.Row(j)) < 0.99) continue;
      ++duplicates;
      break;
    }
  }
  EXPECT_NEAR(duplicates, 60, 20);
}

TEST(RandomEmbeddingsTest, SeedAndDocumentDecideTheRow) {
  RandomEmbeddingsOptions options;
  options.dimensions = 3;
  std::vector<float> a(3), b(3), other(3);
  RandomEmbeddings(options).Fill(4, absl::MakeSpan(a));
  RandomEmbeddings(options).Fill(4, absl::MakeSpan(b));
  options.seed = 2;
  RandomEmbeddings(options).Fill(4, absl::MakeSpan(other));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, other);
}

}  // namespace
}  // namespace warpclust
