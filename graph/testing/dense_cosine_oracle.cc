// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/testing/dense_cosine_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {
namespace {

double PlainDot(absl::Span<const float> a, absl::Span<const float> b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  return sum;
}

float RandomValue(DenseKind kind, double center, double noise, int exponent,
                  int32_t dimension, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double value = center + noise * normal(random);
  switch (kind) {
    case DenseKind::kGaussian:
    case DenseKind::kAroundBeta:
      return static_cast<float>(value);
    case DenseKind::kNonNegative:
      return static_cast<float>(std::max(0.0, value));
    case DenseKind::kSmallIntegers:
      return static_cast<float>(static_cast<int>(random() % 5) - 2);
    case DenseKind::kCounts:
      return static_cast<float>(random() % 4);
    case DenseKind::kExtremes:
      return static_cast<float>(std::ldexp(value, exponent));
    case DenseKind::kSpikes:
      return static_cast<float>(dimension == 0 ? 100 * center : value);
  }
  return 0;
}

// Two unit rows of six equal values, in groups that share some; 3.6 / 6 = 0.6
// with other values in the last bits.
void FillAroundBeta(int32_t dimensions, std::mt19937_64& random, float* row) {
  std::fill(row, row + dimensions, 0.0f);
  for (int k = 0; k < 5; ++k) {
    float value = 0.31f * (random() % 2 == 0 ? 1.0f : -1.0f);
    for (int step = static_cast<int>(random() % 3); step > 0; --step) {
      value = std::nextafter(value, 0.0f);
    }
    row[random() % dimensions] = value;
  }
}

}  // namespace

CsrGraph NaiveDenseCosineGraph(const DenseDocuments& documents,
                               const Decimal& beta, bool integer_decisions) {
  const int32_t n = documents.num_documents();
  std::vector<double> norms(n);
  double largest = 0;
  for (int32_t i = 0; i < n; ++i) {
    norms[i] = PlainDot(documents.Row(i), documents.Row(i));
    largest = std::max(largest, norms[i]);
  }
  bool integers = largest < 0x1p53;
  for (float value : documents.values) {
    integers =
        integers && value == std::rint(value) && std::fabs(value) < 16777216.0f;
  }
  const CosineDecision decision =
      MakeCosineDecision(beta, integers && integer_decisions, largest);
  CsrGraph graph;
  graph.offsets = {0};
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (j == i || norms[i] == 0 || norms[j] == 0) continue;
      const double dot = PlainDot(documents.Row(i), documents.Row(j));
      if (!decision.Reaches(dot, norms[i], norms[j])) continue;
      graph.neighbors.push_back(j);
      graph.weights.push_back(CosineDecision::Cosine(dot, norms[i], norms[j]));
    }
    graph.offsets.push_back(static_cast<int64_t>(graph.neighbors.size()));
  }
  return graph;
}

std::vector<ProbeEdge> NaiveProbeEdges(const DenseDocuments& block,
                                       const DenseDocuments& probes,
                                       const CosineProbeOptions& options) {
  const CosineDecision decision =
      MakeCosineDecision(options.beta, options.integer_arithmetic, 0);
  std::vector<ProbeEdge> edges;
  for (int32_t row = 0; row < block.num_documents(); ++row) {
    for (int32_t probe = 0; probe < probes.num_documents(); ++probe) {
      const double a = PlainDot(block.Row(row), block.Row(row));
      const double b = PlainDot(probes.Row(probe), probes.Row(probe));
      const double dot = PlainDot(block.Row(row), probes.Row(probe));
      if (a == 0 || b == 0 || !decision.Reaches(dot, a, b)) continue;
      edges.push_back({row, probe, CosineDecision::Cosine(dot, a, b)});
    }
  }
  return edges;
}

DenseDocuments RandomDenseDocuments(DenseKind kind, int32_t num_documents,
                                    int32_t num_dimensions, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const int64_t d = num_dimensions;
  const int32_t num_centers = 1 + num_documents / 8;
  std::vector<double> centers(num_centers * d);
  for (double& value : centers) value = normal(random);
  std::vector<float> values(num_documents * d, 0.0f);
  for (int32_t i = 0; i < num_documents; ++i) {
    float* row = values.data() + i * d;
    if (random() % 10 == 0) continue;
    if (i > 0 && random() % 10 == 0) {
      std::copy_n(values.data() + static_cast<int64_t>(random() % i) * d, d,
                  row);
      continue;
    }
    if (kind == DenseKind::kAroundBeta) {
      FillAroundBeta(num_dimensions, random, row);
      continue;
    }
    const double* center =
        centers.data() + static_cast<int64_t>(random() % num_centers) * d;
    const double noise = 0.1 * static_cast<double>(random() % 12);
    const int exponent = static_cast<int>(random() % 260) - 140;
    for (int32_t k = 0; k < num_dimensions; ++k) {
      row[k] = RandomValue(kind, center[k], noise, exponent, k, random);
    }
  }
  return MakeDenseDocuments(std::move(values), num_documents);
}

DocumentMatrix SparseOfDense(const DenseDocuments& documents) {
  DocumentMatrix sparse;
  sparse.num_terms = documents.num_dimensions;
  sparse.offsets = {0};
  for (int32_t i = 0; i < documents.num_documents(); ++i) {
    for (int32_t k = 0; k < documents.num_dimensions; ++k) {
      if (documents.Row(i)[k] == 0) continue;
      sparse.terms.push_back(k);
      sparse.weights.push_back(documents.Row(i)[k]);
    }
    sparse.offsets.push_back(static_cast<int64_t>(sparse.terms.size()));
  }
  return sparse;
}

}  // namespace warpclust
